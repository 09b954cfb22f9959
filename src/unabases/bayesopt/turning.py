"""A surrogate for the negative of a function, which is what a study that maximises shows it."""

from typing import Any

from sklearn.base import clone

from unabases.terms.negative import negative_of

__all__ = ["turned"]


def turned(surrogate: Any) -> Any:
    """A copy whose `terms` are turned around, also inside of other estimators; as it is, if it has none.

    Examples
    --------
    >>> from unabases import UNA
    >>> from unabases.terms import Monotone
    >>> turned(UNA(terms=[Monotone(0)])).terms
    [Monotone(column=0, increasing=False, output=None)]
    """
    if not hasattr(surrogate, "get_params"):
        return surrogate
    own = surrogate.get_params(deep=True)
    told = {name: terms for name, terms in own.items() if name.rpartition("__")[2] == "terms" and terms}
    if not told:
        return surrogate
    copy: Any = clone(surrogate)
    return copy.set_params(**{name: [negative_of(term) for term in terms] for name, terms in told.items()})
