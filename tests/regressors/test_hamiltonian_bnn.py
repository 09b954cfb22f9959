"""The sampled Bayesian neural network against exact answers, and what it says of its own convergence."""

import warnings

import equinox as eqx
import jax
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning

import unabases
from tests.regressors.linear_network import NEW, PHI, PHI_NEW, SIGMA2, X, Y, identity
from unabases import DivergedError, HamiltonianBNN, linear
from unabases.datasets import cubic_gap
from unabases.features import Frozen
from unabases.regressors import hamiltonian_bnn
from unabases.regressors.networks import chains
from unabases.regressors.networks.convergence import effective_size
from unabases.regressors.networks.step_one import take_member

FAST = {
    "hidden_layer_sizes": (5,),
    "n_chains": 2,
    "n_warmup": 60,
    "n_samples": 40,
    "max_depth": 4,
    "max_steps": 50,
    "random_state": 0,
}
few = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(scope="module")
def model():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return HamiltonianBNN(**FAST, sigma2=SIGMA2).fit(X, Y)


@pytest.mark.parametrize("by_fan_in", [True, False])
@pytest.mark.parametrize("sampler", ["nuts", "hmc"])
def test_a_linear_network_has_the_exact_posterior(sampler, by_fan_in):
    """Moments of the functions, within five standard errors of as many draws as these are worth."""
    model = HamiltonianBNN(
        sampler=sampler,
        n_leapfrog=8,
        features=identity,
        n_warmup=300,
        n_samples=1000,
        max_draws=4000,
        prior_variance=0.02,  # strong: the answer depends on it
        by_fan_in=by_fan_in,
        sigma2=SIGMA2,
        max_steps=200,
        standardize=False,
        random_state=0,
    ).fit(X, Y)
    spread = np.sqrt(0.02 * np.array([0.5, 0.5, 1.0] if by_fan_in else [1.0, 1.0, 1.0]))
    exact = linear.condition(PHI * spread, Y, alpha=1.0, sigma2=SIGMA2)
    mean, _ = linear.predict(exact, PHI_NEW * spread)
    root = linear.root(exact, PHI_NEW * spread)
    covariance = root @ root.T

    d = model.predict_dist(NEW)
    draws = d.members.reshape(4, 1000, -1)
    products = np.einsum("cni,cnj->cnij", draws - mean, draws - mean)
    error = np.sqrt(np.diag(covariance) / effective_size(draws))
    assert (np.abs(d.mean - mean) < 5 * error).all()
    variances = np.diag(covariance)
    size = effective_size(products.reshape(4, 1000, -1)).reshape(covariance.shape)
    error = np.sqrt((np.outer(variances, variances) + covariance**2) / size)
    assert (np.abs(products.mean(axis=(0, 1)) - covariance) < 5 * error).all()
    assert model.ess_ > 400  # so that the errors are small and the test means something
    assert model.r_hat_ < 1.02
    assert model.divergences_ == 0


def test_the_log_density_is_that_of_the_model(model):
    """At a kept draw, from the formula in float64, up to a constant."""
    Z, t = model.x_scale_.apply(X), model.y_scale_.apply(Y[:, None])
    found = []
    for i in (0, 57):
        network = jax.tree.map(np.float64, take_member(model.networks_, i))
        h = np.maximum(Z @ network.phi.weights[0].T + network.phi.biases[0], 0)
        f = h @ network.W[0, 0, :-1] + network.W[0, 0, -1]
        prior = (
            np.sum(network.phi.weights[0] ** 2) / (4 / 2)
            + np.sum(network.phi.biases[0] ** 2) / 4
            + np.sum(network.W[..., :-1] ** 2) / (4 / 5)
            + np.sum(network.W[..., -1] ** 2) / 4
        )
        found.append(-0.5 * (np.sum((t[:, 0] - f) ** 2) / model.noise_[0] + prior))
    assert_allclose(model.history_["log_density"].iloc[[0, 57]], found, rtol=1e-4)


@few
def test_cubic_gap_is_uncertain_in_the_gap():
    data = cubic_gap()
    model = HamiltonianBNN(
        sampler="hmc",
        n_leapfrog=200,
        hidden_layer_sizes=(20,),
        n_chains=2,
        n_warmup=200,
        n_samples=200,
        sigma2=9.0,
        random_state=0,
    ).fit(data.X_train, data.y_train)
    near, gap = model.predict_dist(data.X_test), model.predict_dist(data.gap_grid)
    assert gap.epistemic_std.mean() > 3 * near.epistemic_std.mean()
    assert np.sqrt(np.mean((near.mean - data.y_test) ** 2)) < 3.5


@few
def test_the_same_seed_gives_the_same_bits_and_another_does_not(model):
    again = HamiltonianBNN(**FAST, sigma2=SIGMA2).fit(X, Y)
    assert_array_equal(again.predict_dist(NEW).members, model.predict_dist(NEW).members)
    assert again.diagnostics_.equals(model.diagnostics_)
    other = HamiltonianBNN(**{**FAST, "random_state": 1}, sigma2=SIGMA2).fit(X, Y)
    assert (other.predict(NEW) != model.predict(NEW)).all()


def test_too_few_iterations_are_warned_of():
    with pytest.warns(ConvergenceWarning, match=r"R-hat.*`n_warmup`.*independent.*`n_samples`"):
        model = HamiltonianBNN(**{**FAST, "n_warmup": 2, "n_samples": 6}, sigma2=SIGMA2).fit(X, Y)
    assert np.isfinite(model.predict(NEW)).all()
    with pytest.warns(ConvergenceWarning):
        model = HamiltonianBNN(**{**FAST, "n_warmup": 1, "n_samples": 1}, sigma2=SIGMA2).fit(X, Y)
    assert np.isnan(model.r_hat_)
    assert model.ess_ == 0


def test_divergences_are_warned_of(monkeypatch):
    real = hamiltonian_bnn.run_chains

    def diverging(*args, **kwargs):
        draws = real(*args, **kwargs)
        return draws._replace(divergent=np.arange(draws.divergent.size).reshape(draws.divergent.shape) < 7)

    monkeypatch.setattr(hamiltonian_bnn, "run_chains", diverging)
    with pytest.warns(ConvergenceWarning, match="7 of 80 iterations diverged: raise `target_accept`"):
        model = HamiltonianBNN(**FAST, sigma2=SIGMA2).fit(X, Y)
    assert model.divergences_ == 7


@few
def test_one_chain_is_enough():
    model = HamiltonianBNN(**{**FAST, "n_chains": 1}, sigma2=SIGMA2).fit(X, Y)
    assert model.predict_dist(NEW).members.shape == (40, 15)
    assert np.isfinite(model.r_hat_)


@few
def test_draws_are_thinned_to_the_limit_and_history_has_a_row_for_each(model):
    assert len(model.history_) == model.networks_.W.shape[0] == 80
    thin = HamiltonianBNN(**FAST, sigma2=SIGMA2, max_draws=30).fit(X, Y)
    assert_array_equal(thin.history_["draw"], [*range(3, 40, 3)] * 2)
    assert_array_equal(thin.history_["chain"], [1] * 13 + [2] * 13)
    assert (model.n_iter_, thin.n_iter_, thin.set_params(n_samples=7).n_iter_) == (40, 39, 39)
    kept = model.history_["draw"].isin(thin.history_["draw"]).to_numpy()
    assert_array_equal(thin.networks_.W, model.networks_.W[kept])
    assert_array_equal(thin.history_["log_density"], model.history_["log_density"][kept])


def test_diagnostics_survive_saving(model, tmp_path):
    unabases.save(model, tmp_path / "model.una")
    loaded = unabases.load(tmp_path / "model.una")
    assert loaded.diagnostics_.equals(model.diagnostics_)
    assert loaded.history_.equals(model.history_)
    assert (loaded.r_hat_, loaded.ess_, loaded.divergences_) == (model.r_hat_, model.ess_, model.divergences_)
    assert list(loaded.diagnostics_.columns) == ["mean", "worst", "chain_1", "chain_2"]


@few
@pytest.mark.parametrize("broken", [[1], [0, 1]])
def test_a_chain_that_is_not_finite_is_dropped(model, monkeypatch, broken):
    real = hamiltonian_bnn.run_chains

    def breaking(*args, **kwargs):
        draws = real(*args, **kwargs)
        draws.positions[broken, 3] = np.nan
        return draws

    monkeypatch.setattr(hamiltonian_bnn, "run_chains", breaking)
    if len(broken) == 2:
        with pytest.raises(DivergedError, match="all 2 chains"):
            HamiltonianBNN(**FAST, sigma2=SIGMA2).fit(X, Y)
        return
    with pytest.warns(UserWarning, match="1 of 2 chains"):
        left = HamiltonianBNN(**FAST, sigma2=SIGMA2).fit(X, Y)
    assert_array_equal(left.networks_.W, model.networks_.W[:40])


@few
def test_fits_of_similar_size_share_one_program(monkeypatch):
    traced = []
    real = chains._log_density
    monkeypatch.setattr(chains, "_log_density", lambda *args: traced.append(1) or real(*args))
    own = {**FAST, "hidden_layer_sizes": (3,), "sigma2": SIGMA2}
    HamiltonianBNN(**own).fit(X, Y)
    assert traced
    traced.clear()
    HamiltonianBNN(**{**own, "n_samples": 51, "n_warmup": 33, "n_chains": 3, "target_accept": 0.9}).fit(X, Y)
    HamiltonianBNN(**{**own, "random_state": 1, "prior_variance": 2.0, "sigma2": 1.0}).fit(X[:35], 3 * Y[:35])
    assert not traced


@few
def test_chains_side_by_side_equal_chains_in_threads(monkeypatch):
    """What an accelerator would run; a few iterations, before rounding has grown."""
    own = {**FAST, "n_warmup": 5, "n_samples": 3, "max_depth": 2, "n_chains": 3, "sigma2": SIGMA2}
    apart = HamiltonianBNN(**own).fit(X, Y)
    monkeypatch.setattr(chains, "_groups", lambda C: [list(range(C))])
    together = HamiltonianBNN(**own).fit(X, Y)
    assert_allclose(together.predict_dist(NEW).members, apart.predict_dist(NEW).members, rtol=1e-3, atol=1e-3)
    assert_allclose(together.history_.astype(float), apart.history_.astype(float), rtol=1e-3)


@few
def test_noise_from_residuals_and_starts_that_stop_early():
    both = np.column_stack([Y, 100 * X[:, 0]])
    model = HamiltonianBNN(**{**FAST, "max_steps": 300}, early_stopping=True).fit(X, both)
    assert 0.3 * SIGMA2 < model.sigma2_[0] < 3 * SIGMA2
    assert model.score(X, both) > 0.8


class Projected(eqx.Module):
    """Random directions that are not trained, with a scale that is."""

    directions: Frozen
    scale: jax.Array

    def __init__(self, d, *, key):
        self.directions = Frozen(jax.random.normal(key, (4, d)))
        self.scale = jax.numpy.ones(4)

    def __call__(self, x):
        return self.scale * jax.numpy.cos(self.directions.value @ x)


@few
def test_what_is_not_trained_is_shared_by_all_chains():
    model = HamiltonianBNN(**FAST, sigma2=SIGMA2, features=Projected).fit(X, Y)
    directions = np.asarray(model.networks_.phi.directions.value)
    assert (directions == directions[0]).all()
    assert np.std(model.networks_.phi.scale, axis=0).min() > 0


@few
def test_progress_is_shown_on_demand(capsys):
    HamiltonianBNN(**FAST, sigma2=SIGMA2, verbose=True).fit(X, Y)
    shown = capsys.readouterr().err
    assert "HamiltonianBNN, nuts" in shown
    assert "100/100" in shown


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"sampler": "gibbs"}, "unknown sampler 'gibbs'.*nuts, hmc"),
        ({"n_chains": 0}, "`n_chains`"),
        ({"n_warmup": 0}, "`n_warmup`"),
        ({"n_samples": 2.5}, "`n_samples`"),
        ({"max_draws": 1}, "`max_draws`.*at least 2"),
        ({"max_depth": 0}, "`max_depth`"),
        ({"sampler": "hmc", "n_leapfrog": 0}, "`n_leapfrog`"),
        ({"target_accept": 1.0}, "`target_accept`.*between 0 and 1"),
        ({"target_accept": -0.1}, "`target_accept`"),
        ({"prior_variance": 0.0}, "`prior_variance`"),
        ({"sigma2": "evidence"}, "`sigma2`"),
        ({"hidden_layer_sizes": (3000, 3000), "n_samples": 500}, r"9\d{6} weights.*GiB.*`max_draws`"),
    ],
)
def test_bad_parameters_are_refused(bad, message):
    with pytest.raises(ValueError, match=message):
        HamiltonianBNN(**{**FAST, "sigma2": SIGMA2, **bad}).fit(X, Y)
