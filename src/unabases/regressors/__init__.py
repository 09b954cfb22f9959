"""Every regressor, a scikit-learn estimator; all share one interface."""

from unabases.lazy import lazy_package

lazy_package(__name__, __file__)
