"""Functions of a member that obey inequalities: draws of its posterior, moved to the nearest function that obeys."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from scipy.linalg import solve_triangular

from unabases import linear
from unabases.regressors.known_values import Sums
from unabases.regressors.projection import Nearest, nearest_points

DRAWS = 50  # functions of each member
_FIRST = 4000  # places at which to ask first, and others at which to look for functions that do not obey
_ADDED, _ROUNDS = 1000, 4  # as many of the worst of these are asked as well, this often
_ENOUGH = 20  # functions at least that stand for those that do not obey everywhere
_TOLERANCE = 1e-4  # by which a sum may fall short, in units of y's spread

Features = Callable[[np.ndarray], np.ndarray]


class Limits(NamedTuple):
    """Sums of a function's values that cannot be less than a number, in standardised units."""

    sums: Sums
    least: float


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
        told = length > 1e-12 * max(float(length.max(initial=0.0)), 1e-12)  # the others speak of nothing
        return F[told] / length[told, None], (self.A[told] @ posterior.m - self.b[told]) / length[told]


def draw_obeying(
    features: Features,
    posterior: linear.Posterior,
    ask: Callable[[int, np.random.Generator], list[Limits]],
    rng: np.random.Generator,
) -> Float[np.ndarray, "draws k"]:
    """Weights of functions that obey: drawn from the posterior, and moved as little as it takes.

    A function that obeys stays as it is. Another is replaced by the nearest one that obeys, with distances measured in
    posterior standard deviations. So no function moves away from a truth that obeys. Leaving all others out instead,
    by a sampler for truncated Gaussians, pushes functions away from what is just allowed, such as flat parts; it did
    worse in most trials (docs/knowledge.md).

    Inequalities hold at infinitely many places. They are asked at some thousand, then at the worst of as many others,
    and so on until functions obey there as well. In the end, the few that do not are replaced by others that do.

    Parameters
    ----------
    features : callable
        The features of standardised rows.
    posterior : Posterior
        What the weights are without the inequalities.
    ask : callable
        `ask(n, rng)` gives the inequalities at about n random places.
    rng : Generator
        Where random numbers come from.

    References
    ----------
    Lin, Dunson (2014). Bayesian monotone regression using Gaussian process projection. Biometrika 101.
    """
    walls, z = Walls.of(ask(_FIRST, rng), features), rng.standard_normal((DRAWS, len(posterior.m)))
    W, moving, short = np.empty_like(z), np.arange(DRAWS), np.empty((DRAWS, 0))
    for _ in range(_ROUNDS):
        F, g = walls.whitened(posterior)
        W[moving] = _moved(F, g, z[moving], posterior)
        others = Walls.of(ask(_FIRST, rng), features)
        short = others.shortfall(W)
        moving = np.flatnonzero(short.max(axis=1) > _TOLERANCE)
        if not len(moving):
            break
        worst = short.max(axis=0)
        added = np.argsort(-worst)[: min(_ADDED, int(np.sum(worst > _TOLERANCE)))]
        walls = Walls(np.vstack([walls.A, others.A[added]]), np.r_[walls.b, others.b[added]])
    order = np.argsort(short.max(axis=1))
    good = max(DRAWS - len(moving), _ENOUGH)
    W[order[good:]] = W[rng.choice(order[:good], DRAWS - good)]
    return W


def _moved(
    F: Float[np.ndarray, "m k"], g: Float[np.ndarray, " m"], z: Float[np.ndarray, "n k"], posterior: linear.Posterior
) -> Float[np.ndarray, "n k"]:
    """The weights of the functions nearest to draws z that obey."""
    nearest = nearest_points(F, g, z)
    if nearest is None:
        raise ValueError("no function obeys all `terms`: they contradict each other; leave one out.")
    return posterior.m + solve_triangular(posterior.L.T, nearest.X.T, lower=False, check_finite=False).T


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
