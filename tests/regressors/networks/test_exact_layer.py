"""The exact layer of several outputs is that of each output by itself, from rows or from statistics."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import multivariate_normal

from unabases import linear
from unabases.regressors.networks.exact_layer import fit_layer, layer_arrays, layer_from, layer_without, read_layer
from unabases.regressors.shared.saved_state import SavedState

RNG = np.random.default_rng(0)
PHI = linear.with_bias(RNG.standard_normal((30, 4)))
Y = np.column_stack([PHI @ RNG.standard_normal(5), RNG.standard_normal(30)])
ALPHA, SIGMA2 = np.array([0.5, 2.0]), np.array([0.1, 0.4])


def test_each_output_has_its_own_posterior_and_the_evidences_add_up():
    layer = fit_layer(PHI, Y, alpha=ALPHA, sigma2=SIGMA2)
    total = 0.0
    for j, posterior in enumerate(layer.posteriors):
        K = ALPHA[j] * PHI @ PHI.T + SIGMA2[j] * np.eye(30)
        assert_allclose(posterior.m, ALPHA[j] * PHI.T @ np.linalg.solve(K, Y[:, j]), rtol=1e-6, atol=1e-9)
        total += multivariate_normal.logpdf(Y[:, j], cov=K)
    assert_allclose(layer.log_evidence, total)
    assert_allclose(layer.alpha, ALPHA)
    assert_allclose(layer.sigma2, SIGMA2)


def test_statistics_give_the_same_layer_as_the_rows():
    rows = fit_layer(PHI, Y, alpha=ALPHA, sigma2=SIGMA2)
    again = layer_from(rows.statistics, alpha=ALPHA, sigma2=SIGMA2)
    for one, other in zip(rows.posteriors, again.posteriors, strict=True):
        assert_allclose(one.m, other.m, rtol=1e-7)
    assert_allclose(rows.log_evidence, again.log_evidence)


def test_a_layer_without_some_rows_is_that_of_the_others():
    weight = RNG.uniform(0.5, 2.0, 30)
    whole = fit_layer(PHI, Y, alpha=ALPHA, sigma2=SIGMA2, weight=weight)
    left = layer_without(whole, linear.accumulate(PHI[:8], Y[:8], weight[:8]))
    expected = fit_layer(PHI[8:], Y[8:], alpha=ALPHA, sigma2=SIGMA2, weight=weight[8:])
    for one, other in zip(left.posteriors, expected.posteriors, strict=True):
        assert_allclose(one.m, other.m, rtol=1e-7)
        assert_allclose(one.L, other.L, rtol=1e-7, atol=1e-9)
    assert_allclose(left.statistics.yy, expected.statistics.yy)
    assert_allclose(left.statistics.n, expected.statistics.n)


def test_named_arrays_bring_the_same_layer_back():
    layer = fit_layer(PHI, Y, alpha=ALPHA, sigma2=SIGMA2)
    saved = SavedState(layer_arrays(layer, "3."), {}, p=Y.shape[1])
    again = read_layer(saved, layer.log_evidence, "3.", k=PHI.shape[1])
    for one, other in zip((layer.statistics, *layer.posteriors), (again.statistics, *again.posteriors), strict=True):
        for name in one._fields:
            assert_array_equal(getattr(one, name), getattr(other, name))
    assert again.log_evidence == layer.log_evidence


def test_what_is_not_given_is_chosen_by_evidence_for_each_output():
    chosen = fit_layer(PHI, Y, alpha=None, sigma2=None)
    assert chosen.sigma2[0] < 1e-3 < chosen.sigma2[1]  # the first output is linear, the second is noise
    fixed = fit_layer(PHI, Y, alpha=None, sigma2=SIGMA2)
    assert_allclose(fixed.sigma2, SIGMA2)
    for factor in (0.7, 1.4):
        assert fit_layer(PHI, Y, alpha=fixed.alpha * factor, sigma2=SIGMA2).log_evidence < fixed.log_evidence


def test_a_cautious_prior_variance_is_a_part_of_the_evidences_and_never_next_to_nothing():
    freely, cautious = (fit_layer(PHI, Y, alpha=None, sigma2=SIGMA2, cautious=how) for how in (False, True))
    least = 0.02 * np.mean(Y**2, axis=0)
    assert 0.6 * freely.alpha[0] > least[0]
    assert 0.6 * freely.alpha[1] < least[1]  # the second output is noise
    assert_allclose(cautious.alpha, [0.6 * freely.alpha[0], least[1]])
    assert_allclose(layer_from(cautious.statistics, alpha=None, sigma2=SIGMA2, cautious=True).alpha, cautious.alpha)
    assert_allclose(fit_layer(PHI, 0 * Y, alpha=None, sigma2=SIGMA2, cautious=True).alpha, [0.02, 0.02])
    assert_allclose(fit_layer(PHI, Y, alpha=ALPHA, sigma2=None, cautious=True).alpha, ALPHA)


def test_a_weighted_layer_is_that_of_repeated_rows_and_comes_back_from_its_arrays():
    weight = np.arange(30) % 4
    repeated = np.repeat(np.arange(30), weight)
    layer = fit_layer(PHI, Y, alpha=None, sigma2=SIGMA2, weight=1.0 * weight)
    expected = fit_layer(PHI[repeated], Y[repeated], alpha=None, sigma2=SIGMA2)
    assert_allclose(layer.alpha, expected.alpha)
    assert_allclose(layer.log_evidence, expected.log_evidence)
    for one, other in zip(layer.posteriors, expected.posteriors, strict=True):
        assert_allclose(one.m, other.m, rtol=1e-7)
        assert_allclose(one.L, other.L, rtol=1e-7, atol=1e-10)
    light = fit_layer(PHI, Y, alpha=ALPHA, sigma2=SIGMA2, weight=0.11 * np.ones(30))
    again = read_layer(SavedState(layer_arrays(light), {}, p=2), light.log_evidence, k=5)
    assert again.statistics.weighted
    assert again.statistics.n == light.statistics.n
