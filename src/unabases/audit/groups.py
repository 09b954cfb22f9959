r"""Find the values of columns that are under-represented in the training data, as the model sees it.

Audited rows are compared with *reference rows*: rows like the training data that the model was not trained on. Two
samples from one source differ by chance, and that is no bias. So the hypothesis to reject for a value g is that rows
with it are as frequent and as familiar among the audited rows as among the reference rows:

.. math:: H_g: (1\{g\}, u\,1\{g\}) \text{ has one distribution in both}

where u is the epistemic std. If women are rarer than men, and therefore a little less familiar, in the training data
and in the audited data alike, that is no finding. The statistic is the excess of unfamiliar rows,

.. math:: T_g = \tfrac1n \sum_{audited} 1\{g\} (2 r_i - 1)_+ - \tfrac1m \sum_{reference} 1\{g\} (2 r_j - 1)_+

with r the rank of u among all rows, as a share. Which rows are reference rows is permuted, and the largest standardised
T over all groups gives one bound for all (Westfall and Young). If the audited rows are exchangeable with the reference
rows, the chance of naming any group wrongly is at most `level`: exactly, for any number of rows and any distribution of
u.

A large group of unfamiliar rows raises T for every column in which it has rows. So a value is named only if its rows
are also less familiar than the other rows of the audited table, if there are any, and a pair of values only if that is
so within each of the two (Mann-Whitney, Holm). When a value is named, its rows are set aside before the other values
are tested again. Columns that the reference rows lack cannot be compared value by value; their values are named only
if the whole audited table is less familiar than the reference rows.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float
from scipy.stats import t

from unabases.audit.deferral import share_threshold
from unabases.audit.factors import Factor, cross, make_factor
from unabases.audit.hypothesis_tests import Comparison, compare
from unabases.audit.settings import AuditSettings

__all__ = ["GroupFindings", "GroupStds", "Scored", "find_groups", "ratio_interval"]

_FIELDS = (
    *("column", "value", "column_2", "value_2", "rows", "share", "share_training"),
    *("relative", "lower", "upper", "relative_training", "deferred"),
)
_MOST_KEPT = 60  # stds of a group that are kept for pictures


class Scored(NamedTuple):
    """Rows with the model's uncertainty about each of them."""

    std: Float[np.ndarray, " n"]
    """Epistemic stds."""
    columns: pd.DataFrame | None
    """The columns audited by, as float64 or text."""
    error: Float[np.ndarray, " n"] | None = None
    """Absolute errors, NaN where the outcome is not known."""
    unknown: Bool[np.ndarray, " n"] | None = None
    """Rows with a category that training did not have; these are deferred, too."""
    dates: frozenset[str] = frozenset()
    """Columns that are dates, as days since 1970."""


class GroupStds(NamedTuple):
    """Epistemic stds of a group in rising order, evenly thinned out if they are many."""

    audited: Float[np.ndarray, " a"]
    reference: Float[np.ndarray, " r"]
    """Those of reference rows with the same value; none if the reference rows lack the column."""


class GroupFindings(NamedTuple):
    """What `find_groups` found; `AuditResult` describes the tables."""

    overall: dict[str, float]
    columns: pd.DataFrame
    values: pd.DataFrame
    pairs: pd.DataFrame
    stds: dict[tuple[str, str], GroupStds]
    """By column and value."""
    deferred: Bool[np.ndarray, " n"]
    """Which audited rows would be deferred."""
    defer_above: float
    """The epistemic std above which they are; infinite if there are too few reference rows to find one."""


def find_groups(
    new: Scored,
    reference: Scored,
    by: Sequence[str],
    *,
    level: float = 0.05,
    settings: AuditSettings | None = None,
    rng: np.random.Generator,
) -> GroupFindings:
    """Compare audited rows with reference rows, all together and group by group.

    Parameters
    ----------
    new, reference : Scored
        The audited rows, and rows like the training data that the model was not trained on.
    by : sequence of str
        Names of columns of `new`.
    level : float
        The chance of naming any group wrongly is at most this; intervals hold with probability 1 − `level`, each on
        its own.
    settings : AuditSettings, optional
        Ranges, pairs, permutations, and how many rows a group needs to be tested.
    rng : Generator
        Draws the permutations.

    Returns
    -------
    GroupFindings
        Tables of columns, values and pairs of values.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> site = pd.Series(["A", "B"] * 50, dtype=object)
    >>> usual = Scored(rng.gamma(9.0, size=100), pd.DataFrame({"site": site}))
    >>> lifted = usual._replace(std=np.where(site == "B", 3.0, 1.0) * rng.gamma(9.0, size=100))
    >>> found = find_groups(lifted, usual, ["site"], settings=AuditSettings(n_permutations=199), rng=rng)
    >>> found.values.loc[found.values["named"], "value"].tolist()
    ['B']
    """
    settings = settings or AuditSettings()
    n, m = len(new.std), len(reference.std)
    if n < 2 or m < 2:
        raise ValueError(f"an audit needs at least 2 rows of either kind, got {n} audited and {m} reference rows.")
    columns = pd.DataFrame(index=range(n)) if new.columns is None else new.columns
    known = reference.columns
    factors = [
        make_factor(
            name,
            pd.Series(columns[name]),
            None if known is None or name not in known else pd.Series(known[name]),
            settings.bins,
            days=name in new.dates,
        )
        for name in by
    ]
    if settings.look_at_pairs(len(by)):
        factors = factors + [cross(b, a) for i, a in enumerate(factors) for b in factors[:i]]
    defer_above = share_threshold(reference.std, settings.defer_share)
    deferred = new.std > defer_above
    deferred = deferred if new.unknown is None else deferred | new.unknown
    lines = [line for factor in factors for line in _describe(new, reference, factor, level, deferred)]
    table = pd.DataFrame(lines, columns=list(_FIELDS))
    may_be_named = table["relative"].to_numpy(dtype=np.float64) > 0
    std = np.concatenate([new.std, reference.std])
    first, p, named, left = _in_steps(std, n, factors, may_be_named, level, settings, rng)
    rest = _rest(std[:n], left[:n], factors, float(np.mean(reference.std)))
    table = table.assign(**rest, p=p, evidence=first.evidence, named=named)
    single: Any = table[table["column_2"] == ""]
    double: Any = table[table["column_2"] != ""]
    order = ["named", "evidence"]
    relative, lower, upper = ratio_interval(new.std, reference.std, level)
    return GroupFindings(
        {"relative": relative, "lower": lower, "upper": upper, "p": first.overall, "rows": n, "reference_rows": m},
        _rank_columns(single, by),
        single.drop(columns=["column_2", "value_2"]).sort_values(order, ascending=False, ignore_index=True),
        double.sort_values(order, ascending=False, ignore_index=True),
        {key: stds for factor in factors if len(factor.columns) == 1 for key, stds in _stds_of(new, reference, factor)},
        deferred,
        defer_above,
    )


def _in_steps(
    std: Float[np.ndarray, " rows"],
    n: int,
    factors: Sequence[Factor],
    may_be_named: Bool[np.ndarray, " groups"],
    level: float,
    settings: AuditSettings,
    rng: np.random.Generator,
) -> tuple[Comparison, Float[np.ndarray, " groups"], Bool[np.ndarray, " groups"], Bool[np.ndarray, " rows"]]:
    """Name the group with the most evidence, set its rows aside, and test the others again, until nothing is found.

    Returns the first comparison, the p-value of each group in the step in which it was named, or in the last one,
    which groups are named, and which rows are in none of these.
    """
    left = np.ones(len(std), dtype=bool)
    named = np.zeros(len(may_be_named), dtype=bool)
    groups = [(factor, code) for factor in factors for code in range(len(factor.values))]
    first, p = None, np.full(len(named), np.nan)
    while True:
        n_left = int(left[:n].sum())
        if min(n_left, int(left[n:].sum())) < 2:
            break
        found = compare(std[left], n_left, [factor.only(left) for factor in factors], settings, rng)
        first = first or found
        p = np.where(named, p, found.p)
        candidates = np.flatnonzero((p <= level) & may_be_named & ~named)
        if len(candidates) == 0:
            break
        best = candidates[np.argmax(found.evidence[candidates])]
        named[best] = True
        factor, code = groups[best]
        left[: len(factor.codes)] &= factor.codes != code
    assert first is not None
    return first, p, named, left


def ratio_interval(a: np.ndarray, b: np.ndarray, level: float) -> tuple[float, float, float]:
    """Compare the means of a and b: ratio − 1 with the ends of its interval, Welch's for the logarithm."""
    relative = float(np.mean(a) / np.mean(b)) if len(a) else np.nan
    if len(a) < 2 or len(b) < 2:
        return relative - 1, np.nan, np.nan
    parts = [float(np.var(x, ddof=1) / (len(x) * np.mean(x) ** 2)) for x in (a, b)]
    total = sum(parts)
    if total == 0:
        return relative - 1, relative - 1, relative - 1
    freedom = total**2 / sum(part**2 / (len(x) - 1) for part, x in zip(parts, (a, b), strict=True))
    half = float(t.isf(level / 2, freedom) * np.sqrt(total))
    return relative - 1, relative * np.exp(-half) - 1, relative * np.exp(half) - 1


def _describe(
    new: Scored, reference: Scored, factor: Factor, level: float, deferred: Bool[np.ndarray, " n"]
) -> list[tuple]:
    """List name, rows, shares and relative std of every group: the `_FIELDS`."""
    n, m = len(new.std), len(reference.std)
    lines = []
    for code, values in enumerate(factor.values):
        here = factor.codes[:n] == code
        inside = new.std[here]
        familiar = reference.std[factor.codes[n:] == code] if factor.known else np.zeros(0)
        texts = [text for pair in zip(factor.columns, values, strict=True) for text in pair]
        texts += [""] * (4 - len(texts))
        shares = (len(inside) / n, len(familiar) / m if factor.known else np.nan)
        of_training = float(np.mean(familiar) / np.mean(reference.std) - 1) if len(familiar) else np.nan
        ends = ratio_interval(inside, reference.std, level)
        lines.append((*texts, len(inside), *shares, *ends, of_training, int(deferred[here].sum())))
    return lines


def _rest(
    std: Float[np.ndarray, " n"], left: Bool[np.ndarray, " n"], factors: Sequence[Factor], typical: float
) -> dict[str, np.ndarray]:
    """How many audited rows of each group are in no named group, and their relative std; NaN if there are none."""
    counts: list[np.ndarray] = [np.zeros(0, dtype=np.int64)]
    sums: list[np.ndarray] = [np.zeros(0)]
    for factor in factors:
        codes, size = factor.codes[: len(std)][left], len(factor.values)
        counts.append(np.bincount(codes, minlength=size))
        sums.append(np.bincount(codes, weights=std[left], minlength=size))
    rows, total = np.concatenate(counts), np.concatenate(sums)
    relative = np.where(rows > 0, total / np.maximum(rows, 1) / typical - 1, np.nan)
    return {"rows_rest": rows, "relative_rest": relative}


def _stds_of(new: Scored, reference: Scored, factor: Factor) -> Iterator[tuple[tuple[str, str], GroupStds]]:
    n = len(new.std)
    for code, values in enumerate(factor.values):
        familiar = reference.std[factor.codes[n:] == code] if factor.known else np.zeros(0)
        kept = GroupStds(thin_out(new.std[factor.codes[:n] == code]), thin_out(familiar))
        yield (factor.columns[0], values[0]), kept


def thin_out(std: Float[np.ndarray, " n"]) -> Float[np.ndarray, " k"]:
    """Keep at most sixty of the stds: evenly spaced ones in rising order, with both ends."""
    ordered = np.sort(std)
    if len(ordered) <= _MOST_KEPT:
        return ordered
    return ordered[np.linspace(0, len(ordered) - 1, _MOST_KEPT).round().astype(int)]


def _rank_columns(values: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Show the strongest value of each column; the column that best tells unfamiliar rows from others comes first."""
    fields = ["column", "value", "relative", "p", "evidence", "named"]
    lines = []
    for name in by:
        found: Any = values[values["column"] == name]
        best = found.sort_values("evidence", ascending=False).iloc[0]
        lines.append([*best[fields[:-1]], int(found["named"].sum())])
    table = pd.DataFrame(lines, columns=fields)
    return table.sort_values("evidence", ascending=False, ignore_index=True, na_position="last")
