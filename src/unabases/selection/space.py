"""What a search varies: ranges and choices, as Optuna's distributions."""

from collections.abc import Mapping
from typing import Any

from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution


def as_distributions(space: Mapping[str, Any]) -> dict[str, BaseDistribution]:
    """Turn a user's short forms into distributions.

    `(low, high)` is a range, of whole numbers when both ends are, otherwise logarithmic when both are positive; a list
    is a choice; a distribution of Optuna's stands for itself. Choices that are no plain values (such as `(50, 20)`) are
    chosen by their place in the list: see `chosen`.

    Examples
    --------
    >>> as_distributions({"gamma": (0.01, 100.0)})["gamma"].log
    True
    """
    return {name: _distribution(name, values) for name, values in space.items()}


def chosen(space: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters of a trial: what `values` stand for in the user's space."""
    return {name: space[name][value] if isinstance(space[name], list) else value for name, value in values.items()}


def _distribution(name: str, values: Any) -> BaseDistribution:
    if isinstance(values, BaseDistribution):
        return values
    if isinstance(values, list) and values:
        return CategoricalDistribution(tuple(range(len(values))))
    if isinstance(values, tuple) and len(values) == 2:
        low, high = values
        try:
            if all(isinstance(end, int) and not isinstance(end, bool) for end in values):
                return IntDistribution(low, high)
            return FloatDistribution(float(low), float(high), log=float(low) > 0)
        except (TypeError, ValueError):
            pass
    raise ValueError(
        f"`{name}` must be searched in a range (low, high), a list of choices, or a distribution of Optuna's; "
        f"got {values!r}."
    )
