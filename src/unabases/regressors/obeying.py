"""Functions of a member that obey inequalities: draws of its posterior, moved to the nearest function that obeys."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from scipy.linalg import solve_triangular

from unabases import linear
from unabases.regressors.known_values import Sums
from unabases.regressors.projection import Nearest, nearest_points

DRAWS = 50  # functions of each member
_PLACES, _LOOKED = 4000, 2000  # at which to ask first, and others at which to look for functions that do not obey
_REACHES = (0.05, 0.02)  # shares of a column's range: how far around the worst of these to look for worse ones
_AROUND, _ADDED = 4, 20  # places of each function to look around, and to ask at as well
_ROUNDS = 40  # of asking at more places, at most
_LEFT = DRAWS // 10  # functions that may still not obey in the end
_ENOUGH = 20  # functions at least that stand for those that do not obey everywhere
_ROUNDING = 1e-12  # of weights that add up to 0
_TOLERANCE = 1e-3  # by which a sum may fall short, in units of y's spread

Features = Callable[[np.ndarray], np.ndarray]


class Limits(NamedTuple):
    """Sums of a function's values that cannot be less than a number, in standardised units."""

    sums: Sums
    least: float
    places: Float[np.ndarray, "m d"] | None = None
    """Where each sum is, in the user's units, if there can be worse places around it."""

    @property
    def has_opposite(self) -> bool:
        """Whether a function obeys the opposite if it is turned upside down, as one that rises does."""
        return self.least == 0 and abs(float(self.sums.weights.sum())) < _ROUNDING

    @property
    def opposite(self) -> "Limits":
        """Sums that cannot be more than the number."""
        return self._replace(sums=self.sums._replace(weights=-self.sums.weights), least=-self.least)


class Near(NamedTuple):
    """Places around which to ask, and how far, as a share of each column's range."""

    places: Float[np.ndarray, "n d"]
    reach: float


Ask = Callable[[int, np.random.Generator, Near | None], list[Limits]]


class Walls(NamedTuple):
    """Inequalities A w ≥ b for the weights of a member."""

    A: Float[np.ndarray, "m k"]
    b: Float[np.ndarray, " m"]

    @classmethod
    def of(cls, limits: Sequence[Limits], features: Features) -> "Walls":
        """What limits mean for the features of a member."""
        designs = [limit.sums.design(features) for limit in limits]
        return cls(
            np.concatenate(designs),
            np.concatenate([np.full(len(A), one.least) for A, one in zip(designs, limits, strict=True)]),
        )

    def shortfall(self, W: Float[np.ndarray, "n k"]) -> Float[np.ndarray, "n m"]:
        """By how much each function fails to obey, in units of y's spread; negative where it obeys."""
        return self.b - W @ self.A.T

    def whitened(self, posterior: linear.Posterior) -> tuple[np.ndarray, np.ndarray]:
        """F, g with F x + g ≥ 0 the same inequalities for x = Lᵀ(w − m), in rows of length 1."""
        F = solve_triangular(posterior.L, self.A.T, lower=True, check_finite=False).T
        length = np.linalg.norm(F, axis=1)
        told = length > 1e-12 * max(float(length.max(initial=0.0)), 1e-12)
        length = np.where(told, length, np.inf)  # the others speak of nothing, and are never broken
        return F / length[:, None], (self.A @ posterior.m - self.b) / length

    def part(self, chosen: Int[np.ndarray, " few"]) -> "Walls":
        """Some of them."""
        return Walls(self.A[chosen], self.b[chosen])


def draw_obeying(
    features: Features,
    posterior: linear.Posterior,
    ask: Ask,
    rng: np.random.Generator,
) -> Float[np.ndarray, "draws k"]:
    """Weights of functions that obey: drawn from the posterior, and moved as little as it takes.

    A function that obeys stays as it is. Another is replaced by the nearest one that obeys, with distances measured in
    posterior standard deviations. So no function moves away from a truth that obeys. Leaving all others out instead,
    by a sampler for truncated Gaussians, pushes functions away from what is just allowed, such as flat parts; it did
    worse in most trials (docs/knowledge.md).

    Inequalities hold at infinitely many places. They are asked at some thousand, then at those where each function
    breaks them most, found among as many others and around the worst of these, and so on until functions obey there as
    well. In the end, the few that do not are replaced by others that do.

    Parameters
    ----------
    features : callable
        The features of standardised rows.
    posterior : Posterior
        What the weights are without the inequalities.
    ask : callable
        `ask(n, rng, near)` gives the inequalities at about n random places, which may have to be near some others.
    rng : Generator
        Where random numbers come from.

    References
    ----------
    Lin, Dunson (2014). Bayesian monotone regression using Gaussian process projection. Biometrika 101.
    """
    F, g = Walls.of(ask(_PLACES, rng, None), features).whitened(posterior)
    z = rng.standard_normal((DRAWS, len(posterior.m)))
    W, moving, short = np.empty_like(z), np.arange(DRAWS), np.empty((DRAWS, 0))
    held = [np.empty(0, dtype=np.intp)] * DRAWS
    for _ in range(_ROUNDS):
        nearest = nearest_points(F, g, z[moving], [held[i] for i in moving])
        if nearest is None:
            raise ValueError("no function obeys all `terms`: they contradict each other; leave one out.")
        W[moving] = posterior.m + solve_triangular(posterior.L.T, nearest.X.T, lower=False, check_finite=False).T
        for i, own in zip(moving.tolist(), nearest.held, strict=True):
            held[i] = own
        others, short = _look(features, ask, W, rng)
        moving = np.flatnonzero(short.max(axis=1) > _TOLERANCE)
        if len(moving) <= _LEFT:
            break
        further = others.part(_worst(short[moving], _ADDED)).whitened(posterior)
        F, g = np.vstack([F, further[0]]), np.r_[g, further[1]]
    order = np.argsort(short.max(axis=1))
    good = max(DRAWS - len(moving), _ENOUGH)
    W[order[good:]] = W[rng.choice(order[:good], DRAWS - good)]
    return W


def _look(
    features: Features, ask: Ask, W: Float[np.ndarray, "n k"], rng: np.random.Generator
) -> tuple[Walls, Float[np.ndarray, "n m"]]:
    """Look for places at which functions fall short: the inequalities there, and by how much each of them does."""
    limits = ask(_LOOKED, rng, None)
    walls = Walls.of(limits, features)
    short = walls.shortfall(W)
    for reach in _REACHES:
        if any(limit.places is None for limit in limits):
            break
        places = np.concatenate([limit.places for limit in limits if limit.places is not None])
        closer = ask(_LOOKED, rng, Near(places[_worst(short, _AROUND)], reach))
        further = Walls.of(closer, features)
        limits, short = [*limits, *closer], np.hstack([short, further.shortfall(W)])
        walls = Walls(np.vstack([walls.A, further.A]), np.r_[walls.b, further.b])
    return walls, short


def _worst(short: Float[np.ndarray, "n m"], few: int) -> Int[np.ndarray, " some"]:
    """The places at which each function falls short most, a few for each."""
    few = min(few, short.shape[1])
    return np.unique(np.argpartition(-short, few - 1, axis=1)[:, :few])


def nearest_obeying(features: Features, posterior: linear.Posterior, limits: Sequence[Limits]) -> Nearest | None:
    """How far the nearest function that obeys is from the posterior's mean, as a point in units of its stds."""
    return nearest_points(*Walls.of(limits, features).whitened(posterior), np.zeros((1, len(posterior.m))))


def widened_posterior(posterior: linear.Posterior, factor: float) -> linear.Posterior:
    """The posterior with a prior variance that is larger by a factor, and the same mean.

    What the data settle stays as sure as it is; what they leave open becomes as much wider as the prior.
    """
    A = posterior.L @ posterior.L.T
    A[np.diag_indices_from(A)] += (1 / factor - 1) / posterior.alpha
    try:
        return posterior._replace(L=np.linalg.cholesky(A))
    except np.linalg.LinAlgError:
        return posterior


class FunctionMoments(NamedTuple):
    """Mean and standard deviation of some functions at each row, and a root of their covariance."""

    mean: Float[np.ndarray, "n p"]
    std: Float[np.ndarray, "n p"]
    root: Float[np.ndarray, "p n draws"]


def moments_of_draws(
    designs: Sequence[Float[np.ndarray, "n k"]], draws: Sequence[Float[np.ndarray, "p draws k"]]
) -> FunctionMoments:
    """Moments of all functions of all members together."""
    values = np.concatenate([W @ Phi.T for Phi, W in zip(designs, draws, strict=True)], axis=1)  # p draws n
    mean = values.mean(axis=1)
    root = np.moveaxis(values - mean[:, None], 1, 2) / np.sqrt(values.shape[1])
    return FunctionMoments(mean.T, values.std(axis=1).T, root)
