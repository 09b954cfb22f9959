"""The committee: what members leave out, how that decides the variances, and exact last layers."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm

from unabases import UNA, load, save
from unabases.regressors.una import Absence, choose_variances

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, (60, 2))
Y = np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.1 * RNG.standard_normal(60)
NEW = RNG.uniform(-3, 3, (25, 2))
FAST = {"max_steps": 150, "hidden_layer_sizes": (16, 8), "n_heads": 4, "n_folds": 3, "n_slabs": 2, "random_state": 0}


@pytest.fixture(scope="module")
def model():
    return UNA(**FAST).fit(X, Y)


def test_folds_leave_every_row_out_once_and_slabs_leave_regions_out():
    Z = np.random.default_rng(1).standard_normal((90, 2))
    absences = UNA(n_folds=4, n_slabs=4)._absences(Z, np.random.default_rng(0))
    folds, slabs = [a.rows for a in absences if not a.slab], [a.rows for a in absences if a.slab]
    assert (np.sum(folds, axis=0) == 1).all()
    assert len(slabs) == 4
    assert all(0.25 < rows.mean() < 0.4 for rows in slabs)
    assert not any(a.slab for a in UNA()._absences(Z[:30], np.random.default_rng(0)))


def test_variances_have_the_best_score_of_the_grid_on_what_was_left_out():
    Phi = np.random.default_rng(2).standard_normal((80, 6))
    t = Phi @ np.random.default_rng(3).standard_normal(6) * 0.7 + 0.3 * np.random.default_rng(4).standard_normal(80)
    fold = np.arange(80) % 2
    absences = [Absence(False, fold == k) for k in range(2)]
    choice = choose_variances([Phi, Phi], t, absences)

    def score(alpha, sigma2, factor):
        total = []
        for _, rows in absences:
            K = alpha * Phi[~rows] @ Phi[~rows].T + sigma2 * np.eye((~rows).sum())
            k = alpha * Phi[rows] @ Phi[~rows].T
            mean = k @ np.linalg.solve(K, t[~rows])
            var = alpha * np.sum(Phi[rows] ** 2, axis=1) - np.sum(k * np.linalg.solve(K, k.T).T, axis=1)
            total.append(norm(mean, np.sqrt(factor * var + sigma2)).logpdf(t[rows]).mean())
        return np.mean(total)

    best = score(*choice[:3])
    for alpha, sigma2, factor in ((1.8, 1, 1), (0.5, 1, 1), (1, 1.8, 1), (1, 0.55, 1), (1, 1, 1.6), (1, 1, 0.6)):
        assert score(choice.alpha * alpha, choice.sigma2 * sigma2, choice.factor * factor) < best + 1e-3
    assert 0.5 * 0.09 < choice.sigma2 < 2 * 0.09
    assert_allclose(choice.noise, choice.sigma2)  # equal members: no spread between them
    assert choose_variances([Phi, Phi], t, absences, sigma2=0.2).noise == 0.2


def test_the_prediction_is_the_mixture_of_the_members(model):
    d = model.predict_dist(NEW)
    spread, center = model.y_scale_.spread[0], model.y_scale_.center[0]
    means, variances = [], []
    for phi, layer in zip(model.phis_, model.layers_, strict=True):
        Phi = model._design(phi, model.x_scale_.apply(NEW))
        (posterior,) = layer.posteriors
        means.append(Phi @ posterior.m)
        variances.append(np.sum(np.linalg.solve(posterior.L, Phi.T) ** 2, axis=0))
    factor = model.epistemic_factor_
    assert_allclose(d.mean, np.mean(means, axis=0) * spread + center)
    expected = factor * np.mean(variances, axis=0) + np.var(means, axis=0)
    assert_allclose(d.epistemic_std, np.sqrt(expected) * spread, rtol=1e-6)


def test_update_and_forget_are_exact_and_undo_each_other(model, tmp_path):
    save(model, tmp_path / "model.una")
    other = load(tmp_path / "model.una")
    before = other.predict_dist(NEW)
    after = other.update(NEW[:10], np.sin(NEW[:10, 0])).predict_dist(NEW)
    assert not np.allclose(after.mean, before.mean)
    undone = other.forget(NEW[:10], np.sin(NEW[:10, 0])).predict_dist(NEW)
    assert_allclose(undone.mean, before.mean, rtol=1e-6, atol=1e-8)
    assert_allclose(undone.epistemic_std, before.epistemic_std, rtol=1e-5)


def test_refit_moves_the_features_to_other_data(model, tmp_path):
    save(model, tmp_path / "model.una")
    other = load(tmp_path / "model.una").refit(NEW, np.cos(NEW[:, 0]))
    assert other.layers_[0].statistics.n == 25
    assert_allclose(other.prior_variance_, model.prior_variance_)


def test_samples_have_the_moments_of_the_prediction(model):
    d = model.predict_dist(NEW, covariance=True)
    draws = model.sample_posterior(NEW, 6000, random_state=0)
    assert draws.shape == (6000, 25)
    assert_allclose(draws.mean(axis=0), d.mean, atol=5 * d.epistemic_std.max() / np.sqrt(6000))
    scale = np.outer(d.epistemic_std, d.epistemic_std)
    assert_allclose(np.cov(draws.T) / scale, d.covariance / scale, atol=0.1)
    assert model.sample_prior(NEW, 3, random_state=0).shape == (3, 25)


def test_it_is_wide_in_a_gap_with_its_defaults():
    rng = np.random.default_rng(5)
    x = np.r_[rng.uniform(-3, -1, 60), rng.uniform(1, 3, 60)][:, None]
    y = np.sin(3 * x[:, 0]) + 0.1 * rng.standard_normal(120)
    model = UNA(random_state=0).fit(x, y)
    grid = np.linspace(-0.8, 0.8, 40)[:, None]
    gap, data = model.predict_dist(grid), model.predict_dist(x)
    assert gap.epistemic_std.mean() > 3 * data.epistemic_std.mean()
    assert 0.07 < np.sqrt(model.sigma2_) < 0.15
    low, high = gap.mean - 2 * gap.epistemic_std, gap.mean + 2 * gap.epistemic_std
    inside = (low < np.sin(3 * grid[:, 0])) & (np.sin(3 * grid[:, 0]) < high)
    assert inside.mean() > 0.6


@pytest.mark.parametrize(
    ("parameters", "name"),
    [({"n_folds": 1}, "n_folds"), ({"n_slabs": -1}, "n_slabs"), ({"strength": -1.0}, "strength")],
)
def test_parameters_that_make_no_sense_are_refused(parameters, name):
    with pytest.raises(ValueError, match=f"`{name}`"):
        UNA(**{**FAST, **parameters}).fit(X, Y)
