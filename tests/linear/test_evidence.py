import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.stats import multivariate_normal

from unabases.linear import (
    accumulate,
    condition,
    log_evidence,
    log_evidence_from,
    maximise_evidence,
    predict,
    spectrum,
    spectrum_evidence,
)

SHAPES = st.sampled_from([(1, 1), (3, 8), (30, 4)])
SEEDS = st.integers(0, 10**6)
VARIANCES = st.floats(0.05, 20)
few = settings(max_examples=30, deadline=None)


def draw(shape, seed=0, alpha=1.0, sigma2=1.0):
    """Rows of the model itself."""
    rng = np.random.default_rng(seed)
    Phi = rng.normal(size=shape)
    w = np.sqrt(alpha) * rng.normal(size=shape[1])
    return Phi, Phi @ w + np.sqrt(sigma2) * rng.normal(size=shape[0])


def dual(Phi, y, alpha, sigma2):
    """Log density of y under the n x n Gaussian, the route the code does not take."""
    return multivariate_normal.logpdf(y, cov=sigma2 * np.eye(len(y)) + alpha * Phi @ Phi.T)


@few
@given(SHAPES, SEEDS, VARIANCES, VARIANCES)
def test_evidence_equals_the_dual_gaussian(shape, seed, alpha, sigma2):
    Phi, y = draw(shape, seed)
    expected = dual(Phi, y, alpha, sigma2)
    assert_allclose(log_evidence(Phi, y, alpha=alpha, sigma2=sigma2), expected, rtol=1e-8)
    assert_allclose(log_evidence_from(accumulate(Phi, y), alpha=alpha, sigma2=sigma2), expected, rtol=1e-8)


def test_evidence_is_the_product_of_one_step_predictions():
    Phi, y = draw((12, 3))
    total = 0.0
    for i in range(12):
        mean, variance = predict(condition(Phi[:i], y[:i], alpha=2.0, sigma2=0.3), Phi[i : i + 1])
        total += multivariate_normal.logpdf(y[i], mean[0], variance[0] + 0.3)
    assert_allclose(log_evidence(Phi, y, alpha=2.0, sigma2=0.3), total, rtol=1e-10)


def test_features_that_blow_up_lower_the_evidence():
    Phi, y = draw((30, 4))
    values = [log_evidence(c * Phi, y, alpha=1.0, sigma2=1.0) for c in (10.0, 1e3, 1e5)]
    # The fit stops improving, and each factor of 100 costs k log 100.
    assert_allclose(np.diff(values), -4 * np.log(100), rtol=1e-2)


def test_evidence_is_vectorised_and_broadcasts():
    Phi, y = draw((30, 4))
    alphas, sigmas = np.geomspace(0.1, 10, 3), np.geomspace(0.1, 10, 5)
    values = spectrum_evidence(spectrum(accumulate(Phi, y)), alphas[:, None], sigmas)
    assert_allclose(values, [[dual(Phi, y, a, s) for s in sigmas] for a in alphas], rtol=1e-9)


@pytest.mark.parametrize("c", [1.0, 1e8, 1e12])
def test_evidence_of_huge_duplicated_features(c):
    rng = np.random.default_rng(0)
    x, one = rng.normal(size=12), np.ones(12)
    y = rng.normal(size=12)
    Phi = np.column_stack([c * x, one, c * x])
    # Two equal columns with prior variance 1 are one column with prior variance 2.
    expected = dual(Phi, y, 1.0, 1.0) if c == 1.0 else limit_of_dual(x, one, y, 2 * c**2)
    assert_allclose(log_evidence(Phi, y, alpha=1.0, sigma2=1.0), expected, rtol=1e-6)
    assert_allclose(log_evidence_from(accumulate(Phi, y), alpha=1.0, sigma2=1.0), expected, rtol=1e-6)


def limit_of_dual(x, one, y, v):
    """Log density of y under v x x' + 1 1' + I as v grows: x explains its direction, for the price of v."""
    q = x / np.linalg.norm(x)
    one, y_rest = one - q * (q @ one), y - q * (q @ y)
    s = one @ one
    rest = -0.5 * (y @ y - (q @ y) ** 2 - (one @ y_rest) ** 2 / (1 + s) + np.log1p(s))
    return rest - 0.5 * np.log(v * (x @ x)) - 6 * np.log(2 * np.pi)


@few
@given(SHAPES, SEEDS, st.floats(-3, 3), st.floats(-3, 3))
def test_best_variances_beat_a_dense_grid(shape, seed, log_alpha, log_sigma2):
    Phi, y = draw(shape, seed, np.exp(log_alpha), np.exp(log_sigma2))
    s = spectrum(accumulate(Phi, y))
    best = maximise_evidence(s)
    scale = (y**2).mean()
    alphas, sigmas = scale * np.geomspace(1e-6, 1e6, 200)[:, None], scale * np.geomspace(1e-10, 1e2, 200)
    assert best.log_evidence >= spectrum_evidence(s, alphas, sigmas).max() - 1e-9
    assert_allclose(best.log_evidence, log_evidence(Phi, y, alpha=best.alpha, sigma2=best.sigma2), rtol=1e-6, atol=1e-6)


def test_best_variances_are_those_a_general_optimiser_finds():
    Phi, y = draw((60, 5), seed=2, alpha=3.0, sigma2=0.2)

    def negative(x):
        return -log_evidence(Phi, y, alpha=np.exp(x[0]), sigma2=np.exp(x[1]))

    found = minimize(negative, np.zeros(2), method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-12})
    best = maximise_evidence(spectrum(accumulate(Phi, y)))
    assert_allclose(np.log([best.alpha, best.sigma2]), found.x, atol=1e-5)
    assert_allclose(best.log_evidence, -found.fun, rtol=1e-10)


@few
@given(SHAPES, SEEDS, VARIANCES)
def test_one_given_variance_is_kept_and_the_other_is_best(shape, seed, value):
    s = spectrum(accumulate(*draw(shape, seed)))
    grid = np.geomspace(1e-6, 1e6, 2000)
    best = maximise_evidence(s, alpha=value)
    assert best.alpha == value
    inside = grid[grid >= 1e-10 * s.yy[0] / s.n]
    assert best.log_evidence >= spectrum_evidence(s, value, inside).max() - 1e-9
    best = maximise_evidence(s, sigma2=value)
    assert best.sigma2 == value
    assert best.log_evidence >= spectrum_evidence(s, grid, value).max() - 1e-6
    both = maximise_evidence(s, alpha=value, sigma2=2.0)
    assert both == (value, 2.0, float(spectrum_evidence(s, value, 2.0)))


def test_the_truth_is_recovered_from_many_rows():
    Phi, y = draw((5000, 200), seed=1, alpha=0.5, sigma2=4.0)
    best = maximise_evidence(spectrum(accumulate(Phi, y)))
    assert_allclose(best.sigma2, 4.0, rtol=0.1)  # 2 % standard error
    assert_allclose(best.alpha, 0.5, rtol=0.4)  # 10 % standard error


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_variances_follow_the_units_of_y(unit):
    Phi, y = draw((40, 4), seed=5)
    one, other = (maximise_evidence(spectrum(accumulate(Phi, u * y))) for u in (1.0, unit))
    assert_allclose([other.alpha, other.sigma2], unit**2 * np.array([one.alpha, one.sigma2]), rtol=1e-5)


def test_outputs_have_their_own_evidence():
    Phi, y = draw((40, 4))
    s = spectrum(accumulate(Phi, np.column_stack([y, 10 * y])))
    assert_allclose(maximise_evidence(s, output=1).sigma2, 100 * maximise_evidence(s).sigma2, rtol=1e-5)
    assert_allclose(spectrum_evidence(s, 1.0, 2.0, 1), dual(Phi, 10 * y, 1.0, 2.0), rtol=1e-9)
    with pytest.raises(ValueError, match="`output` is 2"):
        maximise_evidence(s, output=2)


def test_zero_targets_have_the_smallest_variances_considered():
    Phi, _ = draw((20, 3))
    s = spectrum(accumulate(Phi, np.zeros(20)))
    best = maximise_evidence(s)
    assert_allclose(best.sigma2, 1e-10)
    assert_allclose(best.alpha, 1e-8 * 20 / s.eigenvalues.max())
    assert np.isfinite(best.log_evidence)


def test_a_perfect_fit_stops_at_the_noise_floor():
    Phi, y = draw((20, 3), sigma2=1e-30)
    best = maximise_evidence(spectrum(accumulate(Phi, y)))
    assert_allclose(best.sigma2, 1e-10 * (y**2).mean())
    # With the weights known exactly, the best prior variance is their mean square.
    w = np.linalg.lstsq(Phi, y, rcond=None)[0]
    assert_allclose(best.alpha, (w**2).mean(), rtol=1e-4)


def test_dead_features_leave_the_noise_to_explain_everything():
    y = np.array([1.0, -2.0, 3.0])
    best = maximise_evidence(spectrum(accumulate(np.zeros((3, 2)), y)))
    assert_allclose(best.sigma2, (y**2).mean(), rtol=1e-5)
    assert_allclose(best.alpha, (y**2).mean())
    assert_allclose(best.log_evidence, multivariate_normal.logpdf(y, cov=best.sigma2 * np.eye(3)), rtol=1e-9)


@pytest.mark.parametrize("shape", [(1, 1), (1, 6), (5, 5), (4, 9)])
@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e10])
def test_fewer_rows_than_features_have_finite_answers(shape, scale):
    Phi, y = draw(shape)
    s = spectrum(accumulate(scale * Phi, y))
    best = maximise_evidence(s)
    mean2 = (y**2).mean()
    assert 1e-10 * mean2 * (1 - 1e-9) <= best.sigma2 <= shape[0] * mean2 * (1 + 1e-9)
    assert 0 < best.alpha < np.inf
    assert_allclose(best.log_evidence, dual(scale * Phi, y, best.alpha, best.sigma2), rtol=1e-4, atol=1e-4)


def test_no_rows_have_no_best_variances_but_an_evidence_of_one():
    s = spectrum(accumulate(np.ones((0, 2)), np.ones(0)))
    assert float(spectrum_evidence(s, 1.0, 2.0)) == 0.0
    assert log_evidence(np.ones((0, 2)), np.ones(0), alpha=1.0, sigma2=2.0) == pytest.approx(0.0)
    with pytest.raises(ValueError, match="There are no rows"):
        maximise_evidence(s)
    assert maximise_evidence(s, alpha=1.0, sigma2=2.0).log_evidence == 0.0


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan, np.inf])
def test_variances_must_be_positive_and_finite(bad):
    Phi, y = draw((5, 2))
    s = spectrum(accumulate(Phi, y))
    with pytest.raises(ValueError, match="`alpha` is a variance"):
        log_evidence(Phi, y, alpha=bad, sigma2=1.0)
    with pytest.raises(ValueError, match="`sigma2` is a variance"):
        log_evidence_from(accumulate(Phi, y), alpha=1.0, sigma2=bad)
    with pytest.raises(ValueError, match="`sigma2` is a variance"):
        maximise_evidence(s, sigma2=bad)
    with pytest.raises(ValueError, match="are variances"):
        spectrum_evidence(s, np.array([1.0, bad]), 1.0)


def test_evidence_of_weighted_rows_is_that_of_repeated_rows():
    Phi, y = draw((30, 4), 3)
    weight = np.arange(30) % 3
    repeated = np.repeat(np.arange(30), weight)
    cov = 0.3 * np.eye(len(repeated)) + 2.0 * Phi[repeated] @ Phi[repeated].T
    expected = multivariate_normal.logpdf(y[repeated], cov=cov)
    assert_allclose(log_evidence(Phi, y, alpha=2.0, sigma2=0.3, weight=1.0 * weight), expected)
    assert_allclose(log_evidence_from(accumulate(Phi, y, 1.0 * weight), alpha=2.0, sigma2=0.3), expected)


def test_what_is_known_already_need_not_be_computed_again():
    rng = np.random.default_rng(0)
    Phi, y = rng.standard_normal((12, 3)), rng.standard_normal(12)
    posterior = condition(Phi, y, alpha=0.7, sigma2=0.2)
    again = condition(Phi, y, alpha=0.7, sigma2=0.2, G=Phi.T @ Phi)
    assert (again.m == posterior.m).all()
    whole = log_evidence(Phi, y, alpha=0.7, sigma2=0.2)
    assert log_evidence(Phi, y, alpha=0.7, sigma2=0.2, posterior=posterior) == whole
