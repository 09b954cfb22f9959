import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from unabases.objectives import Batch
from unabases.training import bucket, make_batch, pad_rows
from unabases.training.batches import Shuffle

from .conftest import fit_ridge, linear_data, ridge, weights


@given(st.integers(1, 10**7), st.integers(0, 10**4))
def test_buckets_hold_the_rows_in_order_and_waste_little(n, more):
    size = bucket(n)
    assert size >= n
    assert size % 16 == 0
    assert bucket(size) == size
    assert bucket(n + more) >= size
    if n >= 128:
        assert size - n <= n / 8
    else:
        assert size - n < 16


def test_there_are_few_buckets():
    assert len({bucket(n) for n in range(1, 100_000)}) < 100


def test_a_batch_is_padded_with_rows_of_no_weight():
    X, y = linear_data(20)
    batch = make_batch(X, y, "float64")
    assert_array_equal(batch.X[:20], X)
    assert_array_equal(batch.y[:20], y)
    assert_array_equal(batch.weight, np.arange(32) < 20)
    assert batch.X.shape == (32, 2)
    assert batch.total == 20
    assert {a.dtype for a in batch} == {np.dtype("float64")}
    assert {a.dtype for a in make_batch(X, y)} == {np.dtype("float32")}


@pytest.mark.parametrize("contents", [0.0, 1e3])
def test_training_does_not_see_the_padding(contents):
    X, y = linear_data()
    padding = np.full((28, 1), contents)
    padded = Batch(
        np.concatenate([X, np.repeat(padding, 2, axis=1)]),
        np.concatenate([y, padding]),
        (np.arange(48) < 20).astype(float),
        np.asarray(20.0),
    )
    bare = Batch(X, y, np.ones(20), np.asarray(20.0))
    a, b = fit_ridge(data=padded), fit_ridge(data=bare)
    assert_allclose(weights(a), weights(b), rtol=1e-12)
    assert_allclose(a.history["loss"], b.history["loss"], rtol=1e-12)


def test_padding_repeats_a_real_row_so_that_features_undefined_at_zero_work():
    X, y = linear_data(20)
    batch = make_batch(X, y)
    assert_array_equal(batch.X[20:], np.repeat(batch.X[19:20], 12, axis=0))
    assert pad_rows(np.arange(3.0)[:, None], 5)[:, 0].tolist() == [0.0, 1.0, 2.0, 2.0, 2.0]
    stack = np.arange(12.0).reshape(2, 3, 2)  # two models with targets of their own
    assert_array_equal(pad_rows(stack, 4)[:, 3], stack[:, 2])


@pytest.mark.parametrize("size", [1, 3, 5])
def test_every_row_is_dealt_once_an_epoch(size):
    rows = np.array([2, 3, 5, 7, 11, 13, 17])
    shuffle = Shuffle(rows, np.random.default_rng(0))
    dealt = np.concatenate([shuffle.take(count, size).ravel() for count in (7, 1, 4, 9)])
    epochs = dealt[: len(dealt) // 7 * 7].reshape(-1, 7)
    assert_array_equal(np.sort(epochs, axis=1), np.tile(rows, (len(epochs), 1)))
    assert len(np.unique(epochs, axis=0)) > 1


def test_losses_of_an_epoch_average_to_that_of_all_rows():
    still = {"learning_rate": 1e-30, "steps": 40, "gammas": (0.0,)}
    full, parts = fit_ridge(**still).history["fit"][0], fit_ridge(batch_size=5, **still).history["fit"][0]
    assert_allclose(parts.reshape(10, 4).mean(axis=1), full[:10])
    assert np.ptp(parts) > 0.1


def test_mini_batches_reach_nearly_the_same_solution():
    trained = fit_ridge(steps=2000, learning_rate=0.1, decay="linear", batch_size=5)
    assert_allclose(weights(trained)[0], ridge(*linear_data(), 0.5), atol=0.02)


def test_a_batch_of_all_rows_is_full_batch():
    for size in (20, 1000):
        assert_array_equal(weights(fit_ridge(batch_size=size)), weights(fit_ridge()))


def test_weights_are_padded_with_zeros_and_their_sum_is_the_total():
    shared = make_batch(np.zeros((20, 1)), np.zeros((20, 1)), weight=np.full(20, 0.5))
    assert_array_equal(shared.weight, np.r_[np.full(20, 0.5), np.zeros(12)])
    assert shared.total == 10
    own = make_batch(np.zeros((20, 1)), np.zeros((20, 1)), weight=np.ones((3, 20)) * [[1], [2], [3]])
    assert own.weight.shape == (3, 32)
    assert_array_equal(own.total, [20, 40, 60])
