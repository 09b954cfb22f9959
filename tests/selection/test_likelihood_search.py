"""The plain search takes the likeliest trial of any regressor."""

import pytest

from tests.selection.cases import FAST, SMALL, X, Y
from unabases import GaussianProcess, NeuralLinear
from unabases.selection import LikelihoodSearch, Space


@pytest.mark.parametrize(
    ("estimator", "space"),
    [(NeuralLinear(**FAST), None), (GaussianProcess(restarts=0), {"kernel": ["matern", "rbf"], "ard": [True, False]})],
)
def test_other_regressors_by_likelihood(estimator, space):
    model = LikelihoodSearch(estimator, space=space, **SMALL).fit(X, Y)
    assert model.best_index_ == model.results_["log_likelihood"].idxmax()
    assert type(model.best_estimator_) is type(estimator)
    assert model.score(X, Y) > 0.7


def test_the_default_space_is_logarithmic():
    assert LikelihoodSearch()._default_space() == Space(gamma=(0.01, 100.0, "log"))


def test_the_description_holds_the_shared_parameters():
    for name in LikelihoodSearch().get_params():
        assert f"\n{name} : " in LikelihoodSearch.__doc__, name
