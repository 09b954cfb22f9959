"""Features of many rows, block by block, are the features of each row."""

import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

from unabases.regressors.networks import feature_blocks


def phi(x):
    return jnp.stack([x.sum(), x[0] * x[1]])


@pytest.mark.parametrize("n", [1, 7, 40])
def test_blocks_give_what_each_row_gives(monkeypatch, n):
    monkeypatch.setattr(feature_blocks, "ROWS", 16)
    Z = np.random.default_rng(0).standard_normal((n, 2)).astype(np.float32)
    expected = np.column_stack([Z.sum(axis=1), Z[:, 0] * Z[:, 1]])
    assert_allclose(feature_blocks.apply_rows(phi, Z), expected, rtol=1e-6)
