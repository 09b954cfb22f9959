import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import kstest, norm

from unabases.datasets import cubic, cubic_gap


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


@pytest.mark.parametrize("noise_std", [0.5, 3])
def test_noise_is_normal_around_the_cube(noise_std):
    data = cubic_gap(n=5000, noise_std=noise_std)
    for X, y in ((data.X_train, data.y_train), (data.X_test, data.y_test)):
        assert kstest(y - X[:, 0] ** 3, norm(0, noise_std).cdf).pvalue > 1e-3
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
