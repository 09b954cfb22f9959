import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal

from unabases.objectives import Marginal
from unabases.objectives.marginal import Basis

from .conftest import assert_gradient_matches_differences, padded_batch, quick_jit, smooth_heads, values

pytestmark = pytest.mark.usefixtures("float64")

N, D, K, P = 7, 2, 3, 2
ALPHA, SIGMA2, GAMMA = np.array([0.6, 2.0]), np.array([0.2, 0.5]), 0.3


def basis():
    return Basis(smooth_heads(D, K, 1, P).phi, jnp.log(ALPHA), jnp.log(SIGMA2))


def objective(**options):
    return Marginal(alpha=ALPHA, sigma2=SIGMA2, gamma=GAMMA, **options)


def dense_log_evidence(phi, X, y, scale=1.0):
    """Log density of the n × n Gaussian of each output, added up."""
    Phi = np.column_stack([scale * values(phi, X), np.ones(len(X))])
    return sum(
        multivariate_normal.logpdf(y[:, q], cov=SIGMA2[q] * np.eye(len(X)) + ALPHA[q] * Phi @ Phi.T) for q in range(P)
    )


def test_loss_is_the_density_of_the_dense_gaussian():
    params, batch = basis(), padded_batch(N, D, P, n_padding=2)
    loss, terms = quick_jit(lambda *inputs: objective().loss(*inputs))(params, batch, None)
    evidence = dense_log_evidence(params.phi, np.asarray(batch.X)[:N], np.asarray(batch.y)[:N])
    leaves = jax.tree.leaves(eqx.filter(params.phi, eqx.is_array))
    penalty = GAMMA * sum(float(np.sum(np.square(leaf))) for leaf in leaves)
    assert_allclose(terms["fit"], -evidence / N)
    assert_allclose(terms["weight_penalty"], penalty / N)
    assert_allclose(loss, (penalty - evidence) / N)


def test_gradient_of_the_loss_and_of_both_variances():
    learner, batch = objective(learn_alpha=True, learn_sigma2=True), padded_batch(N, D, P, n_padding=2)
    assert_gradient_matches_differences(lambda params: learner.loss(params, batch, None)[0], basis())


@pytest.mark.parametrize(("learn_alpha", "learn_sigma2"), [(False, False), (True, False), (False, True)])
def test_a_variance_is_learned_only_when_asked(learn_alpha, learn_sigma2):
    learner = objective(learn_alpha=learn_alpha, learn_sigma2=learn_sigma2)
    params, batch = basis(), padded_batch(N, D, P, n_padding=2)
    loss = lambda a, s: learner.loss(Basis(params.phi, a, s), batch, None)[0]  # noqa: E731
    slopes = quick_jit(jax.grad(loss, argnums=(0, 1)))(params.log_alpha, params.log_sigma2)
    for slope, learned in zip(slopes, (learn_alpha, learn_sigma2), strict=True):
        assert np.all((np.abs(slope) > 1e-6) == learned)


def test_starts_from_the_given_variances():
    params = objective().init(smooth_heads(D, K, 1, P).phi, K, P, key=jax.random.key(0))
    assert_allclose(np.exp(params.log_alpha), ALPHA)
    assert_allclose(np.exp(params.log_sigma2), SIGMA2)
    one_for_all = Marginal(alpha=0.5, sigma2=0.1, gamma=0.0).init(params.phi, K, P, key=jax.random.key(0))
    assert_allclose(np.exp(one_for_all.log_alpha), [0.5, 0.5])


def test_blowing_the_features_up_lowers_the_evidence():
    phi, batch = basis().phi, padded_batch(30, D, P, n_padding=2)
    learner = objective()
    scaled = lambda c: Basis(lambda x: c * phi(x), jnp.log(ALPHA), jnp.log(SIGMA2))  # noqa: E731
    loss = quick_jit(lambda c: learner.loss(scaled(c), batch, None)[1]["fit"])
    scales = np.array([1.0, 1e2, 1e4, 1e6])
    evidence = -30 * np.array([loss(c) for c in scales])
    X, y = np.asarray(batch.X)[:30], np.asarray(batch.y)[:30]
    assert_allclose(evidence[:2], [dense_log_evidence(phi, X, y, c) for c in scales[:2]])
    assert np.all(np.diff(evidence[1:]) < 0)
    assert_allclose(np.diff(evidence[2:]), -P * K * np.log(100), rtol=1e-2)  # −log c for each weight


def test_held_out_rows_are_refused():
    with pytest.raises(NotImplementedError, match="takes no validation rows"):
        objective().validate(basis(), padded_batch(N, D, P, n_padding=2))


def test_a_row_of_weight_w_counts_as_w_rows():
    params, batch = basis(), padded_batch(N, D, P, n_padding=2)
    weight = np.r_[1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0, 0.0, 0.0]
    weighted = batch._replace(weight=jnp.asarray(weight), total=jnp.asarray(13.0))
    _, terms = quick_jit(lambda *inputs: objective().loss(*inputs))(params, weighted, None)
    X, y = (np.repeat(np.asarray(rows)[:N], weight[:N].astype(int), axis=0) for rows in (batch.X, batch.y))
    assert_allclose(terms["fit"], -dense_log_evidence(params.phi, X, y) / 13, rtol=1e-6)
