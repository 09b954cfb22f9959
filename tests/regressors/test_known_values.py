"""Known values in an exact layer: the same as rows that are added by hand, each with noise of its own."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal

from unabases import linear
from unabases.regressors.committee import Moments, Variances
from unabases.regressors.exact_layer import fit_layer
from unabases.regressors.known_values import (
    KnownDesign,
    KnownSums,
    Sums,
    chance_of,
    known_design,
    learn_known,
    seen_by_all,
)

RNG = np.random.default_rng(0)
PHI, Y = RNG.standard_normal((12, 5)), RNG.standard_normal((12, 2))
KNOWN = KnownDesign(
    RNG.standard_normal((3, 5)), RNG.standard_normal((3, 2)), np.array([[0.2, 0.5], [0.3, 0.1], [np.inf, 0.4]])
)
ALPHA, SIGMA2 = np.array([0.7, 2.0]), np.array([0.1, 0.4])


@pytest.fixture
def layer():
    return fit_layer(PHI, Y, alpha=ALPHA, sigma2=SIGMA2)


@pytest.mark.parametrize("output", [0, 1])
def test_the_posterior_is_that_of_rows_added_by_hand(layer, output):
    Phi, values, std = KNOWN.output(output)
    noise = np.r_[np.full(12, SIGMA2[output]), std**2]
    rows, targets = np.vstack([PHI, Phi]), np.r_[Y[:, output], values]
    A = (rows.T / noise) @ rows + np.eye(5) / ALPHA[output]
    posterior = learn_known(layer, KNOWN).posteriors[output]
    assert_allclose(posterior.L @ posterior.L.T, A)
    assert_allclose(posterior.m, np.linalg.solve(A, (rows.T / noise) @ targets))


def test_the_evidence_is_that_of_the_data_given_what_is_known(layer):
    expected = 0.0
    for j in range(2):
        Phi, values, std = KNOWN.output(j)
        rows, noise = np.vstack([PHI, Phi]), np.r_[np.full(12, SIGMA2[j]), std**2]
        both = multivariate_normal.logpdf(np.r_[Y[:, j], values], cov=ALPHA[j] * rows @ rows.T + np.diag(noise))
        expected += both - multivariate_normal.logpdf(values, cov=ALPHA[j] * Phi @ Phi.T + np.diag(std**2))
    assert_allclose(learn_known(layer, KNOWN).log_evidence, expected)


def test_the_statistics_stay_those_of_the_data(layer):
    told = learn_known(layer, KNOWN)
    assert_allclose(told.statistics.G, layer.statistics.G)
    assert told.statistics.n == 12


def test_sums_of_features_are_features_of_sums():
    sums = Sums(RNG.standard_normal((4, 2, 3)), np.array([-1.0, 2.0]))
    design = known_design([KnownSums(sums, np.zeros((4, 1)), np.ones((4, 1)))], np.sin)
    assert_allclose(design.Phi, 2 * np.sin(sums.Z[:, 1]) - np.sin(sums.Z[:, 0]))


def moments():
    return Moments(PHI.T @ PHI, PHI.T @ Y, PHI[:2], np.zeros(2), Y[:2], 3, np.ones(2))


def test_members_see_known_values_as_rows():
    one = KnownDesign(KNOWN.Phi, KNOWN.values[:, :1], KNOWN.std[:, 1:])
    seen = seen_by_all(moments()._replace(moment=PHI.T @ Y[:, :1]), one, np.array([0.4]))
    scaled = one.Phi * np.sqrt(0.4) / one.std
    assert_allclose(seen.gram, PHI.T @ PHI + scaled.T @ scaled)
    assert_allclose(seen.moment, PHI.T @ Y[:, :1] + scaled.T @ (one.values * np.sqrt(0.4) / one.std))


def test_what_a_member_would_have_said_is_no_surprise_and_the_opposite_is():
    chosen = Variances(1.0, ALPHA, SIGMA2, np.ones(2))
    layer = fit_layer(PHI, Y, alpha=ALPHA, sigma2=SIGMA2)
    said = np.stack([KNOWN.Phi @ posterior.m for posterior in layer.posteriors], axis=1)
    spread = np.stack([np.sqrt(linear.predict(p, KNOWN.Phi)[1]) for p in layer.posteriors], axis=1)
    expected, opposite = (KNOWN._replace(values=said + by * (spread + 0.5)) for by in (0.0, 6.0))
    assert chance_of(moments(), expected, chosen) == 1.0
    assert chance_of(moments(), opposite, chosen) < 1e-3
