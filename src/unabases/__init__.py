"""Deep Bayesian regression that knows where it has no data."""

from unabases.lazy import lazy_package

__version__ = "0.1.0"

lazy_package(__name__, __file__)
