"""The one list of terms, which saving reads."""

from unabases.terms.base import AbstractStatement
from unabases.terms.equalities import Slope, Through
from unabases.terms.inequalities import Bounds, Convex, Monotone
from unabases.terms.views import Additive, Irrelevant, Periodic, Symmetric
from unabases.terms.wishes import Diversity, FunctionPrior

_TERMS = (
    Additive,
    Bounds,
    Convex,
    Diversity,
    FunctionPrior,
    Irrelevant,
    Monotone,
    Periodic,
    Slope,
    Symmetric,
    Through,
)


def all_terms() -> dict[str, type[AbstractStatement]]:
    """Every term of the package by name.

    Examples
    --------
    >>> "Monotone" in all_terms()
    True
    """
    return {term.__name__: term for term in _TERMS}
