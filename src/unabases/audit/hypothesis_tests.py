"""Test all groups at once: against the reference rows, and within the audited table. See `unabases.audit.groups`."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from scipy.stats import norm, rankdata

from unabases.audit.factors import Factor
from unabases.audit.settings import AuditSettings

__all__ = ["Comparison", "compare"]

_BLOCK = 2**21  # codes per batch of permutations


class Comparison(NamedTuple):
    """Results of the tests, for all rows together and for every group of every factor, in order."""

    overall: float
    """p-value of all rows together."""
    p: Float[np.ndarray, " groups"]
    """p-value of each group; NaN if it was not tested."""
    evidence: Float[np.ndarray, " groups"]
    """The smaller of the two normal deviates of each group."""


def compare(
    std: Float[np.ndarray, " rows"],
    n: int,
    factors: Sequence[Factor],
    settings: AuditSettings,
    rng: np.random.Generator,
) -> Comparison:
    """Test whether the first n rows, those audited, are less familiar than the others, the reference rows."""
    ok = [np.bincount(factor.codes, minlength=len(factor.values)) >= settings.least_rows for factor in factors]
    excess, largest = _excess(std, n, factors, ok, settings.n_permutations, rng)
    overall = float(excess[0][0])
    contrasts = [_contrasts(std[:n], factor, len(std) - n) for factor in factors]
    excesses = [z if f.known else np.full(len(z), overall) for f, z in zip(factors, excess[1:], strict=True)]
    tested, inside, outside = _joined(ok, bool), _joined(contrasts, float), _joined(excesses, float)
    p_inside = np.full(len(tested), np.nan)
    p_inside[tested] = _holm(norm.sf(inside[tested]))
    p_outside = np.array([_p_value(z, largest) for z in outside])
    return Comparison(
        _p_value(overall, largest),
        np.where(tested, np.maximum(p_outside, p_inside), np.nan),
        np.where(tested, np.minimum(outside, inside), np.nan),
    )


def _excess(
    std: Float[np.ndarray, " rows"],
    n: int,
    factors: Sequence[Factor],
    tested: Sequence[np.ndarray],
    n_permutations: int,
    rng: np.random.Generator,
) -> tuple[list[np.ndarray], np.ndarray]:
    """Compute the standardised T of all rows and of every group, and the largest T of each permutation.

    It is enough to sum over the smaller of the two samples, since sums over all rows do not change.
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


def _joined(parts: Sequence[np.ndarray], dtype: type) -> np.ndarray:
    return np.concatenate([np.zeros(0, dtype=dtype), *parts])


def _p_value(statistic: float, largest: Float[np.ndarray, " b"]) -> float:
    """Compute the share of permutations, the given order included, whose largest statistic is no smaller."""
    return float((1 + np.sum(largest >= statistic - 1e-9)) / (1 + len(largest)))


def _contrasts(std: np.ndarray, factor: Factor, m: int) -> Float[np.ndarray, " g"]:
    """Compute how far rows of each group are above others in epistemic std, as a normal deviate.

    For a value of one column, the others are all other rows; for a pair, those that share one of its two values, and
    the smaller of the two deviates counts. A value that all audited rows have, but not all reference rows, has no
    others: the comparison with the reference rows decides.
    """
    n = len(std)
    codes = factor.codes[:n]
    if factor.parents:
        found = [_above_others(std, codes, len(factor.values), parent.codes[:n]) for parent in factor.parents]
        return np.minimum(*found)
    found = _above_others(std, codes, len(factor.values), np.zeros(n, dtype=np.int64))
    if factor.known:
        rows, familiar = (np.bincount(part, minlength=len(found)) for part in (codes, factor.codes[n:]))
        found[(rows == n) & (familiar < m)] = np.inf
    return found


def _above_others(std: np.ndarray, codes: np.ndarray, groups: int, among: np.ndarray) -> Float[np.ndarray, " g"]:
    """Compare each group with the other rows of its part of the table: Mann and Whitney's deviate, with ties."""
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
    """Correct p-values for k statements made at once."""
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted
