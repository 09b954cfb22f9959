"""What estimators around a regressor share: they hand rows on to it, and can do what it can."""

import abc
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from sklearn.base import BaseEstimator, MetaEstimatorMixin, MultiOutputMixin, RegressorMixin
from sklearn.pipeline import Pipeline
from sklearn.utils import Tags, get_tags
from sklearn.utils.metaestimators import available_if

from unabases.regressors.shared.pickling import PlainState
from unabases.regressors.shared.weights import as_keyword

__all__ = ["AbstractWrapper", "HandedOn", "last_step", "offers", "tags_like"]

Wrapper = TypeVar("Wrapper", bound="AbstractWrapper")


class HandedOn(NamedTuple):
    """The fitted regressor inside, and rows as they reach it."""

    model: Any
    X: Any


def last_step(model: Any) -> Any:
    """The regressor itself, or the one at the end of a pipeline."""
    while isinstance(model, Pipeline):
        model = model.steps[-1][1]
    return model


def offers(name: str) -> Callable[["AbstractWrapper"], bool]:
    """Whether the regressor inside has a method, for `available_if`."""

    def check(wrapper: "AbstractWrapper") -> bool:
        fitted = wrapper._inside()
        return hasattr(last_step(wrapper._wrapped() if fitted is None else fitted), name)

    return check


def tags_like(tags: Tags, model: Any) -> Tags:
    """Tags of a model that takes what another takes."""
    inner = get_tags(model)
    tags.input_tags, tags.target_tags = inner.input_tags, inner.target_tags
    return tags


class AbstractWrapper(PlainState, MetaEstimatorMixin, MultiOutputMixin, RegressorMixin, BaseEstimator, abc.ABC):
    """An estimator around a regressor. Each kind brings its `fit`, its predictions and what is abstract here.

    `update`, `partial_fit`, `forget` and `refit` are there if the regressor has them. What the wrapper itself has
    learned stays as it is.
    """

    @abc.abstractmethod
    def _wrapped(self) -> Any:
        """The regressor as it was given, or the usual one; not fitted."""

    @abc.abstractmethod
    def _inside(self) -> Any:
        """The fitted regressor; None before there is one."""

    @abc.abstractmethod
    def _hand_on(self, X: Any) -> HandedOn:
        """The fitted regressor, or the one at the end of a fitted pipeline, and rows as it takes them."""

    @available_if(offers("update"))
    def update(self: Wrapper, X: Any, y: Any, sample_weight: Any = None) -> Wrapper:
        """Add rows to the regressor, as its `update` does."""
        return self._revise("update", X, y, sample_weight)

    @available_if(offers("partial_fit"))
    def partial_fit(self: Wrapper, X: Any, y: Any, sample_weight: Any = None) -> Wrapper:
        """Learn from a part of the rows: `fit` at the first call, `update` at all later ones."""
        own: Any = self
        return (own.update if self.__sklearn_is_fitted__() else own.fit)(X, y, sample_weight)

    @available_if(offers("forget"))
    def forget(self: Wrapper, X: Any, y: Any, sample_weight: Any = None) -> Wrapper:
        """Take rows out of the regressor, as its `forget` does."""
        return self._revise("forget", X, y, sample_weight)

    @available_if(offers("refit"))
    def refit(self: Wrapper, X: Any, y: Any, sample_weight: Any = None) -> Wrapper:
        """Give the regressor other data, as its `refit` does."""
        return self._revise("refit", X, y, sample_weight)

    def _revise(self: Wrapper, method: str, X: Any, y: Any, sample_weight: Any) -> Wrapper:
        model, rows = self._hand_on(X)
        getattr(model, method)(rows, y, **as_keyword(sample_weight))
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return self._inside() is not None

    def __sklearn_tags__(self) -> Tags:
        """What the regressor can take, this can take."""
        return tags_like(super().__sklearn_tags__(), self._wrapped())
