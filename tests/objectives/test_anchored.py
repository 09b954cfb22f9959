import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm

from unabases.objectives.anchored import Anchored
from unabases.objectives.weight_prior import weight_variances

from .conftest import assert_gradient_matches_differences, padded_batch, smooth_heads, values

pytestmark = pytest.mark.usefixtures("float64")
N, D, K, P = 6, 2, 3, 2
SIGMA2 = np.array([0.3, 0.8])


def case():
    network, other = smooth_heads(D, K, 1, P), smooth_heads(D, K, 1, P, seed=5)
    variances = weight_variances(network, 2.0)
    objective = Anchored(sigma2=jnp.asarray(SIGMA2), anchor=eqx.filter(other, eqx.is_array), variances=variances)
    return objective, network, other, padded_batch(N, D, P, n_padding=2)


def test_the_loss_is_the_negative_log_joint_density_around_the_anchor():
    objective, network, other, batch = case()
    loss, terms = objective.loss(network, batch, None)
    f = values(network, batch.X)[:N, 0]
    fit = -norm.logpdf(np.asarray(batch.y)[:N], f, np.sqrt(SIGMA2)).sum()
    leaves = zip(
        *(jax.tree.leaves(eqx.filter(t, eqx.is_array)) for t in (network, other, objective.variances)), strict=True
    )
    distance = sum(np.sum((np.asarray(a) - np.asarray(b)) ** 2 / np.asarray(v)) for a, b, v in leaves)
    assert_allclose(terms["fit"], fit / N)
    assert_allclose(terms["anchoring"], distance / 2 / N)
    assert_allclose(loss, (fit + distance / 2) / N)
    assert_allclose(objective.validate(network, batch), fit / N)


def test_at_its_anchor_a_network_pays_nothing():
    objective, _, other, batch = case()
    assert objective.loss(other, batch, None)[1]["anchoring"] == 0
    assert objective.draw(np.random.default_rng(0), np.ones(3), np.arange(N), D) is None


def test_gradient_of_the_loss():
    objective, network, _, batch = case()
    assert_gradient_matches_differences(lambda params: objective.loss(params, batch, None)[0], network)
