"""What every kind of prediction offers."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from unabases.predictive import AbstractPredictive, Mixture, Normal

RNG = np.random.default_rng(0)
PREDICTIONS = [
    Normal(RNG.normal(size=(4, 3)), RNG.uniform(0.1, 2, (4, 3)), RNG.uniform(0.1, 2, (4, 3))),
    Mixture(RNG.normal(size=(5, 4, 3)), RNG.uniform(0.1, 2, (4, 3))),
]
either = pytest.mark.parametrize("prediction", PREDICTIONS, ids=["normal", "mixture"])


def test_the_interface_cannot_be_instantiated():
    with pytest.raises(TypeError, match="abstract"):
        AbstractPredictive()  # pyright: ignore[reportAbstractUsage]


@either
def test_total_spread_is_epistemic_and_noise_together(prediction):
    assert len(prediction) == 4
    assert prediction.shape == (4, 3)
    assert_allclose(prediction.var, prediction.epistemic_std**2 + prediction.noise_std**2)
    assert_allclose(prediction.std, np.sqrt(prediction.var))


@either
@pytest.mark.parametrize("level", [0.1, 0.5, 0.9, 0.99])
def test_interval_is_central_and_holds_its_level(level, prediction):
    lower, upper = prediction.interval(level)
    assert_allclose(prediction.cdf(upper) - prediction.cdf(lower), np.full((4, 3), level))
    assert_allclose(prediction.cdf(lower), np.full((4, 3), (1 - level) / 2))


@pytest.mark.parametrize("level", [0.1, 0.5, 0.9, 0.99])
def test_interval_of_a_normal_is_symmetric_about_its_mean(level):
    lower, upper = PREDICTIONS[0].interval(level)
    assert_allclose(upper - PREDICTIONS[0].mean, PREDICTIONS[0].mean - lower)


def test_interval_knows_the_tables():
    lower, upper = Normal([0.0], [0.0], 1.0).interval()
    assert_allclose([lower[0], upper[0]], [-1.6448536269514722, 1.6448536269514722])


@either
@pytest.mark.parametrize("level", [0.0, 1.0, -0.1, np.nan])
def test_level_outside_the_unit_interval(level, prediction):
    with pytest.raises(ValueError, match="strictly between 0 and 1"):
        prediction.interval(level)


@either
def test_level_in_percent_gets_a_hint(prediction):
    with pytest.raises(ValueError, match=r"for 90 % give 0\.9"):
        prediction.interval(90.0)
