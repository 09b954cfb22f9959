"""Estimators around a regressor: what they hand on, and what they offer."""

from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import BayesianRidge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags

from unabases import GaussianProcess, NeuralLinear
from unabases.regressors.wrappers.wrapper import AbstractWrapper, HandedOn, last_step, offers, tags_like


class _Recorder:
    """A regressor that keeps what it is given."""

    def __init__(self) -> None:
        self.given: list[tuple[str, Any, Any, dict[str, Any]]] = []

    def update(self, X: Any, y: Any, **weights: Any) -> None:
        self.given.append(("update", X, y, weights))

    def forget(self, X: Any, y: Any, **weights: Any) -> None:
        self.given.append(("forget", X, y, weights))

    partial_fit = update


class _Doubling(AbstractWrapper):
    """Hands rows on, doubled."""

    def __init__(self, regressor: Any = None) -> None:
        self.regressor = regressor

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "_Doubling":
        self.regressor_ = self.regressor
        self.first_ = (X, y, sample_weight)
        return self

    def _wrapped(self) -> Any:
        return self.regressor

    def _inside(self) -> Any:
        return getattr(self, "regressor_", None)

    def _hand_on(self, X: Any) -> HandedOn:
        return HandedOn(self.regressor_, 2 * X)


def test_rows_are_handed_on_as_the_regressor_takes_them() -> None:
    model = _Doubling(_Recorder()).fit(None, None)
    assert model.update(3, 5) is model
    model.forget(4, 6, sample_weight=[7.0])
    assert model.regressor_.given == [("update", 6, 5, {}), ("forget", 8, 6, {"sample_weight": [7.0]})]


def test_the_first_part_is_fitted_and_later_ones_are_added() -> None:
    model = _Doubling(_Recorder())
    model.partial_fit(1, 2, [3.0]).partial_fit(10, 20)
    assert model.first_ == (1, 2, [3.0])
    assert model.regressor_.given == [("update", 20, 20, {})]


@pytest.mark.parametrize("fitted", [False, True])
def test_only_what_the_regressor_has_is_offered(fitted: bool) -> None:
    model = _Doubling(_Recorder())
    if fitted:
        model.fit(None, None)
    assert hasattr(model, "update")
    assert not hasattr(model, "refit")
    assert offers("update")(model)
    assert not offers("refit")(model)


def test_the_regressor_is_at_the_end_of_any_pipeline() -> None:
    inner = GaussianProcess()
    assert last_step(inner) is inner
    assert last_step(make_pipeline(StandardScaler(), make_pipeline(StandardScaler(), inner))) is inner


def test_what_the_regressor_takes_the_wrapper_takes() -> None:
    wrapper = _Doubling(NeuralLinear())
    assert get_tags(wrapper).input_tags == get_tags(NeuralLinear()).input_tags
    assert get_tags(wrapper).target_tags.multi_output
    assert not tags_like(get_tags(wrapper), BayesianRidge()).target_tags.multi_output


def test_a_wrapper_says_whether_it_is_fitted() -> None:
    model = _Doubling(_Recorder())
    assert not model.__sklearn_is_fitted__()
    assert model.fit(np.ones((1, 1)), np.ones(1)).__sklearn_is_fitted__()


def test_an_incomplete_wrapper_cannot_be_made() -> None:
    unfinished: Any = AbstractWrapper
    with pytest.raises(TypeError, match="abstract"):
        unfinished()
