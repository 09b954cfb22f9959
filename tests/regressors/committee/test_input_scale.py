"""Whether logarithms of inputs are found promising where they are, and not elsewhere."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from unabases.regressors.committee.input_scale import choose_scales
from unabases.regressors.shared.weights import WeightedRows

N = 120


@pytest.fixture
def sizes():
    """Two columns of sizes, one of numbers around 0 and one of two levels."""
    rng = np.random.default_rng(0)
    plain = np.c_[rng.standard_normal(N), rng.integers(2, size=N)]
    return np.hstack([np.exp(rng.standard_normal((N, 2))), plain])


def noise():
    return np.exp(0.1 * np.random.default_rng(1).standard_normal(N))


def choose(X, y, inputs="auto", target="auto"):
    return choose_scales(WeightedRows(X, y.reshape(N, -1), None), inputs, target)


def test_a_power_law_asks_for_logarithms(sizes):
    y = sizes[:, 0] ** 1.5 / sizes[:, 1] * noise()
    seen = choose(sizes, y).otherwise
    assert_array_equal(seen.inputs.bent, [1.0, 1.0, 0.0, 0.0])
    assert_array_equal(seen.target.power, [0.0])
    assert choose(sizes, np.log(y), target="identity").otherwise.target is None


def test_units_do_not_matter(sizes):
    y = sizes[:, 0] ** 1.5 / sizes[:, 1] * noise()
    one, other = (choose(unit * sizes, y).otherwise.inputs for unit in (1.0, 1e-6))
    np.testing.assert_allclose(one(sizes)[:, :2], other(1e-6 * sizes)[:, :2])


def test_a_logarithm_goes_on_beyond_the_rows(sizes):
    X = np.c_[sizes[:, 0], sizes[:, 1] - 0.5 * sizes[:, 1].min(), sizes[:, 2:]]
    curve = choose(X, X[:, 0] ** 1.5 / X[:, 1] * noise()).otherwise.inputs
    low, high = X.min(axis=0), X.max(axis=0)
    ends = np.array([low / 3.9, low, high, 3.9 * high])
    np.testing.assert_allclose(np.diff(curve(ends)[:, :2], axis=0), np.diff(np.log(ends[:, :2]), axis=0))


def test_zeros_are_taken(sizes):
    counts = np.round(5 * sizes[:, :1])
    assert np.min(counts) == 0
    assert choose(counts, np.log1p(counts[:, 0]) + 0.1 * np.log(noise())).otherwise is not None


def test_nothing_is_tried_where_nothing_is_asked(sizes):
    assert choose(sizes, sizes[:, 0] ** 1.5 / sizes[:, 1] * noise(), inputs="identity").otherwise is None


def test_what_depends_on_the_sizes_themselves_needs_none(sizes):
    assert choose(sizes, 2 * sizes[:, 0] - sizes[:, 1] + np.log(noise())).otherwise is None
    even = np.random.default_rng(2).uniform(1, 1.5, (N, 2))  # a factor of 1.5 is too little to try
    assert choose(even, even[:, 0] / even[:, 1] + np.log(noise())).otherwise is None


def test_huge_ranges_do_not_make_tiny_values_large(sizes):
    tiny, mixed = 10.0 ** np.linspace(-300, 0, N), np.r_[1e-30, np.full(N - 1, 1.0)]
    X = np.c_[sizes[:, 0], np.full(N, 7.0), tiny, mixed]
    seen = choose(X, np.log(sizes[:, 0]) + 0.1 * np.log(noise())).otherwise.inputs
    assert_array_equal(seen.bent, [1, 0, 1, 0])  # neither a column of one value, nor of two
    assert np.ptp(seen(X)[:, 2]) < 10


def test_few_rows_decide_nothing():
    x = np.exp(np.linspace(0, 5, 20))[:, None]
    assert choose_scales(WeightedRows(x, np.log(x), None), "auto", "auto").otherwise is None
