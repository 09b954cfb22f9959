"""Members that know values: as if they had seen rows more, and no surprise where they said the same before."""

import numpy as np
from numpy.testing import assert_allclose

from unabases import linear
from unabases.regressors.committee.told_members import chance_of, seen_by_all
from unabases.regressors.committee.variances import Moments, Variances
from unabases.regressors.knowledge.known_values import KnownDesign
from unabases.regressors.networks.exact_layer import fit_layer

RNG = np.random.default_rng(0)
PHI, Y = RNG.standard_normal((12, 5)), RNG.standard_normal((12, 2))
KNOWN = KnownDesign(
    RNG.standard_normal((3, 5)), RNG.standard_normal((3, 2)), np.array([[0.2, 0.5], [0.3, 0.1], [np.inf, 0.4]])
)
ALPHA, SIGMA2 = np.array([0.7, 2.0]), np.array([0.1, 0.4])


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
