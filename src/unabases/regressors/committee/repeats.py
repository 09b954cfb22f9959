"""What rows have of their own beyond the function, remembered for rows with the same inputs."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from unabases.predictive.checks import EXTREMES
from unabases.regressors.shared.same_inputs import keys_of
from unabases.regressors.shared.saved_state import SavedState, StateError

__all__ = ["MOST_ROWS", "Recalled", "Repeats", "group_rows", "kept_of"]

MOST_ROWS = 2**17  # that are remembered


class Recalled(NamedTuple):
    """What is said of rows once those that were seen before are remembered."""

    mean: Float[np.ndarray, "n p"]
    variance: Float[np.ndarray, "n p"]
    """Epistemic variance."""
    noise: Float[np.ndarray, "n p"]
    """Noise variance."""
    df: Float[np.ndarray, "n p"]
    """Degrees of freedom of the tails; NaN where nothing was remembered."""
    kept: Float[np.ndarray, "n p"]
    """What the function counts: 1 where nothing was remembered."""
    own: Float[np.ndarray, "n p"]
    """Variance that is left of what the inputs have of their own."""
    group: Int[np.ndarray, " n"]
    """Rows with the same inputs have the same number."""

    def root(self, root: Float[np.ndarray, "p n k"]) -> Float[np.ndarray, "p n q"]:
        """A root of the covariance between rows, from that of the function."""
        parts = np.sqrt(self.own).T[:, :, None] * (self.group[:, None] == np.unique(self.group[self.group >= 0]))
        return np.concatenate([root * self.kept.T[:, :, None], parts], axis=2)

    def functions(self, samples: Float[np.ndarray, "s n p"], rng: np.random.Generator) -> Float[np.ndarray, "s n p"]:
        """Draws of the function with what inputs have of their own; this has to be recalled of a mean of 0."""
        groups, number = np.unique(self.group, return_inverse=True)
        drawn = rng.standard_normal((len(samples), len(groups), samples.shape[2]))[:, number]
        return self.mean + self.kept * samples + np.sqrt(self.own) * drawn


class Repeats(NamedTuple):
    """The mean of all targets with the same inputs, and how much of the noise it leaves.

    A target is the function, a part that all rows with the same inputs share, and noise between these. The function has
    learned from all rows already; the part that is shared is learned from how far the mean of the targets there is from
    it, in closed form. For inputs that were never seen the shared part is noise, so nothing changes.
    """

    keys: Int[np.ndarray, " m"]
    """Of the inputs, in order; not the inputs themselves."""
    count: Float[np.ndarray, " m"]
    """How many rows there were, each as often as it counts."""
    mean: Float[np.ndarray, "m p"]
    """Of their targets."""
    share: Float[np.ndarray, " p"]
    """Of the noise variance that differs between rows with the same inputs; 1 if all of it does."""
    df: Float[np.ndarray, " p"]
    """Degrees of freedom of the tails where a row is remembered."""

    def recall(
        self,
        Z: Float[np.ndarray, "n d"],
        mean: Float[np.ndarray, "n p"],
        variance: Float[np.ndarray, "n p"],
        noise: Float[np.ndarray, "n p"],
    ) -> Recalled:
        """What is said of rows, given the mean and the epistemic variance of the function and the noise variance.

        Examples
        --------
        >>> Z, t = np.array([[1.0], [2.0]]), np.array([[5.0], [7.0]])
        >>> repeats = group_rows(Z, t)._replace(share=np.array([1e-9]), df=np.array([3.0]))
        >>> repeats.recall(np.array([[2.0], [3.0]]), np.zeros((2, 1)), np.ones((2, 1)), np.ones((2, 1))).mean.round(6)
        array([[7.],
               [0.]])
        """
        keys = keys_of(Z)
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        seen = self.keys[place] == keys
        count = np.where(seen, self.count[place], 0.0)[:, None]
        remembers = seen[:, None] & (self.share < 1)
        between = np.where(remembers, self.share * noise, noise)
        kept = np.where(remembers, kept_of(count, noise - between, between), 1.0)
        own = np.where(remembers, kept * (noise - between), 0.0)
        return Recalled(
            mean=np.where(remembers, self.mean[place] + kept * (mean - self.mean[place]), mean),
            variance=kept**2 * variance + own,
            noise=between,
            df=np.where(remembers, self.df, np.nan),
            kept=kept,
            own=own,
            group=np.where(seen, place, -1),
        )

    def add(
        self, Z: Float[np.ndarray, "n d"], t: Float[np.ndarray, "n p"], weight: Float[np.ndarray, " n"] | None = None
    ) -> "Repeats":
        """Remember further rows; new inputs only as long as there is room."""
        further = group_rows(Z, t, weight)
        known = _among(further.keys, self.keys)
        room = np.cumsum(~known) <= MOST_ROWS - len(self.keys)
        return self._merged(further._kept(known | room), 1.0)

    def subtract(
        self, Z: Float[np.ndarray, "n d"], t: Float[np.ndarray, "n p"], weight: Float[np.ndarray, " n"] | None = None
    ) -> "Repeats":
        """Forget rows; those that are not known change nothing."""
        gone = group_rows(Z, t, weight)
        return self._merged(gone._kept(_among(gone.keys, self.keys)), -1.0)

    def of(
        self, Z: Float[np.ndarray, "n d"], t: Float[np.ndarray, "n p"], weight: Float[np.ndarray, " n"] | None = None
    ) -> "Repeats":
        """The same of other rows, of the first of them if there are too many."""
        first = slice(MOST_ROWS)
        rows = group_rows(Z[first], t[first], None if weight is None else weight[first])
        return rows._replace(share=self.share, df=self.df)

    @classmethod
    def read(cls, saved: SavedState) -> "Repeats | None":
        """What was saved; None if nothing was."""
        if not saved.arrays:
            return None
        repeats = cls(
            saved.array("keys", "m", dtype=np.int64),
            saved.array("count", "m", "positive"),
            saved.array("mean", "m p"),
            saved.array("share", "p", "positive"),
            saved.array("df", "p", "positive"),
        )
        if np.any(repeats.keys[1:] <= repeats.keys[:-1]) or np.any(repeats.share > 1) or np.any(repeats.df <= 2):
            raise StateError("what rows have of their own needs keys that rise, shares up to 1 and tails above 2")
        if np.max(np.abs(repeats.mean)) > EXTREMES[1] or np.max(repeats.count) > EXTREMES[1]:
            raise StateError(f"what rows have of their own is beyond {EXTREMES[1]:g}")
        return repeats

    def _merged(self, other: "Repeats", sign: float) -> "Repeats":
        keys = np.union1d(self.keys, other.keys)
        count, total = np.zeros(len(keys)), np.zeros((len(keys), self.mean.shape[1]))
        for part, times in ((self, 1.0), (other, sign)):
            place = np.searchsorted(keys, part.keys)
            count[place] += times * part.count
            total[place] += times * part.count[:, None] * part.mean
        there = count > 1e-9
        mean = total[there] / count[there, None]
        return self._replace(keys=keys[there], count=count[there], mean=mean)

    def _kept(self, rows: Bool[np.ndarray, " m"]) -> "Repeats":
        return self._replace(keys=self.keys[rows], count=self.count[rows], mean=self.mean[rows])


def kept_of(count: np.ndarray, shared: np.ndarray, between: np.ndarray) -> np.ndarray:
    """What a mean of normal targets leaves of a prediction: variance shared by all targets, and between them."""
    return between / (count * shared + between)


def group_rows(
    Z: Float[np.ndarray, "n d"], t: Float[np.ndarray, "n p"], weight: Float[np.ndarray, " n"] | None = None
) -> Repeats:
    """The means of rows with the same inputs, of which nothing is said yet."""
    keys, place = np.unique(keys_of(Z), return_inverse=True)
    counts = np.ones(len(Z)) if weight is None else weight
    count, total = np.zeros(len(keys)), np.zeros((len(keys), t.shape[1]))
    np.add.at(count, place, counts)
    np.add.at(total, place, counts[:, None] * t)
    outputs = np.ones(t.shape[1])
    return Repeats(keys, count, total / count[:, None], outputs, 3 * outputs)


def _among(keys: Int[np.ndarray, " m"], known: Int[np.ndarray, " k"]) -> Bool[np.ndarray, " m"]:
    return np.isin(keys, known, assume_unique=True)
