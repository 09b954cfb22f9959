"""Functions of a member that obey inequalities: draws of its posterior, moved to the nearest function that obeys."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from scipy.linalg import solve_triangular

from unabases import linear
from unabases.regressors.knowledge.known_values import Sums
from unabases.regressors.knowledge.projection import Nearest, nearest_points

DRAWS = 50  # functions of each member
_PLACES, _LOOKED = 5000, 5000  # at which to ask first, and others at which to look for functions that do not obey
_REACHES = (0.1, 0.03)  # shares of a column's range: how far around the worst of these to look for worse ones
_AROUND, _ADDED = 8, 15  # places of each function to look around, and to ask at as well
_ROUNDS = 60  # of asking at more places, at most
_LEFT = DRAWS // 25  # functions that may still not obey in the end
_CALM = 6  # times in a row that no more are found in the end, at other places each time
_ENOUGH = 20  # functions at least that stand for those that do not obey everywhere
_ROUNDING = 1e-12  # of weights that add up to 0
_TOLERANCE = 1e-3  # by which a sum may fall short, in units of y's spread
_MARGIN = 0.01  # by which a sum has to do better where a function fell short, since it falls short around it as well

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

    def part(self, chosen: Int[np.ndarray, " few"]) -> "Limits":
        """Some of the sums."""
        places = None if self.places is None else self.places[chosen]
        return self._replace(sums=self.sums._replace(Z=self.sums.Z[chosen]), places=places)

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
        designs = [limit.sums.of(features) for limit in limits]
        return cls(
            np.concatenate(designs),
            np.concatenate([np.full(len(A), one.least) for A, one in zip(designs, limits, strict=True)]),
        )

    def whitened(self, posterior: linear.Posterior, margin: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """F, g with F x + g ≥ 0 the same inequalities for x = Lᵀ(w − m), kept by a margin, in rows of length 1."""
        F = solve_triangular(posterior.L, self.A.T, lower=True, check_finite=False).T
        length = np.linalg.norm(F, axis=1)
        told = length > 1e-12 * max(float(length.max(initial=0.0)), 1e-12)
        length = np.where(told, length, np.inf)  # the others speak of nothing, and are never broken
        return F / length[:, None], (self.A @ posterior.m - self.b - margin) / length


def shortfall(limits: Sequence[Limits], features: Features, W: Float[np.ndarray, "n k"]) -> Float[np.ndarray, "n m"]:
    """By how much each function fails to obey, in units of y's spread; negative where it obeys."""
    return np.concatenate([one.least - one.sums.of(lambda Z: features(Z) @ W.T) for one in limits]).T


class Obeying(NamedTuple):
    """Weights of functions that obey."""

    centre: Float[np.ndarray, " k"]
    """Of the nearest to the posterior's mean."""
    W: Float[np.ndarray, "draws k"]


def draw_obeying(
    features: Features,
    posterior: linear.Posterior,
    ask: Ask,
    rng: np.random.Generator,
) -> Obeying:
    """Functions that obey: drawn from the posterior, and moved as little as it takes; and its mean, moved in this way.

    A function that obeys stays as it is. Another is replaced by the nearest one that obeys, with distances measured in
    posterior standard deviations. So no function moves away from a truth that obeys. Leaving all others out instead,
    by a sampler for truncated Gaussians, pushes functions away from what is just allowed, such as flat parts; it did
    worse in most trials (docs/knowledge.md). The mean of what was drawn lies away from it as well, since functions can
    only differ on the side that is allowed. The mean that was moved does not.

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
    limits = ask(_PLACES, rng, None)
    first, everywhere = Walls.of(limits, features).whitened(posterior), any(limit.places is None for limit in limits)
    z = np.vstack([np.zeros_like(posterior.m), rng.standard_normal((DRAWS, len(posterior.m)))])
    for margin in (0.0,) if everywhere else (_MARGIN, 0.0):  # statements may leave no room, as to rise and to fall
        W = _move(z, first, features, posterior, ask, rng, margin, 1 if everywhere else _CALM)
        if W is not None:
            return Obeying(W[0], W[1:])
    raise ValueError("no function obeys all `terms`: they contradict each other; leave one out.")


def _move(
    z: Float[np.ndarray, "n k"],
    first: tuple[np.ndarray, np.ndarray],
    features: Features,
    posterior: linear.Posterior,
    ask: Ask,
    rng: np.random.Generator,
    margin: float,
    enough: int,
) -> Float[np.ndarray, "n k"] | None:
    """Weights of functions that obey, from points in posterior standard deviations; None if there are none."""
    (F, g), asked = first, len(first[1])
    W, moving, short = np.empty_like(z), np.arange(len(z)), np.empty((len(z), 0))
    held, calm = [np.empty(0, dtype=np.intp)] * len(z), 0
    for _ in range(_ROUNDS):
        if len(moving):
            nearest = nearest_points(F, g, z[moving], [held[i] for i in moving])
            if nearest is None or not np.all(np.isfinite(nearest.X)):
                return None
            W[moving] = posterior.m + solve_triangular(posterior.L.T, nearest.X.T, lower=False, check_finite=False).T
            for i, own in zip(moving.tolist(), nearest.held, strict=True):
                held[i] = own
        limits, short = _look(features, ask, W, rng)
        moving = np.flatnonzero(short.max(axis=1) > _TOLERANCE)
        calm = calm + 1 if len(moving) <= _LEFT else 0
        if calm == enough:
            break
        if not len(moving):
            continue
        needed = np.unique(np.concatenate([np.arange(asked), *held]))  # others hold nothing any more
        held = [np.searchsorted(needed, own) for own in held]
        worst = _parts(limits, _worst(short[moving], _ADDED))
        further = Walls.of(worst, features).whitened(posterior, margin)
        F, g = np.vstack([F[needed], further[0]]), np.r_[g[needed], further[1]]
    most = short.max(axis=1)
    order = 1 + np.argsort(most[1:])  # the first is the centre, and stays
    good = max(int(np.sum(most[1:] <= _TOLERANCE)), _ENOUGH)
    W[order[good:]] = W[rng.choice(order[:good], len(order) - good)]
    return W


def _look(
    features: Features, ask: Ask, W: Float[np.ndarray, "n k"], rng: np.random.Generator
) -> tuple[list[Limits], Float[np.ndarray, "n m"]]:
    """Look for places at which functions fall short: the inequalities there, and by how much each of them does."""
    limits = ask(_LOOKED, rng, None)
    short = shortfall(limits, features, W)
    for reach in _REACHES:
        if any(limit.places is None for limit in limits):
            break
        places = np.concatenate([limit.places for limit in limits if limit.places is not None])
        closer = ask(_LOOKED, rng, Near(places[_worst(short, _AROUND)], reach))
        limits, short = [*limits, *closer], np.hstack([short, shortfall(closer, features, W)])
    return limits, short


def _parts(limits: Sequence[Limits], chosen: Int[np.ndarray, " few"]) -> list[Limits]:
    """Some of all sums, by their numbers in order."""
    ends = np.cumsum([len(limit.sums.Z) for limit in limits])
    own = np.split(chosen, np.searchsorted(chosen, ends[:-1]))
    starts = ends - [len(limit.sums.Z) for limit in limits]
    return [limit.part(mine - start) for limit, mine, start in zip(limits, own, starts, strict=True) if len(mine)]


def _worst(short: Float[np.ndarray, "n m"], few: int) -> Int[np.ndarray, " some"]:
    """The places at which each function falls short most, and more than at those before and after them: a few for each.

    Neighbours in the list are often neighbours in space and say nearly the same, so one of them is enough.
    """
    around = np.pad(short, ((0, 0), (1, 1)), constant_values=-np.inf)
    peaks = np.where((short >= around[:, :-2]) & (short >= around[:, 2:]), short, -np.inf)
    few = min(few, short.shape[1])
    places = np.argpartition(-peaks, few - 1, axis=1)[:, :few]
    return np.unique(places[np.take_along_axis(peaks, places, axis=1) > -np.inf])


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
    """The centre of some functions at each row, their root mean square distance from it, and a root of all products."""

    mean: Float[np.ndarray, "n p"]
    std: Float[np.ndarray, "n p"]
    root: Float[np.ndarray, "p n draws"]


def moments_of_draws(
    designs: Sequence[Float[np.ndarray, "n k"]],
    draws: Sequence[Float[np.ndarray, "p draws k"]],
    centres: Sequence[Float[np.ndarray, "p k"]],
) -> FunctionMoments:
    """Moments of all functions of all members together, around the mean of the members' centres."""
    values = np.concatenate([W @ Phi.T for Phi, W in zip(designs, draws, strict=True)], axis=1)  # p draws n
    mean = np.mean([w @ Phi.T for Phi, w in zip(designs, centres, strict=True)], axis=0)  # p n
    root = np.moveaxis(values - mean[:, None], 1, 2) / np.sqrt(values.shape[1])
    return FunctionMoments(mean.T, np.sqrt(np.sum(root**2, axis=2)).T, root)
