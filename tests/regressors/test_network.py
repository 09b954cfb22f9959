"""Networks as lists of arrays and back, and the optimisers and feature maps that users name."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from numpy.testing import assert_array_equal

from unabases.features import MLP
from unabases.regressors.network import checked_features, find_optimizer, in_float64, leaves_of, numbered, refill


def network(seed, widths=(4, 3)):
    return MLP(2, widths, "tanh", key=jax.random.key(seed))


def test_arrays_of_one_network_fill_another_of_its_shape():
    one, other = network(0), network(1)
    filled = refill(other, [np.asarray(leaf) for leaf in leaves_of(one)])
    x = jnp.array([0.3, -0.2])
    assert_array_equal(filled(x), one(x))


def test_arrays_of_another_shape_are_refused_with_both_shapes():
    with pytest.raises(ValueError, match=r"saved network has arrays of shapes .*\(5, 2\).*pass the `features`"):
        refill(network(0), [np.asarray(leaf) for leaf in leaves_of(network(0, (5, 3)))])


def test_numbered_arrays_come_in_the_order_of_their_numbers():
    arrays = {f"phi.{i}": np.array(i) for i in (10, 2, 0, 1)} | {"other.0": np.array(-1)}
    assert [int(array) for array in numbered(arrays, "phi.")] == [0, 1, 2, 10]


def test_float64_networks_keep_their_values():
    for single, double in zip(leaves_of(network(0)), leaves_of(in_float64(network(0))), strict=True):
        assert double.dtype == np.float64
        assert_array_equal(single, double)


def test_optimisers_by_name_or_function():
    assert find_optimizer("sgd") is optax.sgd
    assert find_optimizer(optax.adam) is optax.adam
    with pytest.raises(ValueError, match="unknown optimizer 'sgdd'; known ones are adam, sgd"):
        find_optimizer("sgdd")


def test_features_must_be_a_function():
    with pytest.raises(ValueError, match="`features` must be a function"):
        checked_features("mlp")
