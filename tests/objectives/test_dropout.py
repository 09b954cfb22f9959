import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

from unabases.objectives import Heads, map_objective
from unabases.objectives.dropout import Dropout, count_units, masked_network

from .conftest import padded_batch, smooth_heads

pytestmark = pytest.mark.usefixtures("float64")
N, D, K, P = 6, 2, 3, 2
SIGMA2 = np.array([0.3, 0.8])


def without_masks(network):
    """The same network with a map that knows nothing of masks."""
    phi = network.phi
    return Heads(lambda x: phi(x), network.W)


def test_units_of_every_layer_can_be_dropped_or_the_features_alone():
    network = smooth_heads(D, K, 1, P)
    assert count_units(network) == 4 + K
    assert count_units(without_masks(network)) == K


def test_a_silent_unit_has_no_effect_and_a_full_mask_none_either():
    network, x = smooth_heads(D, K, 1, P), jnp.array([0.4, -1.0])
    assert_allclose(masked_network(network, x, jnp.ones(4 + K)), network(x)[0])
    assert_allclose(masked_network(network, x, jnp.zeros(4 + K)), network.W[0, :, -1])  # the bias is left
    mask = np.array([1.0, 0.0, 2.0])
    features = np.asarray(network.phi(x)) * mask
    assert_allclose(
        masked_network(without_masks(network), x, jnp.asarray(mask)), network.of_features(jnp.asarray(features))[0]
    )


def test_without_dropping_it_is_maximum_a_posteriori():
    network, batch = smooth_heads(D, K, 1, P), padded_batch(N, D, P, n_padding=2)
    objective = Dropout(sigma2=jnp.asarray(SIGMA2), gamma=0.3, rate=0.0)
    draws = objective.draw(np.random.default_rng(0), np.ones(1), np.arange(N), D)[0]
    loss, terms = objective.loss(network, batch, draws)
    expected, named = map_objective(jnp.asarray(SIGMA2), 0.3).loss(network, batch, ())
    assert_allclose(loss, expected)
    assert_allclose([terms[name] for name in ("fit", "weight_penalty")], [named["fit"], named["weight_penalty"]])
    assert_allclose(objective.validate(network, batch), named["fit"])


def test_masks_are_new_at_each_step_and_keep_the_mean_of_a_linear_sum():
    network, batch = smooth_heads(D, K, 1, 1), padded_batch(N, D, 1, n_padding=0)
    network = without_masks(network)  # one layer of masks, so that the head is linear in them
    objective = Dropout(sigma2=jnp.ones(1), gamma=0.0, rate=0.4)
    draws = objective.draw(np.random.default_rng(0), np.ones(4000), np.arange(N), D)
    assert len(np.unique(draws, axis=0)) == 4000
    fits = np.asarray(jax.lax.map(lambda d: objective.loss(network, batch, d)[0], jnp.asarray(draws)))
    assert np.unique(fits).size > 1000
    # E (y − f)² / 2 = (y − E f)² / 2 + Var f / 2, with Var f = Σ (w h)² rate / (1 − rate)
    h = np.asarray(jax.vmap(network.phi)(batch.X)) * np.asarray(network.W)[0, 0, :-1]
    extra = np.mean(np.sum(h**2, axis=1)) * 0.4 / 0.6 / 2
    whole = float(objective.validate(network, batch))
    assert_allclose(fits.mean(), whole + extra, rtol=4 * fits.std() / np.sqrt(len(fits)) / fits.mean())
