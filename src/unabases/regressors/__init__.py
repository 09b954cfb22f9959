"""scikit-learn estimators, one file each."""

from unabases.lazy import lazy_package

lazy_package(__name__, __file__)
