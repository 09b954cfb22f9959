import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import kstest, norm

from unabases.datasets import cubic, cubic_gap, squiggle, squiggle_gap


def test_shapes_and_facts():
    data = cubic_gap()
    assert data.X_train.shape == data.X_test.shape == (100, 1)
    assert data.y_train.shape == data.y_test.shape == (100,)
    assert (data.sigma2, data.gap) == (9.0, (-2.0, 2.0))
    assert data.gap_grid.shape == (101, 1)
    assert (data.gap_grid[0, 0], data.gap_grid[50, 0], data.gap_grid[-1, 0]) == (-1.5, 0, 1.5)
    assert_allclose(np.diff(data.gap_grid[:, 0]), 0.03)


def test_inputs_are_uniform_on_both_sides_and_never_in_the_gap():
    data = cubic_gap(n=5000)
    for X in (data.X_train, data.X_test):
        x = X[:, 0]
        assert abs(x).min() >= 2
        assert abs(x).max() <= 4
        assert kstest(abs(x), "uniform", args=(2, 2)).pvalue > 1e-3
        assert abs((x > 0).mean() - 0.5) < 4 * 0.5 / np.sqrt(5000)


@pytest.mark.parametrize("make", [cubic_gap, squiggle_gap])
@pytest.mark.parametrize("noise_std", [0.5, 3])
def test_noise_is_normal_around_the_function(make, noise_std):
    data = make(n=5000, noise_std=noise_std)
    for part in ("train", "test", "gap_train", "gap_test"):
        X, y = getattr(data, f"X_{part}"), getattr(data, f"y_{part}")
        assert kstest(y - data.function(X[:, 0]), norm(0, noise_std).cdf).pvalue > 1e-3
    assert data.sigma2 == noise_std**2


def test_without_noise_the_targets_are_the_function():
    data = cubic_gap(noise_std=0.0)
    assert_array_equal(data.y_test, data.function(data.X_test[:, 0]))
    assert_array_equal(cubic(np.array([-2.0, 0.0, 3.0])), [-8, 0, 27])


def test_a_seed_fixes_the_data():
    assert_array_equal(cubic_gap(random_state=3).y_train, cubic_gap(random_state=3).y_train)
    assert not np.any(cubic_gap(random_state=3).y_train == cubic_gap(random_state=4).y_train)
    data = cubic_gap()
    assert not np.any(data.X_train == data.X_test)


@pytest.mark.parametrize(("arguments", "name"), [({"n": 0}, "n"), ({"noise_std": -1.0}, "noise_std")])
def test_bad_arguments_are_named(arguments, name):
    with pytest.raises(ValueError, match=f"`{name}`"):
        cubic_gap(**arguments)


def test_gap_data_are_uniform_in_the_gap():
    data = squiggle_gap(n=5000)
    for X in (data.X_gap_train, data.X_gap_test):
        assert kstest(X[:, 0], "uniform", args=(-2, 4)).pvalue > 1e-3
    assert not np.any(data.X_gap_train == data.X_gap_test)


def test_the_squiggle_by_hand():
    x = np.pi / 20  # sin(10 x) = 1
    assert_allclose(squiggle(np.array([x, -x])), [x**3 + 20 * np.exp(-(x**2)), -(x**3) - 20 * np.exp(-(x**2))])
    assert squiggle(np.array([0.0])) == 0


def test_the_squiggle_is_nearly_the_cube_outside_the_gap():
    x = np.concatenate([np.linspace(-4, -2, 500), np.linspace(2, 4, 500)])
    assert abs(squiggle(x) - cubic(x)).max() <= 20 * np.exp(-4)
    assert abs(squiggle(np.linspace(-2, 2, 999)) - cubic(np.linspace(-2, 2, 999))).max() > 19


def test_both_gaps_share_their_inputs_and_noise():
    a, b = cubic_gap(random_state=1), squiggle_gap(random_state=1)
    assert_array_equal(a.X_train, b.X_train)
    assert_allclose(a.y_gap_test - cubic(a.X_gap_test[:, 0]), b.y_gap_test - squiggle(b.X_gap_test[:, 0]), atol=1e-12)


def test_a_seed_means_the_same_data_for_good():
    data = cubic_gap()
    assert_allclose(data.X_train[:2, 0], [2.5478467492858172, -2.9208531449445188], rtol=1e-12)
    assert_allclose(data.y_test[:2], [-35.20204433203455, 20.371298329485462], rtol=1e-12)
