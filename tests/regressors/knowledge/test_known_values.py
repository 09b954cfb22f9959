"""Known values in an exact layer: the same as rows that are added by hand, each with noise of its own."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal

from unabases.regressors.knowledge.known_values import KnownDesign, KnownSums, Sums, known_design, learn_known
from unabases.regressors.networks.exact_layer import fit_layer

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
