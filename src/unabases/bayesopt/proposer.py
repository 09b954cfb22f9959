"""The next point, of what was told so far: what the loop and the sampler for Optuna share."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Float
from sklearn.base import clone

from unabases.bayesopt.acquisition import ACQUISITIONS
from unabases.bayesopt.defaults import default_surrogate
from unabases.bayesopt.maximise import SEPARATE, Goal, acquisition_values, best_place
from unabases.bayesopt.space import Space
from unabases.bayesopt.surrogate import AbstractBelief, belief_about, check_estimator
from unabases.bayesopt.warp import IDENTITY, fit_warp
from unabases.regressors import DivergedError
from unabases.regressors.base import check_positive
from unabases.regressors.scaling import fit_scale

__all__ = ["Proposer"]

_GOOD = 8  # of the best rows, near which to look as well
_GAIN = 0.01  # standard deviations by which a value has to beat all before it to be worth its evaluation
_WIDER = 6  # evaluations in vain, each twice as far from all rows as the one before, until one may be near again


class Proposer:
    """A surrogate that is fitted to what was told, and asked where to look next; values are to be minimised.

    Parameters
    ----------
    space
        Where.
    surrogate
        An estimator, which is copied; None for the default.
    acquisition, kappa, warp
        As in `BayesOpt`.
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
        """Learn from rows and values, NaN where an evaluation failed; whether that could be done.

        A failed row counts as bad as the worst one, so that the search moves away from it. The surrogate sees values,
        warped or not, of mean 0 and standard deviation 1, and gets a `random_state` of `seed` if it has none itself.
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

        At pending rows f is believed to take its mean, which is also to be beaten, so that the next row is looked for
        elsewhere. Thompson sampling does without: each draw is another function.

        A surrogate that is too sure of itself would look at one spot for ever. So after each evaluation in vain the
        place has to be twice as far as before from all that are taken; some such steps later it may be near again.
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

    def moments(self, U: Float[np.ndarray, "n width"]) -> tuple[Float[np.ndarray, " n"], Float[np.ndarray, " n"]]:
        """Mean and standard deviation of f at rows, in the units of what was told."""
        assert self.belief is not None
        mean, std = self.belief.moments(U)
        return self._warp.undo_moments(self._scale.undo(mean[:, None])[:, 0], std * self._scale.spread[0])

    def promise(self, U: Float[np.ndarray, "n width"]) -> Float[np.ndarray, " n"]:
        """What is maximised, at rows; of Thompson sampling, which has no fixed function, minus the mean."""
        assert self.belief is not None
        goal = Goal(self.acquisition, float(np.min(self._t)), self.kappa)
        return acquisition_values(goal, *self.belief.moments(U))


def in_vain(t: Float[np.ndarray, " n"]) -> int:
    """How many values there are after the last one that was noticeably better than all before it."""
    best = np.minimum.accumulate(t)
    gains = np.flatnonzero(np.diff(best) < -_GAIN)
    return len(t) - 1 - (int(gains[-1]) + 1 if len(gains) else 0)
