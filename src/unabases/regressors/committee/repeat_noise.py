"""Whether rows with the same inputs agree better than the function explains, judged by rows that were left out."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from unabases.regressors.committee.heavy_tails import NORMAL, Tails, log_densities, normal_tails
from unabases.regressors.committee.repeats import MOST_ROWS, Repeats, group_rows, kept_of
from unabases.regressors.committee.variances import NEARLY_NO_NOISE, Moments, Variances, predict_left_out
from unabases.regressors.shared.same_inputs import keys_of
from unabases.regressors.shared.weights import WeightedRows, counts_of

REPEATS = ("auto", "ignore")
_LEAST = 10  # rows that were left out, whose inputs others have too
_COST = 10.0  # nats that remembering has to gain in all
_DFS = (3.0, 4.0, 6.0, 10.0, 20.0, NORMAL)
_SHARES = 33  # from next to nothing to 1
_LARGE_SHARES = np.linspace(0.65, 0.95, 7)  # between the last two of these, where too small a share is too narrow


class RepeatNoise(NamedTuple):
    """How much of the noise differs between rows with the same inputs, and with which tails."""

    share: Float[np.ndarray, " p"]
    df: Float[np.ndarray, " p"]

    def remember(self, rows: WeightedRows) -> Repeats:
        """What these rows have of their own."""
        return group_rows(*rows)._replace(share=self.share, df=self.df)


class _Pairs(NamedTuple):
    """Rows that a member left out and whose inputs others have too: what it says of them, and what the others were."""

    t: np.ndarray
    mean: np.ndarray
    variance: np.ndarray
    noise: np.ndarray
    others: np.ndarray
    count: np.ndarray
    weight: np.ndarray
    new: np.ndarray
    """Whether the member saw none of the others, so that these tell something about the function too."""


def find_repeat_noise(
    members: Sequence[Moments],
    splits: Sequence[Any],
    rows: WeightedRows,
    chosen: Variances,
    tails: Tails | None = None,
    heavier: bool = True,
) -> RepeatNoise | None:
    """The share of the noise that rows with the same inputs do not share; None if remembering them gains too little.

    Beside the rows that were left out, one more counts that differs from the others with its inputs as much as it would
    if its inputs were new. So a few rows that agree prove little, and however many agree, tails allow for one that
    does not.

    Parameters
    ----------
    members, splits
        What members know from the rows that they saw, and which rows these and the left-out ones are. Others with the
        same inputs may be among either.
    rows
        All rows.
    chosen, tails
        Variances and tails of predictions that remember nothing.
    heavier
        Whether tails may be heavier than normal ones.
    """
    Z, t, _ = rows
    if len(Z) > MOST_ROWS or len(np.unique(keys_of(Z))) == len(Z):
        return None
    whole, parts = group_rows(*rows), zip(members, splits, strict=True)
    found = [_pairs_of(member, split, rows, whole, chosen) for member, split in parts]
    pairs = _Pairs(*(np.concatenate(part) for part in zip(*found, strict=True)))
    if len(pairs.t) < _LEAST:
        return None
    usual = normal_tails(t.shape[1]) if tails is None else tails
    best = [_of_output(pairs, usual.of(j), j, _DFS if heavier else (NORMAL,)) for j in range(t.shape[1])]
    share, df = np.array(best).T
    return RepeatNoise(share, df) if np.any(share < 1) else None


def _pairs_of(member: Moments, split: Any, rows: WeightedRows, whole: Repeats, chosen: Variances) -> _Pairs:
    keys, own = keys_of(rows.X[split.out]), counts_of(member.weight, len(split.out))
    place = np.searchsorted(whole.keys, keys)
    count = whole.count[place] - own
    both = count > 1e-9 * own
    total = whole.count[place, None] * whole.mean[place] - own[:, None] * member.t
    others = total / np.where(both, count, 1.0)[:, None]
    mean, variance = predict_left_out(member, chosen)
    noise = np.outer(member.louder, chosen.sigma2)
    new = ~np.isin(keys, keys_of(rows.X[split.seen]))
    weight = own * count / (count + own)  # k rows, each predicted from the others, have k - 1 differences
    return _Pairs(*(part[both] for part in (member.t, mean, variance, noise, others, count, weight, new)))


def _of_output(pairs: _Pairs, tails: Tails, j: int, dfs: Sequence[float]) -> tuple[float, float]:
    """Share and tails of one output; a share of 1 if remembering gains too little."""
    t, mean, variance, noise, others = (part[:, [j]] for part in pairs[:5])
    weight, count, new = pairs.weight, pairs.count[:, None], pairs.new[:, None]
    unknown = np.where(new, variance, 0.0)  # of the function, that others tell something about
    once = variance + noise  # the square of an error that new inputs may have

    def score(centre: np.ndarray, epistemic: np.ndarray, rest: np.ndarray, own: Tails) -> float:
        found = log_densities((t - centre) ** 2, epistemic, rest, own)
        further = log_densities(once, epistemic, rest, own)
        return float(weight @ found[:, 0] + further.mean())

    best = (score(mean, variance, noise, tails) + _COST, 1.0, NORMAL)
    least = min(1.0, NEARLY_NO_NOISE / float(np.max(noise)))
    for share in [*np.geomspace(least, 1.0, _SHARES)[:-1].tolist(), *_LARGE_SHARES.tolist()]:
        shared, between = unknown + (1 - share) * noise, share * noise
        kept = kept_of(count, shared, between)
        centre, epistemic = others + kept * (mean - others), kept * shared + kept**2 * (variance - unknown)
        for df in dfs:
            own = Tails(*(np.array([value]) for value in (df, 1.0, df)))
            best = max(best, (score(centre, epistemic, between, own), share, df))
    return best[1:]
