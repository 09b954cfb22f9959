"""What a study believes about f, by any regressor of unabases, or any of scikit-learn with a standard deviation."""

import abc
import copy
import inspect
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float
from sklearn.base import clone

from unabases import linear
from unabases.predictive import Mixture
from unabases.regressors import AbstractRegressor
from unabases.regressors.networks.last_layer import AbstractLastLayer
from unabases.regressors.networks.network import in_float64
from unabases.regressors.shared.scaling import Scale

__all__ = ["AbstractBelief", "Linear", "Moments", "belief_about"]


class Moments(NamedTuple):
    """Mean and standard deviation of f at some rows."""

    mean: Float[np.ndarray, " n"]
    std: Float[np.ndarray, " n"]


class Linear(NamedTuple):
    """A belief that a compiled program can use: features φ of standardised inputs with Gaussian weights."""

    phi: Any
    x_scale: Scale
    y_scale: Scale
    m: Float[np.ndarray, " k"]
    L: Float[np.ndarray, "k k"]


class AbstractBelief(abc.ABC):
    """A fitted surrogate on rows of the unit cube; lower values are better."""

    @abc.abstractmethod
    def moments(self, U: Float[np.ndarray, "n width"]) -> Moments:
        """Mean and standard deviation of f at each row, without noise if the surrogate can tell it apart."""

    @abc.abstractmethod
    def believe(self, U: Float[np.ndarray, "n width"]) -> "AbstractBelief":
        """The belief if f took its predicted mean at these rows, which makes f more certain there and nearby."""

    @abc.abstractmethod
    def draw(self, rng: np.random.Generator) -> "AbstractBelief | None":
        """One function drawn from the posterior, as the mean of a belief; None if the surrogate cannot draw one."""

    @abc.abstractmethod
    def draw_at(self, U: Float[np.ndarray, "n width"], rng: np.random.Generator) -> Float[np.ndarray, " n"]:
        """Values at these rows of one function drawn from the posterior."""

    def as_linear(self) -> Linear | None:
        """The belief for a compiled program with gradients; None unless it is a linear head on features."""
        return None


def belief_about(estimator: Any, U: Float[np.ndarray, "n width"], t: Float[np.ndarray, " n"]) -> AbstractBelief:
    """Fit an estimator in place to rows of the unit cube and the values of f there."""
    if isinstance(estimator, AbstractLastLayer):
        estimator.fit(U, t)
        return _LinearBelief(estimator, estimator.layer_.posteriors[0])
    if isinstance(estimator, AbstractRegressor):
        return _RegressorBelief(estimator.fit(U, t), U, t)
    check_estimator(estimator)
    return _EstimatorBelief(estimator.fit(U, t), U, t)


def check_estimator(estimator: Any) -> None:
    """Raise an error unless an estimator can be a surrogate."""
    if isinstance(estimator, AbstractRegressor):
        return
    fine = hasattr(estimator, "fit") and hasattr(estimator, "get_params")
    if not fine or not _knows(estimator, "return_std"):
        raise TypeError(
            "a surrogate must be a regressor of unabases, or an estimator whose `predict(X, return_std=True)` gives a "
            f"standard deviation, such as scikit-learn's GaussianProcessRegressor; got {estimator!r}."
        )


class _LinearBelief(AbstractBelief):
    """Fixed features and the exact posterior of the last layer, which can be updated exactly."""

    def __init__(self, model: AbstractLastLayer, posterior: linear.Posterior):
        self.model, self.posterior = model, posterior

    def moments(self, U: Float[np.ndarray, "n width"]) -> Moments:
        mean, var = linear.predict(self.posterior, self.model.feature_matrix(U))
        return Moments(self._in_units(mean), np.sqrt(var) * self.model.y_scale_.spread[0])

    def believe(self, U: Float[np.ndarray, "n width"]) -> AbstractBelief:
        Phi = self.model.feature_matrix(U)
        return _LinearBelief(self.model, linear.update(self.posterior, Phi, Phi @ self.posterior.m))

    def draw(self, rng: np.random.Generator) -> AbstractBelief | None:
        w = linear.sample_posterior(self.posterior, np.eye(len(self.posterior.m)), 1, rng)[0]
        return _LinearBelief(self.model, self.posterior._replace(m=w))

    def draw_at(self, U: Float[np.ndarray, "n width"], rng: np.random.Generator) -> Float[np.ndarray, " n"]:
        return self._in_units(linear.sample_posterior(self.posterior, self.model.feature_matrix(U), 1, rng)[0])

    def as_linear(self) -> Linear | None:
        model = self.model
        return Linear(in_float64(model.phi_), model.x_scale_, model.y_scale_, self.posterior.m, self.posterior.L)

    def _in_units(self, values: np.ndarray) -> np.ndarray:
        return self.model.y_scale_.undo(values[:, None])[:, 0]


class _RegressorBelief(AbstractBelief):
    """Any other regressor of unabases."""

    def __init__(self, model: AbstractRegressor, U: np.ndarray, t: np.ndarray):
        self.model, self._U, self._t = model, U, t

    def moments(self, U: Float[np.ndarray, "n width"]) -> Moments:
        prediction = self.model.predict_dist(U)
        return Moments(np.asarray(prediction.mean), np.asarray(prediction.epistemic_std))

    def believe(self, U: Float[np.ndarray, "n width"]) -> AbstractBelief:
        rows, values = np.concatenate([self._U, U]), np.concatenate([self._t, self.moments(U)[0]])
        return _RegressorBelief(copy.deepcopy(self.model).fit(rows, values), rows, values)

    def draw(self, rng: np.random.Generator) -> AbstractBelief | None:
        some = self.model.predict_dist(self._U[:1])
        if not isinstance(some, Mixture):
            return None
        return _MemberBelief(self.model, self._U, self._t, int(rng.integers(len(some.members))))

    def draw_at(self, U: Float[np.ndarray, "n width"], rng: np.random.Generator) -> Float[np.ndarray, " n"]:
        return self.model.predict_dist(U, covariance=True).sample(1, rng, noise=False)[0]


class _MemberBelief(_RegressorBelief):
    """One of the functions of a mixture."""

    def __init__(self, model: AbstractRegressor, U: np.ndarray, t: np.ndarray, member: int):
        super().__init__(model, U, t)
        self._member = member

    def moments(self, U: Float[np.ndarray, "n width"]) -> Moments:
        prediction = self.model.predict_dist(U)
        assert isinstance(prediction, Mixture)
        return Moments(prediction.members[self._member], np.zeros(len(U)))


class _EstimatorBelief(AbstractBelief):
    """An estimator of scikit-learn."""

    def __init__(self, estimator: Any, U: np.ndarray, t: np.ndarray):
        self.estimator, self._U, self._t = estimator, U, t

    def moments(self, U: Float[np.ndarray, "n width"]) -> Moments:
        mean, std = self.estimator.predict(U, return_std=True)
        return Moments(np.asarray(mean, dtype=np.float64), np.asarray(std, dtype=np.float64))

    def believe(self, U: Float[np.ndarray, "n width"]) -> AbstractBelief:
        rows, values = np.concatenate([self._U, U]), np.concatenate([self._t, self.moments(U)[0]])
        return belief_about(clone(self.estimator), rows, values)

    def draw(self, rng: np.random.Generator) -> AbstractBelief | None:
        return None

    def draw_at(self, U: Float[np.ndarray, "n width"], rng: np.random.Generator) -> Float[np.ndarray, " n"]:
        if not _knows(self.estimator, "return_cov"):
            raise TypeError(
                f"Thompson sampling needs the covariance between points, and {type(self.estimator).__name__} gives "
                'only standard deviations; use acquisition="ei" or "lcb".'
            )
        mean, covariance = self.estimator.predict(U, return_cov=True)
        return rng.multivariate_normal(mean, covariance, method="eigh", check_valid="ignore")


def _knows(estimator: Any, parameter: str) -> bool:
    """Whether `predict` takes a parameter."""
    return parameter in inspect.signature(estimator.predict).parameters if hasattr(estimator, "predict") else False
