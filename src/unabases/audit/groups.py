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
within each of the two (Mann-Whitney, Holm). Columns that the reference rows do not have cannot be compared value by
value; their values are named only if the whole audited table is less familiar than the reference rows.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float
from scipy.stats import norm, rankdata, t

from unabases.audit.grouping import Factor, cross, make_factor

__all__ = ["GroupFindings", "Scored", "find_groups", "ratio_interval"]

_BLOCK = 2**21  # codes permuted at a time


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
    both = [(a, b) for i, a in enumerate(factors) for b in factors[:i]] if pairs else []
    parents: dict[int, tuple[Factor, ...]] = {id(factor): (factor,) for factor in factors}
    for a, b in both:
        crossed = cross(b, a)
        factors.append(crossed)
        parents[id(crossed)] = (b, a)
    std = np.concatenate([new.std, reference.std])
    counts = [np.bincount(f.codes[: n + m], minlength=len(f.values)) for f in factors]
    tested = [c >= least_rows for c in counts]
    excess, bound = _excess(std, n, factors, tested, n_permutations, rng)
    within = [_contrasts(new.std, factor, parents[id(factor)], n, m) for factor in factors]
    p_within = _holm(norm.sf(np.concatenate([np.zeros(0), *(w[ok] for w, ok in zip(within, tested, strict=True))])))
    p_overall = _p_value(excess[0][0], bound)
    rows, place = [], 0
    for factor, ok, z, inside in zip(factors, tested, excess[1:], within, strict=True):
        p_inside = np.full(len(ok), np.nan)
        p_inside[ok] = p_within[place : place + int(ok.sum())]
        place += int(ok.sum())
        table = _describe(new, reference, factor, level)
        p_excess = np.array([_p_value(value, bound) for value in z]) if factor.known else np.full(len(ok), p_overall)
        table["p"] = np.where(ok, np.maximum(p_excess, p_inside), np.nan)
        table["evidence"] = np.where(ok, np.minimum(z if factor.known else excess[0][0], inside), np.nan)
        rows.append(table)
    table = pd.concat(rows, ignore_index=True) if rows else _describe(new, reference, None, level)
    table["named"] = (table["p"] <= level) & (table["relative"] > 0)
    single: Any = table[table["column_2"] == ""]
    double: Any = table[table["column_2"] != ""]
    order = ["named", "evidence"]
    relative, lower, upper = ratio_interval(new.std, reference.std, level)
    return GroupFindings(
        {"relative": relative, "lower": lower, "upper": upper, "p": p_overall, "rows": n, "reference_rows": m},
        _rank_columns(single, by),
        single.drop(columns=["column_2", "value_2"]).sort_values(order, ascending=False, ignore_index=True),
        double.sort_values(order, ascending=False, ignore_index=True),
    )


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


# --------------------------------------------------------------------------------------- against the reference


def _excess(
    std: Float[np.ndarray, " rows"],
    n: int,
    factors: Sequence[Factor],
    tested: Sequence[Bool[np.ndarray, " g"]],
    n_permutations: int,
    rng: np.random.Generator,
) -> tuple[list[np.ndarray], np.ndarray]:
    """Standardised T of all rows and of every group, and the largest of them in each permutation.

    Sums over the smaller of the two samples are enough: those over all rows do not change.
    """
    N = len(std)
    m = N - n
    weight = np.clip(2 * rankdata(std) / (N + 1) - 1, 0.0, None)
    known = [factor for factor in factors if factor.known]
    offsets = np.cumsum([1, *(len(factor.values) for factor in known)])
    codes = np.stack(
        [np.zeros(N, dtype=np.int64), *(f.codes + o for f, o in zip(known, offsets, strict=False))], axis=1
    )
    groups = int(offsets[-1])
    use = np.concatenate([[True], *(ok for ok, f in zip(tested, factors, strict=True) if f.known)])
    total = np.bincount(codes.ravel(), np.repeat(weight, codes.shape[1]), groups)
    squares = np.bincount(codes.ravel(), np.repeat(weight**2, codes.shape[1]), groups)
    deviation = np.sqrt(np.clip(squares / N - (total / N) ** 2, 0.0, None) * N / (N - 1) * (1 / n + 1 / m))
    scale = np.where(deviation > 0, deviation, np.inf)

    def standardised(sums: Float[np.ndarray, "*b g"], size: int) -> Float[np.ndarray, "*b g"]:
        of_new, of_reference = (total - sums, sums) if size == m else (sums, total - sums)
        return (of_new / n - of_reference / m) / scale

    observed = standardised(np.bincount(codes[n:].ravel(), np.repeat(weight[n:], codes.shape[1]), groups), m)
    size = min(n, m)
    largest = np.empty(n_permutations)
    at_once = max(1, _BLOCK // (size * codes.shape[1]))
    for first in range(0, n_permutations, at_once):
        count = min(at_once, n_permutations - first)
        chosen = np.stack([rng.choice(N, size, replace=False, shuffle=False) for _ in range(count)])
        labels = codes[chosen] + groups * np.arange(count)[:, None, None]
        weights = np.broadcast_to(weight[chosen][..., None], labels.shape)
        sums = np.bincount(labels.ravel(), weights.ravel(), groups * count).reshape(count, groups)
        largest[first : first + count] = standardised(sums, size)[:, use].max(axis=1)
    parts = np.split(observed, offsets[:-1]) if known else [observed]
    places = iter(parts[1:])
    return [parts[0], *(next(places) if f.known else np.zeros(len(f.values)) for f in factors)], largest


def _p_value(statistic: float, largest: Float[np.ndarray, " b"]) -> float:
    """Share of permutations, the given one among them, whose largest statistic is no smaller."""
    return float((1 + np.sum(largest >= statistic - 1e-9)) / (1 + len(largest)))


# ------------------------------------------------------------------------------------ within the audited table


def _contrasts(std: np.ndarray, factor: Factor, parents: tuple[Factor, ...], n: int, m: int) -> Float[np.ndarray, " g"]:
    """How far rows of each group are above others in epistemic std, as a normal deviate; the least of the contrasts.

    Others are all other rows for a value of one column, and those that share one of both values for a pair. A value
    that all audited rows have, but not all reference rows, has no others: the comparison with the reference decides.
    """
    codes = factor.codes[:n]
    if len(parents) == 1:
        found = _above_others(std, codes, len(factor.values), np.zeros(n, dtype=np.int64))
        if factor.known:
            rows, familiar = (np.bincount(part, minlength=len(found)) for part in (codes, factor.codes[n:]))
            found[(rows == n) & (familiar < m)] = np.inf
        return found
    found = [_above_others(std, codes, len(factor.values), parent.codes[:n]) for parent in parents]
    return np.minimum(*found)


def _above_others(std: np.ndarray, codes: np.ndarray, groups: int, among: np.ndarray) -> Float[np.ndarray, " g"]:
    """Mann-Whitney deviate of each group against the other rows of its part of the table, ties corrected for."""
    deviates = np.full(groups, -np.inf)
    for part in np.unique(among):
        rows = np.flatnonzero(among == part)
        ranks = rankdata(std[rows])
        size = len(rows)
        _, ties = np.unique(ranks, return_counts=True)
        spread = (size + 1) - float(np.sum(ties.astype(np.float64) ** 3 - ties)) / max(size * (size - 1), 1)
        inside = np.bincount(codes[rows], minlength=groups)
        sums = np.bincount(codes[rows], ranks, groups)
        with np.errstate(invalid="ignore", divide="ignore"):
            z = (sums - inside * (size + 1) / 2 - 0.5) / np.sqrt(inside * (size - inside) * spread / 12)
        compared = (inside > 0) & (inside < size) & (spread > 0)
        deviates = np.where(compared, z, deviates)
    return deviates


def _holm(p: Float[np.ndarray, " k"]) -> Float[np.ndarray, " k"]:
    """p-values for all k statements at once."""
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


# -------------------------------------------------------------------------------------------------- description


def _describe(new: Scored, reference: Scored, factor: Factor | None, level: float) -> pd.DataFrame:
    """Rows, shares and relative std of every group that has audited rows or reference rows."""
    n, m = len(new.std), len(reference.std)
    names = ("column", "value", "column_2", "value_2", "rows", "share", "share_training")
    names = (*names, "relative", "lower", "upper", "relative_training", "p", "evidence")
    lines = []
    for code, values in enumerate(factor.values if factor else ()):
        assert factor is not None
        inside = new.std[factor.codes[:n] == code]
        familiar = reference.std[factor.codes[n:] == code] if factor.known else np.zeros(0)
        relative, lower, upper = ratio_interval(inside, reference.std, level)
        texts = [text for pair in zip(factor.columns, values, strict=True) for text in pair]
        shares = (len(inside) / n, len(familiar) / m if factor.known else np.nan)
        of_training = float(np.mean(familiar) / np.mean(reference.std) - 1) if len(familiar) else np.nan
        lines.append(
            (*texts, *[""] * (4 - len(texts)), len(inside), *shares, relative, lower, upper, of_training, 1, 0)
        )
    return pd.DataFrame(lines, columns=list(names)).astype({"p": float, "evidence": float})


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
