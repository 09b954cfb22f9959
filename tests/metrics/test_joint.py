"""Joint density against SciPy, against the chain of one row after another, and against single rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal, norm

from unabases.metrics import joint_log_likelihood, log_likelihood
from unabases.predictive import Mixture, Normal, StudentT, Transformed
from unabases.predictive.curve import fit_curve

RNG = np.random.default_rng(0)
ROOT, MEAN, Y = RNG.normal(size=(7, 3)), RNG.normal(size=7), RNG.normal(size=7)
NOISE = RNG.uniform(0.3, 1, 7)


def correlated(root=ROOT, mean=MEAN, noise=NOISE):
    return Normal(mean, np.linalg.norm(root, axis=-1).T, noise, root)


def one_after_another(Phi, residual, noise):
    """log p(y₁) + log p(y₂ | y₁) + …, for weights w ~ N(0, I) that are conditioned on each row in turn."""
    m, S, total = np.zeros(Phi.shape[1]), np.eye(Phi.shape[1]), 0.0
    for phi, r, s in zip(Phi, residual, noise, strict=True):
        variance = phi @ S @ phi + s**2
        total += norm.logpdf(r, phi @ m, np.sqrt(variance))
        gain = S @ phi / variance
        m, S = m + gain * (r - phi @ m), S - np.outer(gain, phi @ S)
    return total


def test_normal_is_scipys_and_the_chain_rule():
    found = 7 * joint_log_likelihood(correlated(), Y)
    assert_allclose(found, multivariate_normal.logpdf(Y, MEAN, ROOT @ ROOT.T + np.diag(NOISE**2)))
    assert_allclose(found, one_after_another(ROOT, Y - MEAN, NOISE))


def test_groups_are_joint_within_and_separate_between():
    wanted = sum(one_after_another(ROOT[g], (Y - MEAN)[g], NOISE[g]) for g in ([0, 1, 2], [3, 4, 5], [6]))
    assert_allclose(7 * joint_log_likelihood(correlated(), Y, size=3), wanted)
    assert joint_log_likelihood(correlated(), Y, size=100) == joint_log_likelihood(correlated(), Y)


@pytest.mark.parametrize(
    "prediction", [correlated(), Mixture(RNG.normal(size=(4, 7)), NOISE)], ids=["normal", "mixture"]
)
def test_single_rows_are_the_log_likelihood(prediction):
    assert_allclose(joint_log_likelihood(prediction, Y, size=1), log_likelihood(prediction, Y))


def test_mixture_is_the_mean_over_functions_of_products():
    members = RNG.normal(size=(5, 7))
    products = np.prod(norm.pdf(Y, members, NOISE), axis=1)
    assert_allclose(7 * joint_log_likelihood(Mixture(members, NOISE), Y), np.log(products.mean()))
    two = Mixture(np.stack([members, members + 1], axis=-1), 0.5)
    y = np.stack([Y, Y + 1], axis=-1)
    products = np.prod(norm.pdf(y, two.members, 0.5), axis=(1, 2))
    assert_allclose(14 * joint_log_likelihood(two, y), np.log(products.mean()))


def test_outputs_of_a_normal_are_independent():
    roots, means = RNG.normal(size=(2, 7, 3)), RNG.normal(size=(7, 2))
    y = RNG.normal(size=(7, 2))
    wanted = [one_after_another(roots[j], (y - means)[:, j], NOISE) for j in (0, 1)]
    assert_allclose(14 * joint_log_likelihood(correlated(roots, means, NOISE[:, None]), y), sum(wanted))


def test_little_noise_beside_much_doubt_keeps_its_density():
    found = joint_log_likelihood(correlated(1e3 * ROOT, noise=1e-2 * NOISE), Y)
    assert_allclose(7 * found, one_after_another(1e3 * ROOT, Y - MEAN, 1e-2 * NOISE), rtol=1e-4)


def test_what_cannot_be_said_is_refused():
    with pytest.raises(ValueError, match="covariance=True"):
        joint_log_likelihood(Normal([0.0], [1.0], 1.0), [0.0])
    with pytest.raises(ValueError, match="no joint density: their covariance is singular"):
        joint_log_likelihood(correlated(noise=0.0), Y)
    with pytest.raises(ValueError, match="`size` must be at least 1, got 0"):
        joint_log_likelihood(correlated(), Y, size=0)


def test_nan_stays_visible():
    mean = np.where(np.arange(7) == 2, np.nan, MEAN)
    assert np.isnan(joint_log_likelihood(correlated(mean=mean), Y))


@pytest.mark.parametrize("df", [1e7, 4.0])
def test_heavy_tails_hang_together_as_a_normal_does(df):
    normal = correlated()
    heavy = StudentT(normal.mean, normal.epistemic_std, normal.noise_std, df, normal.root)
    if df > 1e6:
        assert_allclose(joint_log_likelihood(heavy, Y), joint_log_likelihood(normal, Y), rtol=1e-4)
    assert_allclose(joint_log_likelihood(heavy, Y, size=1), log_likelihood(heavy, Y), rtol=1e-8)


def test_a_scale_that_is_not_curved_only_changes_units():
    curve = fit_curve(Y[:, None], 1.0)  # (y − mean) / std
    inside = Transformed(correlated(), curve)
    bent = curve.bend(Y[:, None])[:, 0]
    expected = joint_log_likelihood(correlated(), bent) - np.log(Y.std())
    assert_allclose(joint_log_likelihood(inside, Y), expected, rtol=1e-6)


def test_single_rows_of_a_curved_scale_are_its_log_likelihood():
    prediction = Transformed(correlated(), fit_curve(np.exp(Y)[:, None], 0.5))
    assert_allclose(joint_log_likelihood(prediction, np.exp(Y), size=1), log_likelihood(prediction, np.exp(Y)))
