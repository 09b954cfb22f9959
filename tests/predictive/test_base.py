"""What every kind of prediction offers."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm

from unabases.predictive import AbstractPredictive, Mixture, Normal
from unabases.predictive.base import PolarsRows

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


class TestScaled:
    @either
    def test_variances_are_multiplied_and_the_mean_stays(self, prediction):
        epistemic, noise = np.array([4.0, 0.25, 0.0]), np.array([1.0, 9.0, 2.0])
        made = prediction.scaled(epistemic, noise)
        assert type(made) is type(prediction)
        assert_array_equal(made.mean, prediction.mean)
        assert_allclose(made.epistemic_std**2, epistemic * prediction.epistemic_std**2, atol=1e-30)
        assert_allclose(made.noise_std**2, noise * prediction.noise_std**2)

    @either
    def test_a_factor_of_one_changes_nothing(self, prediction):
        y = RNG.normal(size=(4, 3))
        assert_allclose(prediction.scaled().log_prob(y), prediction.log_prob(y))

    def test_the_covariance_between_rows_grows_by_the_factor(self):
        root = RNG.normal(size=(2, 4, 5))
        normal = Normal(np.zeros((4, 2)), np.linalg.norm(root, axis=-1).T, 1.0, root)
        wider = normal.scaled([9.0, 2.0])
        assert_allclose(wider.covariance, np.array([9.0, 2.0])[:, None, None] * normal.covariance)
        factors = RNG.uniform(0.5, 2, (4, 2))
        between = np.sqrt(factors.T[:, :, None] * factors.T[:, None, :])
        assert_allclose(normal.scaled(factors).covariance, between * normal.covariance)
        mixture = PREDICTIONS[1]
        assert_allclose(mixture.scaled(9.0).covariance, 9 * mixture.covariance)
        vector = Normal(np.zeros(4), np.linalg.norm(root[0], axis=-1), 1.0, root[0]).scaled(3.0)
        assert_allclose(vector.covariance, 3 * root[0] @ root[0].T)

    @either
    def test_elements_may_have_factors_of_their_own(self, prediction):
        factors = RNG.uniform(0.5, 2, (4, 3))
        assert_allclose(prediction.scaled(factors).epistemic_std, np.sqrt(factors) * prediction.epistemic_std)

    def test_the_density_of_a_normal_has_the_new_variance(self):
        made = Normal([1.0], [2.0], 3.0).scaled(0.5, 2.0)
        assert_allclose(made.log_prob([4.0]), norm.logpdf([4.0], 1.0, np.sqrt(0.5 * 4 + 2 * 9)))

    def test_members_move_away_from_their_mean(self):
        assert_allclose(Mixture([[0.0], [2.0]], 1.0).scaled(4.0).members, [[-1.0], [3.0]])

    @either
    @pytest.mark.parametrize(
        ("factor", "message"),
        [(-1.0, "zero or positive"), (np.nan, "zero or positive"), ([1.0, 2.0], "one for each output")],
    )
    def test_an_impossible_factor_is_refused(self, prediction, factor, message):
        with pytest.raises(ValueError, match=message):
            prediction.scaled(epistemic=factor)


def test_a_table_has_a_line_for_each_row_with_its_label():
    one = PREDICTIONS[0]
    single = Normal(one.mean[:, 0], one.epistemic_std[:, 0], one.noise_std[:, 0]).labelled(pd.Index(list("abcd")))
    table = single.to_frame(level=0.5)
    assert list(table.columns) == ["mean", "std", "epistemic_std", "noise_std", "lower", "upper"]
    assert_array_equal(table["std"], single.std)
    assert_array_equal(table[["lower", "upper"]].to_numpy().T, single.interval(0.5))
    assert table.index.tolist() == ["a", "b", "c", "d"]
    assert single[1:3].to_frame().index.tolist() == ["b", "c"]
    assert single[np.array([True, False, False, True])].to_frame().index.tolist() == ["a", "d"]
    assert single[-1].to_frame().index.tolist() == ["d"]
    assert single.scaled(2.0).with_noise(1.0).to_frame().index.tolist() == ["a", "b", "c", "d"]
    assert single.to_frame(index=[1, 2, 3, 4]).index.tolist() == [1, 2, 3, 4]


@either
def test_a_table_of_several_outputs_names_the_output_first(prediction):
    table = prediction.to_frame()
    assert table.shape == (4, 18)
    assert table.index.tolist() == [0, 1, 2, 3]
    assert_array_equal(table[2]["mean"], prediction.mean[:, 2])


@either
def test_a_prediction_of_a_polars_table_becomes_one(prediction):
    polars = pytest.importorskip("polars")
    table = prediction.labelled(PolarsRows())[1:].to_frame()
    assert isinstance(table, polars.DataFrame)
    assert table.columns[:7] == ["mean_0", "std_0", "epistemic_std_0", "noise_std_0", "lower_0", "upper_0", "mean_1"]
    assert_array_equal(table["upper_2"].to_numpy(), prediction.interval()[1][1:, 2])
