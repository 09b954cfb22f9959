"""Stretched predictions: their intervals are where they were put, and the rest follows from one density."""

import pickle
import warnings
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import quad
from scipy.stats import kstest

from unabases.metrics import crps
from unabases.predictive import Mixture, Normal, Stretched, StudentT, Transformed
from unabases.predictive.curve import fit_curve
from unabases.predictive.stretched import core_of, distances, stretch

LEVELS, WIDTHS = [0.5, 0.8, 0.95], [0.4, 2.0, 2.5]
BASES = {
    "normal": Normal([2.0], [0.6], 0.8),
    "t": StudentT([2.0], [0.6], 0.8, 4.0),
    "twice": Stretched(Normal([2.0], [0.3], 0.4), [0.7], [2.1]),
}
BOTH = Normal([[1.0, -2.0], [0.5, 3.0]], [[0.3, 1.0], [2.0, 0.1]], [0.4, 0.7])
EACH = np.array([[0.4, 1.0], [2.0, 1.5], [2.5, 4.0]])
kinds = pytest.mark.parametrize("base", BASES.values(), ids=BASES)


@pytest.fixture(autouse=True)
def _no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@kinds
def test_intervals_end_where_they_were_put(base):
    made = Stretched(base, LEVELS, WIDTHS)
    for level, width in zip(LEVELS, WIDTHS, strict=True):
        lower, upper = made.interval(level)
        assert_allclose([lower, upper], [2.0 - width * base.std, 2.0 + width * base.std])
        assert_allclose(made.cdf(upper), (1 + level) / 2)


@kinds
def test_the_density_has_the_stated_probabilities_mean_and_variance(base):
    made = Stretched(base, LEVELS, WIDTHS)
    ends = 2.0 + np.array([-np.inf, -2.5, -2.1, -2, -0.4, 0, 0.4, 2, 2.1, 2.5, np.inf]) * base.std

    def moment(power):
        parts = pairwise(ends)
        return sum(quad(lambda y: (y - 2.0) ** power * np.exp(made.log_prob(y))[0], *p, limit=200)[0] for p in parts)

    accurate = 1e-4 if isinstance(base, Stretched) else 1e-6  # whose density has steps between the nodes of the sum
    assert_allclose([moment(0), moment(1), moment(2)], [1.0, 0.0, made.var[0]], rtol=accurate, atol=1e-6)
    assert_allclose(made.epistemic_std / made.noise_std, base.epistemic_std / base.noise_std)
    area = quad(lambda y: np.exp(made.log_prob(y))[0], ends[3], 3.1, points=[ends[4], ends[6]])[0]
    assert_allclose(made.cdf(3.1) - made.cdf(ends[3]), [area], rtol=1e-6)


@kinds
def test_quantiles_invert_probabilities_and_reach_the_ends(base):
    made, q = Stretched(base, LEVELS, WIDTHS), np.array([1e-6, 0.03, 0.5, 0.93])
    assert_allclose(made.cdf(made.quantile(q))[:, 0], q)
    assert_array_equal(made.quantile([0.0, 1.0]), [[-np.inf], [np.inf]])


def test_beyond_the_last_level_it_is_a_multiple_of_the_base():
    base = BASES["t"]
    made = Stretched(base, [0.9], [2 * float(base._quantile(np.array(0.95)))])
    assert_allclose(made.quantile(0.999) - 2.0, 2 * (base.quantile(0.999) - 2.0))
    assert_allclose(made.std, 2 * base.std)  # and here everywhere
    assert_allclose(made.log_prob([7.0]), base.scaled(4.0, 4.0).log_prob([7.0]))
    assert_allclose(crps(made, [3.0]), crps(base.scaled(4.0, 4.0), [3.0]), rtol=1e-5)


def test_outputs_have_widths_of_their_own():
    made = Stretched(BOTH, LEVELS, EACH)
    for j in range(2):
        one = Stretched(Normal(BOTH.mean[:, j], BOTH.epistemic_std[:, j], BOTH.noise_std[:, j]), LEVELS, EACH[:, j])
        y = np.array([1.3, -0.4])
        assert_allclose(made.log_prob(np.tile(y[:, None], 2))[:, j], one.log_prob(y))
        assert_allclose(made.std[:, j], one.std)
        assert_allclose(made.quantile([0.1, 0.99])[..., j], one.quantile([0.1, 0.99]))


def test_rows_factors_and_noise_keep_the_shape():
    made = Stretched(BOTH, LEVELS, EACH).labelled(np.array(["a", "b"]))
    assert_allclose(made[1:].interval(0.8), np.array(made.interval(0.8))[:, 1:])
    assert made[1:].index.tolist() == ["b"]
    wider = made.scaled(4.0, 4.0)
    assert_allclose(np.array(wider.interval(0.8)) - made.mean, 2 * (np.array(made.interval(0.8)) - made.mean))
    assert_allclose(made.with_noise([[1.0, 2.0]] * 2).noise_std, [[1.0, 2.0]] * 2)
    assert_array_equal(pickle.loads(pickle.dumps(made)).std, made.std)


def test_covariance_and_draws():
    root = np.array([[2.0], [2.0]])
    made = Stretched(Normal([1.0, 1.0], [2.0, 2.0], 1.0, root), LEVELS, WIDTHS)
    assert_allclose(np.diag(made.covariance), made.epistemic_std**2)
    y = made.sample(4000, random_state=0)
    assert kstest(y[:, 0], lambda v: made.cdf(np.c_[v, v])[:, 0]).pvalue > 0.01
    f = made.sample(10, random_state=0, noise=False)
    assert_allclose(f[:, 0], f[:, 1])  # one function


def test_nan_stays_nan_and_a_point_stays_a_point():
    assert np.isnan(Stretched(Normal([np.nan], [1.0], 1.0), [0.5], [1.0]).log_prob([0.0])).all()
    certain = Stretched(Normal([2.0], [0.0], 0.0), [0.5], [1.0])
    assert_array_equal(certain.quantile(0.9), [2.0])
    assert_array_equal(certain.cdf([2.5]), [1.0])


@pytest.mark.parametrize(
    ("levels", "widths", "message"),
    [
        ([], [], "`levels` must rise"),
        ([0.9, 0.5], [1.0, 2.0], "`levels` must rise"),
        ([0.5, 1.0], [1.0, 2.0], "`levels` must rise"),
        ([0.5, 0.9], [1.0], "a line for each of 2 levels"),
        ([0.5, 0.9], [1.0, 1.0], "`widths` must be finite and rise"),
        ([0.5, 0.9], [1.0, np.inf], "`widths` must be finite and rise"),
        ([0.5], [0.0], "`widths` must be finite and rise"),
    ],
)
def test_impossible_widths_are_refused(levels, widths, message):
    with pytest.raises(ValueError, match=message):
        Stretched(BASES["normal"], levels, widths)


class TestAnyPrediction:
    CURVE = fit_curve(np.random.default_rng(1).lognormal(0, 1, (50, 1)), 0.5)

    def test_distances_are_what_widths_count_in(self):
        for prediction in (*BASES.values(), Mixture([[0.0], [2.0]], 0.5), Transformed(BASES["t"], self.CURVE)):
            made = stretch(prediction, LEVELS, WIDTHS)
            for level, width in zip(LEVELS, WIDTHS, strict=True):
                for end in made.interval(level):
                    assert_allclose(distances(prediction, end), width)

    def test_a_curved_scale_stays_and_so_does_the_median(self):
        prediction = Transformed(BASES["normal"], self.CURVE)
        made = stretch(prediction, LEVELS, WIDTHS)
        assert isinstance(made, Transformed)
        assert_allclose(made.quantile(0.5), prediction.quantile(0.5))

    def test_a_mixture_becomes_gaussian_with_its_moments(self):
        mixture = Mixture(np.random.default_rng(0).normal(size=(5, 4, 2)), 0.3)
        core = core_of(mixture)
        for name in ("mean", "std", "epistemic_std", "covariance"):
            assert_allclose(getattr(core, name), getattr(mixture, name))

    def test_a_certain_prediction_that_is_wrong_is_infinitely_far(self):
        assert_array_equal(distances(Normal([1.0, 1.0], [0.0, 0.0], 0.0), [1.0, 2.0]), [0.0, np.inf])


def test_tails_that_differ_from_row_to_row_become_normal():
    base = StudentT([2.0, 3.0], [0.6, 1.0], 0.8, [3.0, 8.0])
    core = core_of(base)
    assert isinstance(core, Normal)
    assert_array_equal(core.std, base.std)
    curve = fit_curve(np.array([[2.0], [50.0]]), 0.0, ratio=True)
    assert isinstance(core_of(Transformed(base, curve)), Normal)
