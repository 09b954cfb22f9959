"""What is known about a function, as a model understands it: `UNA(terms=[Monotone("dose"), Bounds(0, 100)])`."""

from unabases.terms.base import AbstractEquality, AbstractInequality, AbstractStatement, AbstractView
from unabases.terms.equalities import Slope, Through
from unabases.terms.inequalities import Bounds, Convex, Monotone
from unabases.terms.listing import all_terms
from unabases.terms.views import Additive, Irrelevant, Periodic, Symmetric
from unabases.terms.wishes import Diversity, FunctionPrior

__all__ = [
    "AbstractEquality",
    "AbstractInequality",
    "AbstractStatement",
    "AbstractView",
    "Additive",
    "Bounds",
    "Convex",
    "Diversity",
    "FunctionPrior",
    "Irrelevant",
    "Monotone",
    "Periodic",
    "Slope",
    "Symmetric",
    "Through",
    "all_terms",
]
