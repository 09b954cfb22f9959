import numpy as np
import pytest
from numpy.testing import assert_allclose

from unabases import GaussianProcess
from unabases.regressors.shared.scaling import fit_scales


def data():
    rng = np.random.default_rng(0)
    return rng.normal(size=(50, 3)) * [1.0, 10.0, 0.0] + [5.0, 0.0, 2.0], rng.normal(size=(50, 2)) * [1.0, 100.0]


def test_each_column_has_its_own_spread():
    X, y = data()
    of_inputs, of_targets = fit_scales(X, y, True)
    assert_allclose(of_inputs.apply(X).std(axis=0), [1, 1, 0], atol=1e-12)
    assert_allclose(of_targets.apply(y).std(axis=0), 1)


def test_a_common_spread_keeps_the_ratio_of_inputs_and_leaves_targets_alone():
    X, y = data()
    of_inputs, of_targets = fit_scales(X, y, "common")
    Z = of_inputs.apply(X)
    assert_allclose(Z.mean(axis=0), 0, atol=1e-12)
    assert_allclose(Z[:, 1].std() / Z[:, 0].std(), X[:, 1].std() / X[:, 0].std())
    assert_allclose(np.mean(Z[:, :2].var(axis=0)), 1)
    assert_allclose(of_targets.apply(y).std(axis=0), 1)


def test_a_common_spread_of_constants_is_one():
    assert_allclose(fit_scales(np.ones((5, 2)), np.ones((5, 1)), "common")[0].spread, 1)


def test_nothing_is_scaled_when_switched_off():
    X, y = data()
    for scale in fit_scales(X, y, False):
        assert_allclose(scale.spread, 1)
        assert_allclose(scale.center, 0)


def test_an_unknown_word_is_refused():
    X, y = data()
    with pytest.raises(ValueError, match="`standardize` must be True, False or \"common\"; got 'all'"):
        GaussianProcess(standardize="all").fit(X, y)


@pytest.mark.parametrize("size", [1e155, 1e200, 1e300, 1e-165, 1e-310])
@pytest.mark.parametrize("standardize", [True, False])
def test_targets_whose_squares_are_no_numbers_are_refused(size, standardize):
    X, y = data()
    with pytest.raises(ValueError, match=r"largest of the targets is .*Choose another unit: (divide|multiply)"):
        GaussianProcess(standardize=standardize).fit(X, y * size)


@pytest.mark.parametrize("size", [1e-149, 1e147])
def test_targets_of_any_other_size_are_predicted_with_their_uncertainty(size):
    X, y = data()
    plain = GaussianProcess(restarts=0).fit(X, y[:, 0]).predict_dist(X)
    d = GaussianProcess(restarts=0).fit(X, y[:, 0] * size).predict_dist(X)
    assert_allclose(d.mean / size, plain.mean, rtol=1e-5, atol=1e-6)
    assert_allclose(d.epistemic_std / size, plain.epistemic_std, rtol=1e-4, atol=1e-6)
    assert_allclose(d.noise_std / size, plain.noise_std, rtol=1e-5)


def test_scales_count_rows_by_their_weights():
    X, y = data()
    weight = np.arange(50) % 3
    for standardize in (True, "common"):
        repeated = fit_scales(np.repeat(X, weight, axis=0), np.repeat(y, weight, axis=0), standardize)
        for one, other in zip(fit_scales(X, y, standardize, 1.0 * weight), repeated, strict=True):
            assert_allclose(one.center, other.center)
            assert_allclose(one.spread, other.spread)
