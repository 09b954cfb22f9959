"""A network whose parts do not meet, before and after training steps."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

from unabases.features import MLP, AdditiveMLP

PARTS = (0, 1, 1, 2)
CORNERS = np.random.default_rng(0).normal(size=(2, 5, 4)).astype(np.float32)


def interaction(phi):
    """What features change by when the first input moves, at one value of the others less at another: 0 in a sum."""
    here, there = CORNERS
    moved = [np.concatenate([there[:, :1], rest[:, 1:]], axis=1) for rest in (here, there)]
    kept = [np.concatenate([here[:, :1], rest[:, 1:]], axis=1) for rest in (here, there)]
    change = [np.asarray(jax.vmap(phi)(a) - jax.vmap(phi)(b)) for a, b in zip(moved, kept, strict=True)]
    return np.abs(change[0] - change[1]).max()


@pytest.fixture(scope="module")
def phi():
    return AdditiveMLP(PARTS, (9, 6), key=jax.random.key(0))


def test_each_feature_depends_on_one_part(phi):
    slopes = np.abs(jax.vmap(jax.jacrev(phi))(CORNERS.reshape(-1, 4))).max(axis=0)  # (features, inputs)
    for unit, row in enumerate(slopes):
        assert set(np.flatnonzero(row)) <= set(np.flatnonzero(np.array(PARTS) == unit % 3))
    assert np.all(slopes.max(axis=0) > 0)  # and every input is seen


def test_parts_stay_apart_when_weights_change(phi):
    later = jax.tree.map(lambda leaf: leaf + 0.3 if eqx.is_inexact_array(leaf) else leaf, phi)
    assert interaction(later) < 1e-5
    assert interaction(MLP(4, (9, 6), key=jax.random.key(0))) > 1e-3


def test_one_part_is_the_plain_network():
    plain, whole = (make(key=jax.random.key(1)) for make in (lambda key: MLP(4, (9, 6), key=key), one_part))
    assert_allclose(jax.vmap(whole)(CORNERS[0]), jax.vmap(plain)(CORNERS[0]), atol=1e-6)


def one_part(key):
    return AdditiveMLP((0, 0, 0, 0), (9, 6), key=key)


def test_weights_start_as_wide_as_in_a_network_of_the_part_alone():
    wide = AdditiveMLP((0, 1, 1, 1), (200, 200), key=jax.random.key(2))
    first, second = (np.asarray(W) for W in wide.plain.weights)
    assert_allclose([np.abs(first[::2, 0]).max(), np.abs(first[1::2, 1:]).max()], [1.0, 1 / np.sqrt(3)], rtol=0.1)
    assert_allclose(np.abs(second).max(), 1 / np.sqrt(100), rtol=0.1)


def test_more_parts_than_units_leave_some_out():
    phi = AdditiveMLP(range(8), (6, 4), key=jax.random.key(3))
    assert np.all(np.isfinite(phi(jnp.ones(8))))
