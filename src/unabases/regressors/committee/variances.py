"""How wide a committee has to be: its variances, chosen by what its members left out while their features trained."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from unabases.linear import solve_rows
from unabases.linear.conditioning import ROWS_DO_BETTER, trusted_cholesky
from unabases.regressors.committee.heavy_tails import Tails, log_densities, normal_tails
from unabases.regressors.shared.weights import weighted_mean
from unabases.training import on_all_cores

_RATIOS = np.geomspace(0.03, 3000, 6)  # of the kernel's prior variance to that of the network's weights
_LOW_RATIOS = np.geomspace(1e3, 1e6, 4)  # the same where the kernel's is given
_ALPHAS = np.geomspace(1e-4, 10, 11)
NEARLY_NO_NOISE = 1e-8  # the least noise variance, relative to y's, that anything may find
_NOISES = np.r_[np.geomspace(NEARLY_NO_NOISE, 2.5e-6, 5), np.geomspace(1e-5, 1.3, 18)]  # few for nearly exact functions
_FINE = np.geomspace(1 / 1.8, 1.8, 5)  # steps of a second look around the best
_FACTORS = np.geomspace(1, 200, 29)  # on what is not known far from the data: never less than the model says itself
_CALM = 2  # times the noise variance: epistemic variances below stay much as they are
_USUAL_ALPHA, _USUAL_KERNEL = 0.01, 0.6  # where prior variances go if the left-out rows do not care
_MOST_ERROR = 1.15  # times the mean squared error that the usual ratio can have
_PULL = 1e-3  # nats for a squared e-fold away from these
_USUAL_NOISE, _FEW = 0.1, 2.0  # the same for the noise, and a wider kernel, with these nats over the squared rows
_MUCH = 50_000  # features of rows left out from which threads are worth their start
_FACTOR_PULL = 0.01  # nats for a squared e-fold of the factor away from 1
_STATED_PULL = 0.1  # the same where the kernel's prior variance is given, so that its width is known
_FAR = (2.3, 3.0, 4.0, 6.0, 10.0, 20.0)  # degrees of freedom where all is epistemic
_FAR_COST = 0.2  # nats that these have to gain, divided by their number


class Moments(NamedTuple):
    """A member as it was trained: moments of the rows that it saw, and the rows that it left out.

    The features are those of the network and its bias, then those of the kernel.
    """

    gram: Float[np.ndarray, "k k"]
    moment: Float[np.ndarray, "k p"]
    features: Float[np.ndarray, "m k"]
    missing: Float[np.ndarray, " m"]
    """Variance of the kernel that its features do not have, at the rows left out."""
    t: Float[np.ndarray, "m p"]
    of_network: int
    """How many features are the network's."""
    louder: Float[np.ndarray, " m"]
    """Noise variance of the rows left out, relative to the average."""
    weight: Float[np.ndarray, " m"] | None = None
    """How often each of the rows left out counts; None for once."""

    def scale(self, ratio: float) -> Float[np.ndarray, " k"]:
        """What each feature is multiplied by for a ratio of prior variances."""
        return np.where(np.arange(len(self.gram)) < self.of_network, 1.0, np.sqrt(ratio))


class Variances(NamedTuple):
    """What was chosen, in standardised units: a ratio for all outputs, the rest for each."""

    ratio: float
    """Prior variance of the kernel's weights, relative to that of the network's."""
    alpha: Float[np.ndarray, " p"]
    """Prior variance of the network's weights."""
    sigma2: Float[np.ndarray, " p"]
    """Of the noise, for a single member."""
    factor: Float[np.ndarray, " p"]
    """On the epistemic variance far from the data."""


def choose_variances(
    folds: Sequence[Moments], sigma2: Float[np.ndarray, " p"], kernel: Float[np.ndarray, " p"] | None = None
) -> Variances:
    """Choose prior variances and noise by how well members predict rows that they left out at random.

    All of it is in closed form, on a grid: for each ratio of the two prior variances, the eigenbasis of a member's
    moments serves all other numbers. Ratios are tried uphill from the middle, so the likelihood is taken to have
    one hill. The factor far from the data is 1; `choose_width` chooses it.

    Where a part of the rows is known exactly, the likelihood there has no bound, and pays for any error elsewhere. So
    what predicts much worse than the usual ratio can is left out, both in the mean over members and in the median: a
    single row far from all others can be most of the mean.

    Parameters
    ----------
    folds : sequence of Moments
        The members, each conditioned on the rows that its features saw.
    sigma2 : array
        Noise variances that are known; NaN where they are to be chosen.
    kernel : array, optional
        Prior variance of the kernel's weights that is given. The network's then only has a small one.
    """
    ratios = _RATIOS if kernel is None else _LOW_RATIOS / min(_kernel_variance(folds), 1.0)
    best = _climb(ratios.tolist(), lambda ratio, start: _at_ratio(folds, ratio, sigma2, kernel, start))
    fine, alphas = np.isnan(sigma2), _FINE if kernel is None else np.ones(1)
    found = []
    for j, rough in enumerate(best.found):
        noises = rough.sigma2 * (_FINE if fine[j] else np.ones(1))
        found.append(_best(best.solved, best.ratio, rough.alpha * alphas, noises, j, rough.most))
    alpha, noise = np.array([one.alpha for one in found]), np.array([one.sigma2 for one in found])
    return Variances(best.ratio, alpha, noise, np.ones(len(found)))


def _kernel_variance(folds: Sequence[Moments]) -> float:
    """Mean variance of the kernel at rows left out: beside a small one, the network's has to be smaller still."""
    own = [np.sum(member.features[:, member.of_network :] ** 2, axis=1) + member.missing for member in folds]
    return max(float(np.mean(np.concatenate(own))), 1e-6)


class Width(NamedTuple):
    """How wide to be far from the data."""

    factor: Float[np.ndarray, " p"]
    """On the epistemic variance."""
    tails: Tails | None
    """How heavy the tails are, there and on the data; None if they are normal."""


def choose_width(
    slabs: Sequence[Moments],
    chosen: Variances,
    tails: Tails | None = None,
    heavier: bool = False,
    stated: bool = False,
    even: bool = False,
) -> Width:
    """Choose how wide to be far from the data by how well members predict regions that they left out.

    The factor is the one with the highest likelihood of these regions, drawn a little towards 1; it is 1 if there are
    none. Regions may ask for very different factors. Then no factor is right in all of them, and tails that are heavier
    where the function is unknown insure against that.

    Parameters
    ----------
    slabs : sequence of Moments
        The members, each with the region that it left out.
    chosen : Variances
        Their variances, without the factor.
    tails : Tails, optional
        Those of the noise.
    heavier : bool
        Whether tails may be heavier, or lighter, than those of the noise.
    stated : bool
        Whether the prior over functions was stated. Then regions have to speak more clearly for another width.
    even : bool
        Whether functions must not be widened in some places and not in others: then the factor is 1.
    """
    p = len(chosen.sigma2)
    if not slabs:
        return Width(np.ones(p), tails)
    said = [predict_left_out(member, chosen) for member in slabs]
    usual = normal_tails(p) if tails is None else tails
    pull = _STATED_PULL if stated else _FACTOR_PULL
    factors = np.ones(1) if even else _FACTORS
    found = [_width_of(slabs, said, chosen, usual.of(j), j, factors, heavier, pull) for j in range(p)]
    factor, far = (np.array(part) for part in zip(*found, strict=True))
    kept = tails is None and np.array_equal(far, usual.far)
    return Width(factor, None if kept else usual._replace(far=far))


def _width_of(
    slabs: Sequence[Moments],
    said: Sequence[tuple[np.ndarray, np.ndarray]],
    chosen: Variances,
    tails: Tails,
    output: int,
    factors: np.ndarray,
    heavier: bool,
    pull: float,
) -> tuple[float, float]:
    """Factor and far degrees of freedom of one output."""
    sigma2, own = float(chosen.sigma2[output]), slice(output, output + 1)
    fars = [float(tails.far[0]), *(_FAR if heavier else ())]
    costs = [0.0, *(_FAR_COST / far for far in fars[1:])]
    scores = -np.array(costs)[:, None] - pull * np.log(factors) ** 2
    for member, (mean, variance) in zip(slabs, said, strict=True):
        squares, wide = (member.t - mean)[:, own] ** 2, widened(variance[:, own], sigma2, factors)
        noise = np.broadcast_to(sigma2 * member.louder[:, None], wide.shape)
        for score, far in zip(scores, fars, strict=True):
            densities = log_densities(squares, wide, noise, tails._replace(far=np.array([far])))
            score += weighted_mean(densities, member.weight) / len(slabs)
    i, k = np.unravel_index(np.argmax(scores), scores.shape)
    return float(factors[k]), fars[i]


def predict_left_out(member: Moments, chosen: Variances) -> tuple[Float[np.ndarray, "m p"], Float[np.ndarray, "m p"]]:
    """Mean and epistemic variance of the rows that a member left out, under the chosen variances.

    A Cholesky factor is all that one pair of variances needs; where it is too inaccurate, the eigenbasis serves.
    """
    scale = member.scale(chosen.ratio)
    gram, features, solved = scale[:, None] * member.gram * scale, member.features * scale, None
    means, variances = np.empty_like(member.t), np.empty_like(member.t)
    for j, (alpha, sigma2) in enumerate(zip(chosen.alpha.tolist(), chosen.sigma2.tolist(), strict=True)):
        L = trusted_cholesky(gram / sigma2 + np.eye(len(gram)) / alpha, least=ROWS_DO_BETTER)
        if L is None:
            solved = _Solved.of(member, chosen.ratio) if solved is None else solved
            mean, variance = solved.predict(alpha, np.array([sigma2]), j)
            means[:, j], variances[:, j] = mean[:, 0], variance[:, 0]
        else:
            R = solve_rows(L, features)
            means[:, j] = R @ solve_rows(L, (scale * member.moment[:, j] / sigma2)[None])[0]
            variances[:, j] = np.einsum("ij,ij->i", R, R) + alpha * chosen.ratio * member.missing
    return means, variances


def widened(variance: np.ndarray, sigma2: np.ndarray | float, factor: np.ndarray | float) -> np.ndarray:
    """The epistemic variance of a member: as it is where it is small beside the noise, times the factor far away."""
    far = (variance / (variance + _CALM * sigma2)) ** 2
    return variance * (1 + (factor - 1) * far)


class _Solved(NamedTuple):
    """A member for one ratio of prior variances, in the eigenbasis of its moments."""

    eigenvalues: Float[np.ndarray, " k"]
    moment: Float[np.ndarray, "k p"]
    features: Float[np.ndarray, "m k"]
    squares: Float[np.ndarray, "m k"]
    missing: Float[np.ndarray, " m"]
    t: Float[np.ndarray, "m p"]
    louder: Float[np.ndarray, "m 1"]
    weight: Float[np.ndarray, " m"] | None

    @classmethod
    def of(cls, member: Moments, ratio: float) -> "_Solved":
        scale = member.scale(ratio)
        values, U = np.linalg.eigh(scale[:, None] * member.gram * scale)
        U = scale[:, None] * U
        features = member.features @ U
        return cls(
            np.maximum(values, 0),
            U.T @ member.moment,
            features,
            features**2,
            ratio * member.missing,
            member.t,
            member.louder[:, None],
            member.weight,
        )

    def predict(self, alpha: float | np.ndarray, noises: np.ndarray, output: int) -> tuple[np.ndarray, np.ndarray]:
        """Mean and epistemic variance of the rows left out, a column for each noise variance, or pair of variances."""
        variances = 1 / (self.eigenvalues[:, None] / noises + 1 / alpha)
        mean = self.features @ (variances * self.moment[:, output, None] / noises)
        return mean, self.squares @ variances + alpha * self.missing[:, None]

    def scores(self, alphas: np.ndarray, noises: np.ndarray, output: int) -> Float[np.ndarray, "2 alphas noises"]:
        """Mean log density and mean squared error of the rows left out, for each pair of variances."""
        alpha, sigma2 = (pairs.ravel() for pairs in np.meshgrid(alphas, noises, indexing="ij"))
        mean, variance = self.predict(alpha, sigma2, output)
        squares, noise = (self.t[:, output, None] - mean) ** 2, sigma2 * self.louder
        found = [weighted_mean(part, self.weight) for part in (log_densities(squares, variance, noise), squares)]
        return np.reshape(found, (2, len(alphas), len(noises)))


class _Found(NamedTuple):
    """The best of a grid for one output."""

    score: float
    alpha: float
    sigma2: float
    most: list[float]
    """The largest mean squared errors that were allowed: in the mean over members, or in the median."""


class _AtRatio(NamedTuple):
    """The best that can be had with one ratio of prior variances."""

    ratio: float
    solved: list[_Solved]
    found: list[_Found]

    @property
    def score(self) -> float:
        """Of all outputs together."""
        return sum(one.score for one in self.found)


def _at_ratio(
    folds: Sequence[Moments],
    ratio: float,
    sigma2: Float[np.ndarray, " p"],
    kernel: Float[np.ndarray, " p"] | None,
    start: _AtRatio | None,
) -> _AtRatio:
    """The best of one ratio, whose errors are to be compared with those of the one that was tried first."""
    solved = on_all_cores(lambda member: _Solved.of(member, ratio), folds, worthwhile=_many(folds))
    grids = [_NOISES if np.isnan(given) else np.array([given]) for given in sigma2.tolist()]
    alphas = [_ALPHAS if kernel is None else kernel[[j]] / ratio for j in range(len(grids))]
    mosts = [None] * len(grids) if start is None else [one.most for one in start.found]
    found = [
        _best(solved, ratio, *of_output) for of_output in zip(alphas, grids, range(len(grids)), mosts, strict=True)
    ]
    return _AtRatio(ratio, solved, found)


def _climb(ratios: list[float], at: Callable[[float, _AtRatio | None], _AtRatio]) -> _AtRatio:
    """The best ratio, if scores have one hill: from the middle as far up as it goes."""
    middle = len(ratios) // 2
    best = start = at(ratios[middle], None)
    for way in (ratios[middle + 1 :], ratios[:middle][::-1]):
        for ratio in way:
            tried = at(ratio, start)
            if tried.score <= best.score:
                break
            best = tried
        if best is not start:
            break
    return best


def _best(
    members: Sequence[_Solved],
    ratio: float,
    alphas: np.ndarray,
    noises: np.ndarray,
    output: int,
    most: list[float] | None = None,
) -> _Found:
    """The variances of a grid with the highest likelihood of rows left out at random, if errors are at most `most`.

    By default this is some times the least error on the grid.
    """
    few = _FEW / sum(len(member.t) for member in members) ** 2
    usual = few * np.log(noises / _USUAL_NOISE) ** 2
    wider = np.log(alphas * ratio / _USUAL_KERNEL)
    away = _PULL * (np.log(alphas / _USUAL_ALPHA) ** 2 + wider**2) + few * np.maximum(wider, 0.0) ** 2
    own = on_all_cores(lambda member: member.scores(alphas, noises, output), members, worthwhile=_many(members))
    likely = np.mean([likely for likely, _ in own], axis=0)
    errors = [average([error for _, error in own], axis=0) for average in (np.mean, np.median)]
    most = [_MOST_ERROR * float(error.min()) for error in errors] if most is None else most
    allowed = np.any([error <= largest for error, largest in zip(errors, most, strict=True)], axis=0)
    scores = np.where(allowed, likely - away[:, None] - usual, -np.inf)
    i, k = np.unravel_index(np.argmax(scores), scores.shape)
    return _Found(float(scores[i, k]), float(alphas[i]), float(noises[k]), most)


def _many(members: Sequence[Moments] | Sequence[_Solved]) -> bool:
    """Whether there is so much to compute that all cores should help."""
    return sum(member.features.size for member in members) >= _MUCH
