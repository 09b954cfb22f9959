import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.stats import norm

from unabases.objectives.una import mean_nll
from unabases.objectives.variational import Factorised, Variational, draw_normals
from unabases.objectives.weight_prior import weight_variances

from .conftest import assert_gradient_matches_differences, padded_batch, smooth_heads

pytestmark = pytest.mark.usefixtures("float64")
N, D, K, P = 6, 2, 3, 2
SIGMA2 = np.array([0.3, 0.8])


def case(n_draws=2):
    mean = smooth_heads(D, K, 1, P)
    variances = jax.tree.map(lambda v: jnp.asarray(v, jnp.float64), weight_variances(mean, 2.0))
    log_std = jax.tree.map(lambda v: jnp.full(v.shape, -1.5), variances)
    objective = Variational(sigma2=jnp.asarray(SIGMA2), variances=variances, n_draws=n_draws)
    draws = jax.tree.map(lambda z: z[0], objective.draw(np.random.default_rng(0), np.ones(1), np.arange(N), D))
    return objective, Factorised(mean, log_std), padded_batch(N, D, P, n_padding=2), draws


def test_the_divergence_is_that_of_each_weight_by_integration():
    objective, q, batch, draws = case()
    divergence = objective.loss(q, batch, draws)[1]["divergence"] * N
    std = np.exp(-1.5)
    trees = (jax.tree.leaves(tree) for tree in (q.mean, q.log_std, objective.variances))
    total = 0.0
    for m, _, v in zip(*trees, strict=True):
        for mean, variance in zip(np.ravel(m), np.ravel(v), strict=True):
            own, prior = norm(mean, std), norm(0, np.sqrt(variance))
            part = lambda w: own.pdf(w) * (own.logpdf(w) - prior.logpdf(w))  # noqa: B023, E731
            total += quad(part, mean - 8 * std, mean + 8 * std)[0]
    assert_allclose(divergence, total, rtol=1e-6)


def test_the_fit_is_the_mean_over_the_networks_drawn():
    objective, q, batch, draws = case(n_draws=3)
    networks = [q.draw(jax.tree.map(lambda z: z[i], draws)) for i in range(3)]  # noqa: B023
    loss, terms = objective.loss(q, batch, draws)
    assert_allclose(terms["fit"], np.mean([mean_nll(network, batch, jnp.asarray(SIGMA2)) for network in networks]))
    assert_allclose(loss, terms["fit"] + terms["divergence"])
    assert_allclose(objective.validate(q, batch), mean_nll(q.mean, batch, jnp.asarray(SIGMA2)))


def test_networks_drawn_have_the_mean_and_spread_of_q():
    _, q, _, _ = case()
    normals = draw_normals(q.log_std, (5000,), np.random.default_rng(1))
    W = np.asarray(jax.vmap(q.draw)(normals).W)
    assert_allclose(W.mean(axis=0), q.mean.W, atol=5 * np.exp(-1.5) / np.sqrt(5000))
    assert_allclose(W.std(axis=0), np.exp(-1.5), rtol=0.05)


def test_gradient_of_the_loss():
    objective, q, batch, draws = case()
    assert_gradient_matches_differences(lambda params: objective.loss(params, batch, draws)[0], q)


def test_it_starts_at_a_small_share_of_the_prior():
    objective, q, _, _ = case()
    start = objective.init(q.mean.phi, K, P, key=jax.random.key(0))
    ratios = jax.tree.map(lambda s, v: jnp.exp(s) / jnp.sqrt(v), start.log_std, objective.variances)
    for ratio in jax.tree.leaves(ratios):
        assert_allclose(ratio, 0.05, rtol=1e-5)
