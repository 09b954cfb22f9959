import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from unabases.training.loop import Shuffle

from .conftest import fit_ridge, ridge, weights
from .conftest import linear_data as data


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
    assert_allclose(weights(trained)[0], ridge(*data(), 0.5), atol=0.02)


def test_a_batch_of_all_rows_is_full_batch():
    for size in (20, 1000):
        assert_array_equal(weights(fit_ridge(batch_size=size)), weights(fit_ridge()))
