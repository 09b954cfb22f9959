"""Statements turned around: what is true of the negative of a function."""

from dataclasses import replace
from typing import Any

import numpy as np

from unabases.terms.equalities import Slope, Through
from unabases.terms.inequalities import Bounds, Convex, Monotone


def negative_of(term: Any) -> Any:
    """What a statement about a function says of its negative; others, which know no sign, stay as they are.

    Parameters
    ----------
    term
        A term, or a function of the user's own, which is not changed.

    Examples
    --------
    >>> negative_of(Monotone("dose"))
    Monotone(column='dose', increasing=False, output=None)
    >>> negative_of(Bounds(lower=0))
    Bounds(lower=None, upper=0, output=None)
    """
    match term:
        case Monotone():
            return replace(term, increasing=not term.increasing)
        case Convex():
            return replace(term, convex=not term.convex)
        case Bounds():
            lower, upper = (None if bound is None else -bound for bound in (term.upper, term.lower))
            return replace(term, lower=lower, upper=upper)
        case Through():
            return replace(term, y=-np.asarray(term.y, dtype=np.float64))
        case Slope():
            return replace(term, value=-term.value)
        case _:
            return term
