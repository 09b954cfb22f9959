"""How heavy the tails of the errors are, on the data and far from them, learned from rows that were left out."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from unabases.predictive.student_t import log_density_at_square
from unabases.regressors.shared.saved_state import SavedState, StateError
from unabases.regressors.shared.weights import counts_of

TAILS = ("auto", "normal")
_DFS = (3.0, 4.0, 6.0, 10.0, 20.0)
_FACTORS = np.geomspace(0.4, 2.5, 24)
_COST = 2.0  # nats that heavy tails have to gain in all: two more numbers
NORMAL = 1e6  # degrees of freedom of tails that are as good as normal


class Tails(NamedTuple):
    """Degrees of freedom of Student's t, one for each output."""

    df: Float[np.ndarray, " p"]
    """Where all is noise."""
    factor: Float[np.ndarray, " p"]
    """On the noise variance, which goes with them."""
    far: Float[np.ndarray, " p"]
    """Where all is epistemic: there it is doubtful how wide to be, so that tails may be heavier."""

    def at(self, epistemic: Float[np.ndarray, "n k"], noise: Float[np.ndarray, "n k"]) -> Float[np.ndarray, "n k"]:
        """Degrees of freedom where the epistemic and the noise variance are these: in between, by their shares."""
        return 1 / ((noise / self.df + epistemic / self.far) / (epistemic + noise))

    @property
    def alike(self) -> bool:
        """Whether tails are the same everywhere."""
        return bool(np.all(self.df == self.far))

    def of(self, output: int) -> "Tails":
        """Those of one output."""
        return Tails(*(part[output : output + 1] for part in self))

    @classmethod
    def read(cls, saved: SavedState) -> "Tails | None":
        """The tails that were saved, in early files the same everywhere; None if there are none."""
        if not saved.arrays:
            return None
        names = ("df", "factor", "far" if "far" in saved.arrays else "df")
        tails = cls(*(saved.array(name, "p", "positive") for name in names))
        if np.any(tails.df <= 2) or np.any(tails.far <= 2):
            raise StateError("the degrees of freedom of the tails have to be above 2")
        return tails


def choose_tails(
    squares: Float[np.ndarray, "n p"],
    epistemic: Float[np.ndarray, "n p"],
    noise: Float[np.ndarray, "n p"],
    weight: Float[np.ndarray, " n"] | None = None,
) -> Tails | None:
    """Choose how heavy the tails are by the likelihood of left-out errors; None if a normal distribution does as well.

    They are the same everywhere; `committee.choose_width` may make them heavier far from the data.

    Parameters
    ----------
    squares, epistemic, noise : array
        Squared errors on rows that were left out, the epistemic variance there, and the noise variance that was chosen
        for a normal distribution. Where a few outliers made it large, the factor makes it smaller again.
    weight : array, optional
        How often each row counts.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> none = np.zeros((500, 1))
    >>> choose_tails(rng.standard_normal((500, 1)) ** 2, none, none + 1.0) is None
    True
    >>> choose_tails(rng.standard_t(3, (500, 1)) ** 2, none, none + 3.0).df
    array([3.])
    """
    counts = counts_of(weight, len(squares))
    chosen = [_of_output(*columns, counts) for columns in zip(squares.T, epistemic.T, noise.T, strict=True)]
    df, factor = np.array(chosen).T
    return None if np.all(df == NORMAL) else Tails(df, factor, df)


def normal_tails(outputs: int) -> Tails:
    """Tails that are as good as normal."""
    df = np.full(outputs, NORMAL)
    return Tails(df, np.ones(outputs), df)


def log_densities(
    squares: Float[np.ndarray, "n #k"],
    epistemic: Float[np.ndarray, "n k"],
    noise: Float[np.ndarray, "n k"],
    tails: Tails | None = None,
) -> Float[np.ndarray, "n k"]:
    """Log density of each error: normal, or with the tails that were chosen for each column or for all of them.

    The noise variance is that of a normal distribution, to which the factor of the tails is applied.
    """
    if tails is None:
        return _normal(squares, epistemic + noise)
    noise = tails.factor * noise
    return _student(squares, epistemic + noise, tails.at(epistemic, noise))


def _of_output(
    squares: np.ndarray, epistemic: np.ndarray, noise: np.ndarray, counts: np.ndarray
) -> tuple[float, float]:
    best = (float((counts * _normal(squares, epistemic + noise)).sum()) + _COST, NORMAL, 1.0)
    for df in _DFS:
        for factor in _FACTORS.tolist():
            score = float((counts * _student(squares, epistemic + factor * noise, df)).sum())
            best = max(best, (score, df, factor))
    return best[1:]


def _normal(squares: np.ndarray, variance: np.ndarray) -> np.ndarray:
    return -0.5 * np.log(2 * np.pi * variance) - 0.5 * squares / variance


def _student(squares: np.ndarray, variance: np.ndarray, df: float | np.ndarray) -> np.ndarray:
    return log_density_at_square(squares / variance, df) - 0.5 * np.log(variance)
