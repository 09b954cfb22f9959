"""Propose the next point from what was told so far: what `BayesOpt` and the Optuna sampler share."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Float
from sklearn.base import clone

from unabases.bayesopt.acquisition import ACQUISITIONS
from unabases.bayesopt.defaults import default_surrogate
from unabases.bayesopt.maximise import SEPARATE, Goal, acquisition_values, best_place
from unabases.bayesopt.surrogate import AbstractBelief, Moments, belief_about, check_estimator
from unabases.bayesopt.warp import IDENTITY, fit_warp
from unabases.regressors import DivergedError
from unabases.regressors.shared.base import check_positive
from unabases.regressors.shared.scaling import fit_scale
from unabases.selection.space import Space

__all__ = ["PARAMETERS", "Proposer"]

PARAMETERS = """
surrogate : estimator, optional
    Any regressor of unabases, or any estimator with `predict(X, return_std=True)`. It is copied. It sees rows of the
    unit cube and values with mean 0 and standard deviation 1, so its `sigma2` is a share of their variance. By default
    LUNA with settings for this purpose (`default_surrogate`).
acquisition : {"ei", "lcb", "thompson"}
    How a point is judged: `"ei"` by expected improvement; `"lcb"` by the lower confidence bound (the upper one when
    maximising); `"thompson"` by one function drawn from the posterior.
kappa : float
    For `"lcb"`: standard deviations between the mean and the bound. More explores more.
warp : bool
    If True, values worse than the median are compressed before the surrogate sees them, so that it can tell the good
    ones apart.
"""

_GOOD = 8  # best rows near which to look as well
_GAIN = 0.01  # standard deviations by which a value has to beat all earlier ones to count as a gain
_WIDER = 6  # evaluations without a gain, each twice as far from all rows as the last, until one may be near again


class Proposer:
    """Fits a surrogate to what was told, and proposes the next place; values are minimised.

    Parameters
    ----------
    space : Space
        Where to look.
    surrogate : estimator, optional
        A regressor, which is copied; `default_surrogate()` by default.
    acquisition, kappa
        How a place is judged: the name of an acquisition, and the width of its confidence bound.
    warp : bool
        Whether to compress values worse than the median.
    """

    def __init__(
        self, space: Space, surrogate: Any = None, acquisition: Any = "ei", kappa: Any = 2.0, warp: Any = True
    ):
        if not isinstance(acquisition, str) or acquisition not in ACQUISITIONS:
            raise ValueError(f"unknown acquisition {acquisition!r}; known ones are {', '.join(ACQUISITIONS)}.")
        given = default_surrogate() if surrogate is None else surrogate
        check_estimator(given)
        self.space = space
        self.acquisition = acquisition
        self.kappa = check_positive("kappa", kappa, zero=True)
        self.warp = bool(warp)
        self.estimator: Any = clone(given)
        self.belief: AbstractBelief | None = None
        self._seeded = self.estimator.get_params(deep=False).get("random_state", 0) is not None

    def fit(self, U: Float[np.ndarray, "n width"], t: Float[np.ndarray, " n"], seed: Sequence[int]) -> bool:
        """Fit the surrogate to rows and values, NaN where an evaluation failed; return whether that worked.

        A failed row gets the worst value, so that the search moves away from it. Values are scaled to mean 0 and
        standard deviation 1, after warping. A surrogate without a `random_state` of its own gets one from `seed`.
        """
        finite = np.isfinite(t)
        self.belief = None
        if finite.sum() < 2:
            return False
        self._warp = fit_warp(t[finite]) if self.warp else IDENTITY
        warped = self._warp.apply(np.where(finite, t, np.max(t[finite])))
        self._scale = fit_scale(warped[:, None])
        self._U, self._t = U, self._scale.apply(warped[:, None])[:, 0]
        if not self._seeded:
            self.estimator.set_params(random_state=int(np.random.default_rng(seed).integers(2**31)))
        try:
            self.belief = belief_about(self.estimator, U, self._t)
        except (DivergedError, np.linalg.LinAlgError) as error:
            warnings.warn(f"the surrogate could not be fitted to {len(t)} rows: {error}", stacklevel=2)
        return self.belief is not None

    def propose(
        self, pending: Float[np.ndarray, "p width"], rng: np.random.Generator
    ) -> Float[np.ndarray, " width"] | None:
        """The most promising place that was neither told nor is pending; None if there is none.

        At pending rows f is assumed to take its predicted mean, which also has to be beaten, so that the next place
        lies elsewhere. Thompson sampling does not need this, since each draw is another function.

        An overconfident surrogate would return to the same spot for ever. So after each evaluation without a gain the
        next place must be twice as far from all taken ones as before; after six of these it may be near again.
        """
        assert self.belief is not None
        belief, best = self.belief, float(np.min(self._t))
        if len(pending) and self.acquisition != "thompson":
            belief, best = belief.believe(pending), min(best, float(np.min(belief.moments(pending)[0])))
        good = self._U[np.argsort(self._t, kind="stable")[:_GOOD]]
        taken = np.concatenate([self._U, pending])
        goal = Goal(self.acquisition, best, self.kappa)
        apart = SEPARATE * 2 ** ((in_vain(self._t) + len(pending)) % _WIDER)
        return best_place(self.space, belief, goal, good=good, taken=taken, rng=rng, apart=apart)

    def moments(self, U: Float[np.ndarray, "n width"]) -> Moments:
        """Mean and standard deviation of f at rows, in the units of the values told."""
        assert self.belief is not None
        mean, std = self.belief.moments(U)
        return self._warp.undo_moments(self._scale.undo(mean[:, None])[:, 0], std * self._scale.spread[0])

    def promise(self, U: Float[np.ndarray, "n width"]) -> Float[np.ndarray, " n"]:
        """The acquisition at rows; for Thompson sampling, which has no fixed one, minus the mean."""
        assert self.belief is not None
        goal = Goal(self.acquisition, float(np.min(self._t)), self.kappa)
        return acquisition_values(goal, self.belief.moments(U))


def in_vain(t: Float[np.ndarray, " n"]) -> int:
    """How many values came after the last one that was noticeably better than all before it."""
    best = np.minimum.accumulate(t)
    gains = np.flatnonzero(np.diff(best) < -_GAIN)
    return len(t) - 1 - (int(gains[-1]) + 1 if len(gains) else 0)
