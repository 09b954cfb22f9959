"""The prior over weights, and arrays that are not trained."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from unabases.features import MLP, AbstractFeatureMap, Frozen, trainable
from unabases.objectives import map_objective, squared_norm
from unabases.objectives.una import init_heads
from unabases.objectives.weight_prior import sample_weights, squared_distance, weight_variances
from unabases.training import Recipe, make_batch, train

KEY = jax.random.key(0)


class Projected(AbstractFeatureMap):
    fixed: Frozen
    learned: jax.Array

    def __call__(self, x):
        return self.learned * (self.fixed.value @ x)


def network(d=3):
    return init_heads(MLP(d, (5, 4), key=KEY), 4, 2, key=KEY)


def test_variances_follow_the_inputs_of_a_layer():
    v = weight_variances(network(), 6.0)
    assert_allclose(v.phi.weights[0], 2.0)  # three inputs
    assert_allclose(v.phi.weights[1], 6.0 / 5)
    assert_allclose(v.phi.biases[0], 6.0)
    assert_allclose(v.W[..., :-1], 1.5)
    assert_allclose(v.W[..., -1], 6.0)
    assert all(np.all(leaf == 6.0) for leaf in jax.tree.leaves(weight_variances(network(), 6.0, by_fan_in=False)))


def test_draws_have_these_variances():
    like = init_heads(MLP(200, (100,), key=KEY), 100, 1, key=KEY)
    drawn = sample_weights(weight_variances(like, 4.0), like, np.random.default_rng(0))
    assert_allclose(np.std(drawn.phi.weights[0]), np.sqrt(4 / 200), rtol=0.02)
    assert_allclose(np.std(drawn.phi.biases[0]), 2.0, rtol=0.25)


def test_distance_is_the_sum_over_all_weights():
    net = network()
    v = weight_variances(net, 2.0, by_fan_in=False)
    zero = jax.tree.map(np.zeros_like, v)
    assert_allclose(squared_distance(net, zero, v), squared_norm(net) / 2, rtol=1e-6)


def test_frozen_arrays_are_neither_trained_nor_penalised():
    phi = Projected(Frozen(jnp.ones((4, 3))), jnp.ones(4))
    net = init_heads(phi, 4, 1, key=KEY)
    assert_allclose(squared_norm(net), 4 + np.sum(np.square(net.W)), rtol=1e-6)
    assert trainable(net).phi.fixed is False
    assert sum(v.size for v in jax.tree.leaves(weight_variances(net, 1.0))) == 4 + 5
    stacked = jax.tree.map(lambda leaf: np.asarray(leaf)[None] if eqx.is_array(leaf) else leaf, net)
    rng = np.random.default_rng(0)
    X = rng.standard_normal((16, 3)).astype(np.float32)
    batch = make_batch(X, X[:, :1])
    trained = train([map_objective(np.ones(1), np.float64(1.0))], stacked, batch, rngs=[rng], recipe=Recipe(steps=20))
    assert_array_equal(trained.params.phi.fixed.value[0], 1.0)
    assert not np.allclose(trained.params.phi.learned[0], 1.0)
