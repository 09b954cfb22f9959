"""A bootstrap ensemble whose members are linear, so that what each should become is known."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from tests.regressors.linear_network import LINEAR, X, Y, ridge
from unabases import BootstrapEnsemble
from unabases.regressors.bootstrap_ensemble import draw_counts


def test_each_bootstrap_member_is_the_fit_of_its_own_rows():
    model = BootstrapEnsemble(n_members=4, gamma=0.5, **LINEAR).fit(X, Y)
    for weights, counts in zip(model.networks_.W[:, 0, 0], model.counts_, strict=True):
        assert_allclose(weights, ridge(0.5, counts.astype(float)), rtol=1e-3, atol=1e-4)


def test_bootstrap_draws_are_multinomial():
    counts = draw_counts(20_000, np.arange(5), 7, np.random.default_rng(0))
    assert_array_equal(counts.sum(axis=1), 5)
    assert_array_equal(counts[:, 5:], 0)  # rows held out are never drawn
    assert_allclose(counts[:, :5].mean(axis=0), 1.0, atol=0.04)
    expected = 5 * (np.eye(5) / 5 - 1 / 25)  # covariance of a multinomial
    assert_allclose(np.cov(counts[:, :5].T), expected, atol=0.04)


def test_early_stopping_holds_rows_out_of_every_member():
    model = BootstrapEnsemble(n_members=3, early_stopping=True, patience=1, **LINEAR).fit(X, Y)
    assert (model.counts_.sum(axis=0) == 0).sum() >= 4
    assert_array_equal(model.counts_.sum(axis=1), 36)
