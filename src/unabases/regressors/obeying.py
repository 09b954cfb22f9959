"""Functions of a member that obey inequalities: draws of its posterior from which all others are left out."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from scipy.linalg import solve_triangular

from unabases import linear
from unabases.regressors.known_values import Sums
from unabases.regressors.truncated import Nearest, draw_truncated, nearest_point

DRAWS = 64  # functions of each member
_FIRST, _LOOKED_AT = 400, 2000  # places at which to ask first, and at which to look for functions that do not obey
_ADDED, _ROUNDS, _TRIED = 200, 4, 20  # the worst of these are asked as well, this often, by as many functions
_TOLERANCE = 3e-4  # by which a sum may fall short, in units of y's spread
_MARGINS = (1e-2, 1e-4, 1e-7)  # distances of a first function from what is forbidden, in posterior stds

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
    """Weights of functions that obey, drawn from the posterior without those that do not.

    Inequalities hold at infinitely many places. They are asked at some hundred, then at the worst of some thousand
    others, and so on until functions obey there as well.

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
    """
    walls = Walls.of(ask(_FIRST, rng), features)
    for _ in range(_ROUNDS):
        tried = _draw(walls, posterior, _TRIED, rng)
        others = Walls.of(ask(_LOOKED_AT, rng), features)
        worst = others.shortfall(tried).max(axis=0)
        added = np.argsort(-worst)[:_ADDED]
        added = added[worst[added] > _TOLERANCE]
        if not len(added):
            break
        walls = Walls(np.vstack([walls.A, others.A[added]]), np.r_[walls.b, others.b[added]])
    return _draw(walls, posterior, DRAWS, rng)


def _draw(walls: Walls, posterior: linear.Posterior, n: int, rng: np.random.Generator) -> Float[np.ndarray, "n k"]:
    F, g = walls.whitened(posterior)
    start = next((found for margin in _MARGINS if (found := nearest_point(F, g - margin)) is not None), None)
    if start is None:
        raise ValueError("no function obeys all `terms`: they contradict each other; leave one out.")
    x = draw_truncated(F, g, start.x, n, rng)
    return posterior.m + solve_triangular(posterior.L.T, x.T, lower=False, check_finite=False).T


def nearest_obeying(features: Features, posterior: linear.Posterior, limits: Sequence[Limits]) -> Nearest | None:
    """How far the nearest function that obeys is from the posterior's mean, as a point in units of its stds."""
    return nearest_point(*Walls.of(limits, features).whitened(posterior))


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
