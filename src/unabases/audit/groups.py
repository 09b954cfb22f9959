r"""Which values of which columns are under-represented in the training data, as the model sees it.

Audited rows are compared with *reference rows*: rows like the training data on which the model was not trained. What is
not to be called bias is what chance would make of two samples from one source. So the hypothesis to be rejected for a
value g is that rows with it are as frequent and as familiar among the audited rows as among the reference rows:

.. math:: H_g: (1\{g\}, u\,1\{g\}) \text{ has one distribution in both}

where u is the epistemic std. That women are rarer than men, and so a little less familiar, is no finding where the
training data is as the audited data is. The statistic is the excess of unfamiliar rows,

.. math:: T_g = \tfrac1n \sum_{audited} 1\{g\} (2 r_i - 1)_+ - \tfrac1m \sum_{reference} 1\{g\} (2 r_j - 1)_+

with r the rank of u among all rows, as a share. Which rows are reference rows is permuted, and the largest standardised
T over all groups gives one bound for all (Westfall and Young). If the audited rows are exchangeable with the reference
rows, some value is named with probability at most `level`: exactly, at any number of rows, for any distribution of u.

A large group of unfamiliar rows raises T for every column in which it has rows. So a value is named only if its rows
are also less familiar than the others of the audited table, if there are others, and a pair of values only if it is so
within each of the two (Mann-Whitney, Holm); and when a value is named, its rows are set aside before others are looked
at again. Columns that the reference rows do not have cannot be compared value by value; their values are named only if
the whole audited table is less familiar than the reference rows.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float
from scipy.stats import t

from unabases.audit.comparison import compare
from unabases.audit.grouping import Factor, cross, make_factor

__all__ = ["GroupFindings", "Scored", "find_groups", "ratio_interval"]

_FIELDS = (
    *("column", "value", "column_2", "value_2", "rows", "share", "share_training"),
    *("relative", "lower", "upper", "relative_training"),
)


class Scored(NamedTuple):
    """Rows with how unsure the model is about them."""

    std: Float[np.ndarray, " n"]
    columns: pd.DataFrame | None  # typed: float64 or text
    error: Float[np.ndarray, " n"] | None = None  # absolute, NaN where the outcome is not known


class GroupFindings(NamedTuple):
    """Tables of `AuditResult`."""

    overall: dict[str, float]
    columns: pd.DataFrame
    values: pd.DataFrame
    pairs: pd.DataFrame


def find_groups(
    new: Scored,
    reference: Scored,
    by: Sequence[str],
    *,
    level: float = 0.05,
    bins: int = 5,
    pairs: bool = True,
    least_rows: int = 10,
    n_permutations: int = 2000,
    rng: np.random.Generator,
) -> GroupFindings:
    """Compare the audited rows with the reference rows, overall and by columns.

    Parameters
    ----------
    new, reference
        Audited rows; rows like the training data on which the model was not trained.
    by
        Names of columns of `new`.
    level
        Probability of naming anything where there is nothing; intervals hold with 1 − `level`, each on its own.
    bins
        Ranges into which a column of numbers is cut.
    pairs
        Whether to look at pairs of columns too.
    least_rows
        A group with fewer rows, audited and reference together, is shown but not tested.
    n_permutations
        Of which rows are reference rows; p-values are multiples of 1 over one more than this.
    """
    n, m = len(new.std), len(reference.std)
    if n < 2 or m < 2:
        raise ValueError(f"an audit needs at least 2 rows of either kind, got {n} audited and {m} reference rows.")
    columns = pd.DataFrame(index=range(n)) if new.columns is None else new.columns
    known = reference.columns
    factors = [
        make_factor(
            name, pd.Series(columns[name]), None if known is None or name not in known else pd.Series(known[name]), bins
        )
        for name in by
    ]
    parents: list[tuple[Factor, ...]] = [(factor,) for factor in factors]
    if pairs:
        crossed = [(b, a) for i, a in enumerate(factors) for b in factors[:i]]
        factors, parents = factors + [cross(a, b) for a, b in crossed], parents + crossed
    lines = [line for factor in factors for line in _describe(new, reference, factor, level)]
    table = pd.DataFrame(lines, columns=list(_FIELDS))
    overall, p, evidence, named = _in_steps(
        np.concatenate([new.std, reference.std]),
        n,
        factors,
        parents,
        may_be_named=table["relative"].to_numpy(dtype=np.float64) > 0,
        level=level,
        least_rows=least_rows,
        n_permutations=n_permutations,
        rng=rng,
    )
    table = table.assign(p=p, evidence=evidence, named=named)
    single: Any = table[table["column_2"] == ""]
    double: Any = table[table["column_2"] != ""]
    order = ["named", "evidence"]
    relative, lower, upper = ratio_interval(new.std, reference.std, level)
    return GroupFindings(
        {"relative": relative, "lower": lower, "upper": upper, "p": overall, "rows": n, "reference_rows": m},
        _rank_columns(single, by),
        single.drop(columns=["column_2", "value_2"]).sort_values(order, ascending=False, ignore_index=True),
        double.sort_values(order, ascending=False, ignore_index=True),
    )


def _in_steps(
    std: Float[np.ndarray, " rows"],
    n: int,
    factors: Sequence[Factor],
    parents: Sequence[tuple[Factor, ...]],
    *,
    may_be_named: Bool[np.ndarray, " groups"],
    level: float,
    **options: Any,
) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    """Name the group with the most evidence, set its rows aside, and look again at the others, until nothing is found.

    p is of the step in which a group was named, or of the last; evidence and the p-value of all rows are of the first.
    """
    left = np.ones(len(std), dtype=bool)
    named = np.zeros(len(may_be_named), dtype=bool)
    groups = [(factor, code) for factor in factors for code in range(len(factor.values))]
    first, p = None, np.full(len(named), np.nan)
    while True:
        n_left = int(left[:n].sum())
        if min(n_left, int(left[n:].sum())) < 2:
            break
        part = {id(factor): factor._replace(codes=factor.codes[left[: len(factor.codes)]]) for factor in factors}
        found = compare(
            std[left],
            n_left,
            [part[id(factor)] for factor in factors],
            [tuple(part[id(one)] for one in both) for both in parents],
            **options,
        )
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
    return first.overall, p, first.evidence, named


def ratio_interval(a: np.ndarray, b: np.ndarray, level: float) -> tuple[float, float, float]:
    """Mean of a relative to that of b, less 1, and its interval: Welch's, for the logarithm of the ratio."""
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


def _describe(new: Scored, reference: Scored, factor: Factor, level: float) -> list[tuple]:
    """Names, rows, shares and relative std of every group: the `_FIELDS`."""
    n, m = len(new.std), len(reference.std)
    lines = []
    for code, values in enumerate(factor.values):
        inside = new.std[factor.codes[:n] == code]
        familiar = reference.std[factor.codes[n:] == code] if factor.known else np.zeros(0)
        texts = [text for pair in zip(factor.columns, values, strict=True) for text in pair]
        texts += [""] * (4 - len(texts))
        shares = (len(inside) / n, len(familiar) / m if factor.known else np.nan)
        of_training = float(np.mean(familiar) / np.mean(reference.std) - 1) if len(familiar) else np.nan
        lines.append((*texts, len(inside), *shares, *ratio_interval(inside, reference.std, level), of_training))
    return lines


def _rank_columns(values: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """A line for each column: its strongest value. The first is the one that best tells unfamiliar rows from others."""
    lines = []
    for name in by:
        found: Any = values[values["column"] == name]
        part = found.sort_values("evidence", ascending=False)
        best = part.iloc[0]
        lines.append(
            {
                "column": name,
                "value": best["value"],
                "relative": best["relative"],
                "p": best["p"],
                "evidence": best["evidence"],
                "named": int(part["named"].sum()),
            }
        )
    table = pd.DataFrame(lines, columns=["column", "value", "relative", "p", "evidence", "named"])
    return table.sort_values("evidence", ascending=False, ignore_index=True, na_position="last")
