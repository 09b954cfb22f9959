"""The exact last layer, as users meet it: update, forget, refit, sample, variances, restarts."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import multivariate_normal

from unabases import LUNA, DivergedError, NeuralLinear, load, save
from unabases.regressors.networks.step_one import final_loss
from unabases.regressors.networks.together import fit_together

RNG = np.random.default_rng(1)
X = RNG.uniform(-2, 2, (60, 2))
Y = np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.1 * RNG.standard_normal(60)
NEW = RNG.uniform(-3, 3, (25, 2))
FAST = {"max_steps": 150, "hidden_layer_sizes": (16, 8), "random_state": 0}


@pytest.fixture
def model():
    return NeuralLinear(**FAST, sigma2=0.01).fit(X, Y)


def dual(model, rows, targets, new):
    """Posterior mean and std by the n × n route, in the user's units."""
    spread, center = model.y_scale_.spread[0], model.y_scale_.center[0]
    Phi, Phi_new = model.feature_matrix(rows), model.feature_matrix(new)
    K = model.prior_variance_ * Phi @ Phi.T + model.sigma2_ / spread**2 * np.eye(len(rows))
    cross = model.prior_variance_ * Phi_new @ Phi.T
    mean = cross @ np.linalg.solve(K, (targets - center) / spread)
    var = model.prior_variance_ * np.sum(Phi_new**2, axis=1) - np.sum(cross * np.linalg.solve(K, cross.T).T, axis=1)
    return mean * spread + center, np.sqrt(var) * spread


def test_prediction_equals_the_dual_gaussian(model):
    d = model.predict_dist(NEW)
    mean, std = dual(model, X, Y, NEW)
    assert_allclose(d.mean, mean, rtol=1e-6, atol=1e-8)
    assert_allclose(d.epistemic_std, std, rtol=1e-5)


def test_log_evidence_is_that_of_y_in_its_own_units(model):
    spread, center = model.y_scale_.spread[0], model.y_scale_.center[0]
    Phi = model.feature_matrix(X)
    cov = spread**2 * model.prior_variance_ * Phi @ Phi.T + model.sigma2_ * np.eye(len(X))
    assert_allclose(
        model.log_evidence_, multivariate_normal.logpdf(Y, mean=np.full(len(X), center), cov=cov), rtol=1e-8
    )


def test_update_equals_conditioning_on_all_rows_and_forget_undoes_it(model):
    before = model.predict_dist(NEW)
    evidence = model.log_evidence_
    more_X, more_y = NEW[:10], np.sin(NEW[:10, 0])
    model.update(more_X, more_y)
    after = model.predict_dist(NEW)
    mean, std = dual(model, np.r_[X, more_X], np.r_[Y, more_y], NEW)
    assert_allclose(after.mean, mean, rtol=1e-6, atol=1e-8)
    assert_allclose(after.epistemic_std, std, rtol=1e-5)
    assert (after.epistemic_std <= before.epistemic_std + 1e-12).all()
    model.forget(more_X, more_y)
    undone = model.predict_dist(NEW)
    assert_allclose(undone.mean, before.mean, rtol=1e-7, atol=1e-9)
    assert_allclose(undone.epistemic_std, before.epistemic_std, rtol=1e-6)
    assert_allclose(model.log_evidence_, evidence, rtol=1e-8)


def test_forgetting_rows_never_learned_is_refused(model):
    with pytest.raises(ValueError, match="not part"):
        model.forget(np.full((200, 2), 3.0), np.full(200, 9.0))


@pytest.mark.parametrize("change", ["update", "forget", "refit"])
@pytest.mark.parametrize(
    ("rows", "targets", "says"), [(1.0, 1e160, "Choose another unit"), (1e150, 1.0, "too far from the rows of the fit")]
)
def test_rows_that_are_too_large_are_told_in_the_words_of_the_user(model, change, rows, targets, says):
    before = model.predict(NEW)
    with pytest.raises(ValueError, match=says):
        getattr(model, change)(rows * np.ones((2, 2)), targets * np.ones(2))
    assert_array_equal(model.predict(NEW), before)


def test_refit_keeps_features_and_replaces_the_posterior(model):
    phi = model.feature_matrix(NEW)
    mean, std = dual(model, NEW, np.cos(NEW[:, 0]), X)
    d = model.refit(NEW, np.cos(NEW[:, 0])).predict_dist(X)
    assert_allclose(model.feature_matrix(NEW), phi)
    assert_allclose(d.mean, mean, rtol=1e-6, atol=1e-8)
    assert_allclose(d.epistemic_std, std, rtol=1e-5)


def test_samples_have_the_moments_they_should(model):
    d = model.predict_dist(NEW, covariance=True)
    draws = model.sample_posterior(NEW, 20000, random_state=0)
    assert draws.shape == (20000, 25)
    assert_allclose(draws.mean(axis=0), d.mean, atol=5 * d.epistemic_std.max() / np.sqrt(20000))
    scale = np.outer(d.epistemic_std, d.epistemic_std)
    assert_allclose(np.cov(draws.T) / scale, d.covariance / scale, atol=0.05)
    prior = model.sample_prior(NEW, 20000, random_state=0)
    Phi = model.feature_matrix(NEW)
    assert_allclose(prior.std(axis=0), np.sqrt(model.prior_variance_ * np.sum(Phi**2, axis=1)) * Y.std(), rtol=0.05)


def test_a_number_of_samples_that_cannot_be_is_refused(model):
    for sample in (model.sample_posterior, model.sample_prior):
        with pytest.raises(ValueError, match="`n` must be a whole number"):
            sample(NEW, -1)


def test_variances_by_evidence_beat_their_neighbours():
    model = NeuralLinear(**FAST, sigma2="evidence", prior_variance="evidence").fit(X, Y)
    best, alpha, sigma2 = model.log_evidence_, model.prior_variance_, model.sigma2_
    for factor_alpha, factor_sigma2 in [(1.3, 1), (0.7, 1), (1, 1.3), (1, 0.7)]:
        model.set_params(prior_variance=alpha * factor_alpha, sigma2=sigma2 * factor_sigma2)
        assert model.refit(X, Y).log_evidence_ < best


def test_refit_honours_what_the_parameters_say_now(model):
    model.set_params(prior_variance=2.5, sigma2=0.04).refit(X, Y)
    assert model.prior_variance_ == 2.5
    assert_allclose(model.sigma2_, 0.04)
    mean, std = dual(model, X, Y, NEW)
    d = model.predict_dist(NEW)
    assert_allclose(d.mean, mean, rtol=1e-6, atol=1e-8)
    assert_allclose(d.epistemic_std, std, rtol=1e-5)
    model.set_params(prior_variance="evidence").refit(X, Y)
    assert model.prior_variance_ not in (0.3, 2.5)
    with pytest.raises(ValueError, match="`sigma2`"):
        model.set_params(sigma2=-1.0).refit(X, Y)


def test_refit_keeps_the_noise_that_fit_took_from_residuals_and_estimates_it_where_fit_did_not(model, tmp_path):
    residual = NeuralLinear(**FAST).fit(X, Y)
    settled = residual.sigma2_
    assert residual.refit(NEW, np.cos(NEW[:, 0])).sigma2_ == settled
    save(residual, tmp_path / "model.una")
    assert load(tmp_path / "model.una").refit(NEW, np.cos(NEW[:, 0])).sigma2_ == settled
    model.set_params(sigma2="residual").refit(X, Y)  # it was given when the model was fitted
    assert_allclose(model.sigma2_, settled, rtol=1e-6)


def test_residual_noise_is_near_the_truth():
    rows = RNG.uniform(-2, 2, (400, 2))
    targets = np.sin(rows[:, 0]) + 0.5 * rows[:, 1] + 0.3 * RNG.standard_normal(400)
    model = NeuralLinear(random_state=0, max_steps=500).fit(rows, targets)
    assert 0.7 * 0.09 < model.sigma2_ < 1.5 * 0.09


def test_restarts_keep_the_start_with_the_lowest_loss():
    losses = [
        final_loss(NeuralLinear(**{**FAST, "random_state": seed}, sigma2=0.01).fit(X, Y).history_["loss"].to_numpy())
        for seed in range(3)
    ]
    kept = final_loss(NeuralLinear(**FAST, sigma2=0.01, restarts=6).fit(X, Y).history_["loss"].to_numpy())
    assert kept <= np.median(losses)


def test_divergence_from_every_start_is_an_error_and_from_some_a_warning():
    with pytest.raises(DivergedError, match="learning_rate"):
        NeuralLinear(**FAST, sigma2=1e-12, learning_rate=1e30, restarts=2).fit(X, Y)


def test_a_diverged_start_is_dropped_with_a_warning(monkeypatch):
    from unabases.regressors.networks import step_one

    real = step_one.train

    def one_diverges(*args, **kwargs):
        trained = real(*args, **kwargs)
        return trained._replace(finite=np.array([False, True, True]))

    monkeypatch.setattr(step_one, "train", one_diverges)
    with pytest.warns(UserWarning, match="1 of 3 starts"):
        model = NeuralLinear(**FAST, sigma2=0.01, restarts=3).fit(X, Y)
    assert model.score(X, Y) > 0.8


def test_a_warm_start_goes_on_where_the_last_fit_ended():
    X, y = np.linspace(-1, 1, 24)[:, None], np.sin(3 * np.linspace(-1, 1, 24))
    for cls in (LUNA, NeuralLinear):
        model = cls(
            hidden_layer_sizes=(8,), sigma2=0.01, max_steps=200, decay="constant", warm_start=True, random_state=0
        ).fit(X, y)
        ended = model.history_["fit"].iloc[-1]
        model.set_params(max_steps=1).fit(X, y)
        assert model.history_["fit"].iloc[0] == pytest.approx(ended, rel=0.2, abs=0.1)
        cold = cls(hidden_layer_sizes=(8,), sigma2=0.01, max_steps=1, random_state=0).fit(X, y)
        assert cold.history_["fit"].iloc[0] > ended + 1
        wider = model.set_params(hidden_layer_sizes=(9,)).fit(X, y)  # other shapes: a new start
        assert wider.phi_.widths == (9,)
        assert wider.history_["fit"].iloc[0] > ended + 1


def test_a_warm_start_is_one_of_the_restarts_and_holds_for_models_fitted_together():
    X, y = np.linspace(-1, 1, 24)[:, None], np.sin(3 * np.linspace(-1, 1, 24))
    model = NeuralLinear(
        hidden_layer_sizes=(8,), sigma2=0.01, max_steps=300, restarts=2, warm_start=True, random_state=0
    ).fit(X, y)
    ended = model.history_["loss"].iloc[-1]
    model.set_params(max_steps=1)
    assert fit_together([model], X, y) == [None]
    assert model.history_["loss"].iloc[0] == pytest.approx(ended, rel=0.2, abs=0.1)
