"""Which training rows to leave out, to see how a regressor does where it has no data: slabs, and random folds."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from unabases.regressors.shared.same_inputs import keys_of
from unabases.regressors.shared.scaling import fit_scale

__all__ = ["LeftOut", "leave_folds_out", "leave_slabs_out", "one_of_each", "stay_together"]

SLABS_FROM = 20  # rows from which slabs are left out
_ENOUGH_VALUES = 5  # different values that a column needs to be cut along
_LEAST_ROWS = 3  # in a slab
_LARGEST_SHARE = 0.6  # of the rows that may be in a slab
_TRIES = 10  # directions tried for each slab
_MOSTLY_ALONE = 0.3  # different inputs, relative to rows, from which rows with the same inputs are the exception
_ENOUGH_INPUTS = 10  # different inputs that folds of them need
_DIGITS = 9  # after which values along a direction are the same
_MIDDLE, _OUTER = "middle third", "outer sixths"
_ONE_COLUMN = (_MIDDLE, _OUTER, "second and third sixth", "fourth and fifth sixth")


class LeftOut(NamedTuple):
    """Rows that a regressor does not see, and what they have in common."""

    kind: str  # "slab" or "fold"
    where: str  # in words
    rows: Bool[np.ndarray, " n"]


def stay_together(X: Float[np.ndarray, "n d"], y: Float[np.ndarray, "n p"]) -> Int[np.ndarray, " n"]:
    """A number for each row: rows of the same number should be left out together.

    A row whose copy is seen tells nothing about rows with new inputs: it is known already, and without noise. So rows
    with the same inputs stay together where they are the exception, or are copies throughout. Where they are the rule,
    as in a design of a few settings that are measured again and again, each row stands alone.

    Examples
    --------
    >>> X, y = np.r_[np.arange(10.0), 3.0][:, None], np.arange(11.0)[:, None]
    >>> stay_together(X, y)
    array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 3])
    """
    _, first, group = np.unique(keys_of(X), return_index=True, return_inverse=True)
    exception = len(first) >= _MOSTLY_ALONE * len(X) or np.array_equal(y[first][group], y)
    if len(first) < _ENOUGH_INPUTS or not exception:
        return np.arange(len(X))
    return np.argsort(np.argsort(first))[group]


def one_of_each(order: Int[np.ndarray, " n"], together: Int[np.ndarray, " n"]) -> Int[np.ndarray, " m"]:
    """Of rows in some order, the first of each that stay together."""
    _, first = np.unique(together[order], return_index=True)
    return order[np.sort(first)]


def leave_folds_out(
    n: int, n_folds: int, rng: np.random.Generator, least: int = 2, together: Int[np.ndarray, " n"] | None = None
) -> list[LeftOut]:
    """Divide n rows at random into folds of about the same size and of at least two rows, or as many as asked for.

    Rows that stay together count as one.

    Examples
    --------
    >>> [int(fold.rows.sum()) for fold in leave_folds_out(10, 3, np.random.default_rng(0))]
    [4, 3, 3]
    """
    together = np.arange(n) if together is None else together
    groups = int(together.max()) + 1
    folds = min(n_folds, groups // least)
    if folds < 2:
        return []
    number = (rng.permutation(groups) % folds)[together]
    return [LeftOut("fold", f"fold {k + 1} of {folds}", number == k) for k in range(folds)]


def leave_slabs_out(
    X: Float[np.ndarray, "n d"], n_slabs: int, rng: np.random.Generator, names: Sequence[str] | None = None
) -> list[LeftOut]:
    """Cut regions out of the rows: in turn the middle third and the outer sixths, along columns and random directions.

    Rows with the same value along a direction stay together, so that no left-out value occurs among the others. A
    column needs at least five different values. Where only one has them, the slabs are the middle third, the outer
    sixths, and a third on each side of the middle. There may be fewer slabs than asked for, or none: below 20
    rows, or where ties leave nothing to cut.

    Parameters
    ----------
    X
        Inputs; columns in which something is missing are not used.
    n_slabs
        How many slabs, at most.
    rng
        Chooses the columns and directions.
    names
        Names of the columns, for `LeftOut.where`.

    Examples
    --------
    >>> X = np.linspace(0, 1, 30)[:, None]
    >>> for slab in leave_slabs_out(X, 2, np.random.default_rng(0), ["age"]):
    ...     print(slab.where, slab.rows.sum())
    middle third of age 10
    outer sixths of age 10
    """
    usable = [j for j in range(X.shape[1]) if np.all(np.isfinite(X[:, j]))]
    usable = [j for j in usable if len(np.unique(X[:, j])) >= _ENOUGH_VALUES]
    if len(X) < SLABS_FROM or not usable:
        return []
    Z = X[:, usable]
    Z = fit_scale(Z).apply(Z)
    called = [f"column {j}" if names is None else str(names[j]) for j in usable]
    slabs: list[LeftOut] = []
    for k, candidates in enumerate([_cuts(Z, called, k, rng) for k in range(n_slabs)]):
        if len(usable) == 1 and k == len(_ONE_COLUMN):
            break
        for slab in candidates:
            if _sound(slab.rows) and not any(np.array_equal(slab.rows, other.rows) for other in slabs):
                slabs.append(slab)
                break
    return slabs


def _cuts(Z: Float[np.ndarray, "n c"], called: list[str], k: int, rng: np.random.Generator) -> Iterator[LeftOut]:
    """Candidates for the slab of number k, the first of which that is sound is taken."""
    c = Z.shape[1]
    if c == 1:
        yield LeftOut("slab", f"{_ONE_COLUMN[k % 4]} of {called[0]}", _cut(Z[:, 0], _ONE_COLUMN[k % 4]))
        return
    part = _OUTER if k % 2 else _MIDDLE
    for _ in range(_TRIES):
        j = int(rng.integers(c))
        along = Z[:, j] if k % 4 < 2 else Z @ rng.standard_normal(c)
        yield LeftOut("slab", f"{part} of {called[j] if k % 4 < 2 else 'a random direction'}", _cut(along, part))


def _cut(values: Float[np.ndarray, " n"], part: str) -> Bool[np.ndarray, " n"]:
    """Rows whose value lies in a part of the range; a value's place is the middle of the rows that share it."""
    _, group, counts = np.unique(np.round(values, _DIGITS), return_inverse=True, return_counts=True)
    place = ((np.cumsum(counts) - counts / 2) / len(values))[group]
    if part == _OUTER:
        return (place < 1 / 6) | (place > 5 / 6)
    low = {_MIDDLE: 1 / 3, _ONE_COLUMN[2]: 1 / 6, _ONE_COLUMN[3]: 1 / 2}[part]
    return (place > low) & (place < low + 1 / 3)


def _sound(rows: Bool[np.ndarray, " n"]) -> bool:
    """Whether enough rows are left out to say something, and enough are left to learn from."""
    return bool(_LEAST_ROWS <= rows.sum() <= _LARGEST_SHARE * len(rows))
