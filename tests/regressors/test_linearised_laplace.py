"""Linearised Laplace against exact linear regression, derivatives by hand, dense matrices and laplace-torch."""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from unabases import LinearisedLaplace, linear
from unabases.datasets import cubic_gap
from unabases.features import Frozen
from unabases.metrics import rmse
from unabases.regressors import linearised_laplace
from unabases.regressors.networks import step_one

RNG = np.random.default_rng(3)
X = RNG.uniform(-2, 2, (60, 2))
Y = np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.1 * RNG.standard_normal(60)
BOTH = np.column_stack([5 + 10 * Y, X[:, 1] ** 2 + 0.2 * RNG.standard_normal(60)])
NEW = RNG.uniform(-3, 3, (25, 2))
FAST = {"max_steps": 150, "hidden_layer_sizes": (5, 4), "random_state": 0}


def identity(d, *, key):
    """The inputs themselves: the network is then linear regression."""
    return eqx.nn.Identity()


def by_hand(model, rows):
    """Derivatives (n, p, weights) of a network with two tanh layers, by the chain rule written out."""
    (W1, W2), (b1, b2) = (
        [np.asarray(a, np.float64) for a in arrays]
        for arrays in (model.network_.phi.weights, model.network_.phi.biases)
    )
    V = np.asarray(model.network_.W, np.float64)[0]
    out = []
    for x in model.x_scale_.apply(rows):
        h1 = np.tanh(W1 @ x + b1)
        h2 = np.tanh(W2 @ h1 + b2)
        for j in range(len(V)):
            head = np.zeros_like(V)
            head[j] = [*h2, 1.0]
            g2 = V[j, :-1] * (1 - h2**2)
            g1 = (W2.T @ g2) * (1 - h1**2)
            out.append(np.concatenate([np.outer(g1, x).ravel(), g1, np.outer(g2, h1).ravel(), g2, head.ravel()]))
    return np.array(out).reshape(len(rows), len(V), -1)


def dense(model, rows, delta):
    """A as one matrix over all weights, from derivatives by hand."""
    J = by_hand(model, rows) / np.sqrt(model.noise_)[:, None]
    J = J.reshape(-1, J.shape[-1])
    return J.T @ J + delta * np.eye(J.shape[1])


def dense_evidence(model, rows, targets, delta):
    """Laplace's log evidence in y's units, term by term."""
    targets, spread = targets.reshape(len(rows), -1), model.y_scale_.spread
    sigma2 = model.noise_ * spread**2
    residual = targets - model.predict(rows).reshape(targets.shape)
    fit = -0.5 * np.sum(residual**2 / sigma2 + np.log(2 * np.pi * sigma2))
    theta2 = sum(np.sum(np.asarray(leaf, np.float64) ** 2) for leaf in linearised_laplace.leaves_of(model.network_))
    A = dense(model, rows, delta)
    return fit - 0.5 * delta * theta2 + 0.5 * len(A) * np.log(delta) - 0.5 * np.linalg.slogdet(A)[1]


@pytest.mark.parametrize("outputs", [1, 2])
@pytest.mark.parametrize("shape", [(6, 12), (60, 3)], ids=["fewer rows than weights", "more rows"])
def test_a_network_linear_in_its_weights_is_exact_bayesian_regression(shape, outputs):
    rng = np.random.default_rng(1)
    rows, new = rng.standard_normal(shape), rng.standard_normal((7, shape[1]))
    targets = 3 + rows @ rng.standard_normal((shape[1], outputs)) + 0.3 * rng.standard_normal((shape[0], outputs))
    sigma2 = np.array([4.0, 2.0])[:outputs]  # steep and flat directions not too far apart: Adam has to arrive
    model = LinearisedLaplace(features=identity, prior_precision=2.5, sigma2=sigma2, max_steps=4000, random_state=0)
    d = model.fit(rows, targets).predict_dist(new, covariance=True)
    assert model.n_parameters_ == outputs * (shape[1] + 1)
    Phi, Phi_new = (linear.with_bias((part - rows.mean(0)) / rows.std(0)) for part in (rows, new))
    evidence = 0.0
    for j in range(outputs):
        center, spread = targets[:, j].mean(), targets[:, j].std()
        t, noise = (targets[:, j] - center) / spread, sigma2[j] / spread**2
        posterior = linear.condition(Phi, t, alpha=0.4, sigma2=noise)
        mean, var = linear.predict(posterior, Phi_new)
        assert_allclose(d.mean[:, j], mean * spread + center, atol=1e-4 * spread)
        assert_allclose(d.epistemic_std[:, j], np.sqrt(var) * spread, rtol=1e-8)
        cov = linear.covariance(posterior, Phi_new) * spread**2
        assert_allclose(d.covariance[j], cov, rtol=1e-8, atol=1e-8 * cov.max())
        evidence += linear.log_evidence(Phi, t, alpha=0.4, sigma2=noise) - shape[0] * np.log(spread)
    assert_allclose(model.log_evidence_, evidence, atol=1e-4)


@pytest.mark.parametrize("n", [15, 60], ids=["fewer rows than weights", "more rows"])
@pytest.mark.parametrize("targets", [Y, BOTH], ids=["one output", "two outputs"])
def test_variances_equal_a_dense_matrix_of_derivatives_by_hand(n, targets):
    rows, targets = X[:n], targets[:n]
    sigma2 = 0.01 if targets.ndim == 1 else [1.0, 0.04]
    model = LinearisedLaplace(**FAST, sigma2=sigma2, prior_precision=0.5).fit(rows, targets)
    J = by_hand(model, NEW)
    A = dense(model, rows, 0.5)
    assert model.n_parameters_ == len(A)
    spread = model.y_scale_.spread
    expected = np.stack([J[:, j] @ np.linalg.solve(A, J[:, j].T) * s**2 for j, s in enumerate(spread)])
    d = model.predict_dist(NEW, covariance=True)
    var = np.einsum("pnn->np", expected)
    assert_allclose(d.epistemic_std.reshape(var.shape) ** 2, var, rtol=1e-6)
    assert_allclose(d.covariance.reshape(expected.shape), expected, atol=1e-6 * expected.max())
    assert_allclose(model.log_evidence_, dense_evidence(model, rows, targets, 0.5), rtol=1e-9)


def test_derivatives_are_in_float64():
    model = LinearisedLaplace(**FAST, sigma2=[1.0, 0.04]).fit(X, BOTH)
    (_, f, J), *more = model._linearise(model.x_scale_.apply(NEW))
    assert not more
    assert f.dtype == J.dtype == np.float64
    squares = np.sum(by_hand(model, NEW) ** 2, axis=2)
    assert_allclose(np.sum(J**2, axis=2), squares, rtol=1e-12)


@pytest.mark.parametrize("n", [15, 60])
def test_the_precision_by_evidence_is_where_its_derivative_is_zero(n):
    model = LinearisedLaplace(**FAST, sigma2=0.01).fit(X[:n], Y[:n])
    best = model.prior_precision_
    low, middle, high = (dense_evidence(model, X[:n], Y[:n], best * factor) for factor in np.exp([-1e-3, 0, 1e-3]))
    assert_allclose(model.log_evidence_, middle, rtol=1e-9)
    assert abs(high - low) / 2e-3 < 1e-4
    for factor in (0.01, 0.3, 3.0, 100.0):
        assert dense_evidence(model, X[:n], Y[:n], best * factor) < middle


def test_blocks_of_rows_change_nothing(monkeypatch):
    whole = LinearisedLaplace(**FAST, sigma2=0.01).fit(X, Y)
    monkeypatch.setattr(linearised_laplace, "_DERIVATIVES", 16 * whole.n_parameters_)
    blocks = LinearisedLaplace(**FAST, sigma2=0.01).fit(X, Y)
    assert len(list(blocks._linearise(X))) == 4
    assert_allclose(blocks.prior_precision_, whole.prior_precision_, rtol=1e-10)
    one, other = blocks.predict_dist(X, covariance=True), whole.predict_dist(X, covariance=True)
    assert_allclose(one.mean, other.mean, rtol=1e-12)
    assert_allclose(one.covariance, other.covariance, rtol=1e-8, atol=1e-10)


def test_half_the_precision_is_the_penalty_of_training_unless_one_is_given():
    given = LinearisedLaplace(**FAST, sigma2=0.01, prior_precision=0.2).fit(X, Y)
    same = LinearisedLaplace(**FAST, sigma2=0.01, gamma=0.1).fit(X, Y)
    assert_array_equal(given.predict(NEW), same.predict(NEW))
    assert given.prior_precision_ == pytest.approx(0.2)
    assert same.prior_precision_ != pytest.approx(0.2)
    other = LinearisedLaplace(**FAST, sigma2=0.01, gamma=0.1, prior_precision=5.0).fit(X, Y)
    assert_array_equal(other.predict(NEW), same.predict(NEW))
    assert (other.predict_dist(NEW).epistemic_std < given.predict_dist(NEW).epistemic_std).all()


def test_frozen_arrays_are_no_weights():
    class Waves(eqx.Module):
        frequency: Frozen

        def __call__(self, x):
            return jnp.sin(self.frequency.value @ x)

    def waves(d, *, key):
        return Waves(Frozen(jnp.arange(6.0 * d, dtype=jnp.float32).reshape(6, d) / 6))

    model = LinearisedLaplace(features=waves, sigma2=0.01, max_steps=150, prior_precision=0.5, random_state=0).fit(X, Y)
    assert model.n_parameters_ == 7
    frequency = np.asarray(waves(2, key=None).frequency.value, np.float64)
    Phi, Phi_new = (linear.with_bias(np.sin(model.x_scale_.apply(part) @ frequency.T)) for part in (X, NEW))
    posterior = linear.condition(Phi, Y, alpha=2.0, sigma2=0.01 / Y.std() ** 2)
    assert_allclose(
        model.predict_dist(NEW).epistemic_std, np.sqrt(linear.predict(posterior, Phi_new)[1]) * Y.std(), rtol=1e-6
    )


def test_restarts_keep_one_network():
    model = LinearisedLaplace(**FAST, sigma2=0.01, restarts=3).fit(X, Y)
    assert model.network_.W.shape == (1, 1, 5)
    assert set(model.history_.columns) == {"loss", "fit", "weight_penalty"}


@pytest.mark.parametrize("sigma2", [0.01, "residual"])
def test_too_many_weights_are_refused_before_anything_trains(sigma2, monkeypatch):
    monkeypatch.setattr(step_one, "train", lambda *args, **kwargs: pytest.fail("it trained"))
    message = (
        r"network has 11101 weights, more than `max_parameters`=10000: .* 0\.92 GiB .* smaller `hidden_layer_sizes`"
    )
    with pytest.raises(ValueError, match=message):
        LinearisedLaplace(hidden_layer_sizes=(100, 100), sigma2=sigma2, max_parameters=10000).fit(np.tile(X, 4), Y)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"prior_precision": 0.0}, "`prior_precision` must be a positive number or 'evidence'; got 0.0"),
        ({"prior_precision": "residual"}, "`prior_precision`.*'residual'"),
        ({"gamma": -1.0}, "`gamma`"),
        ({"restarts": 0}, "`restarts`"),
        ({"max_parameters": 0}, "`max_parameters`"),
        ({"sigma2": "evidence"}, "`sigma2`"),
    ],
)
def test_impossible_values_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        LinearisedLaplace(**{**FAST, "sigma2": 0.01, **parameters}).fit(X, Y)


@pytest.mark.parametrize("seed", [0, 1])
def test_the_defaults_know_the_gap_in_the_cubic(seed):
    """A Gaussian process shows a mean of 7 to 12 there over the first seeds, and noise alone makes an error of 3."""
    data = cubic_gap(random_state=seed)
    model = LinearisedLaplace(sigma2=data.sigma2, random_state=seed).fit(data.X_train, data.y_train)
    on_data, in_gap = model.predict_dist(data.X_test), model.predict_dist(data.gap_grid)
    assert 4 < in_gap.epistemic_std.mean() < 25
    assert on_data.epistemic_std.mean() < 1.5
    assert rmse(on_data, data.y_test) < 3.5


def test_variances_equal_those_of_laplace_torch():
    torch = pytest.importorskip("torch", reason="compares with laplace-torch: needs torch, see benchmarks")
    laplace = pytest.importorskip("laplace", reason="compares with laplace-torch: pip install laplace-torch")
    model = LinearisedLaplace(**FAST, sigma2=0.01).fit(X, Y)
    layers = [torch.nn.Linear(2, 5), torch.nn.Tanh(), torch.nn.Linear(5, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1)]
    peer = torch.nn.Sequential(*layers).double()
    phi, W = model.network_.phi, np.array(model.network_.W[0])
    arrays = [phi.weights[0], phi.biases[0], phi.weights[1], phi.biases[1], W[:, :-1], W[:, -1]]
    with torch.no_grad():
        for own, array in zip(peer.parameters(), arrays, strict=True):
            own.copy_(torch.tensor(np.array(array, np.float64)))
    rows, t, new = (
        torch.tensor(part)
        for part in (model.x_scale_.apply(X), (Y - Y.mean())[:, None] / Y.std(), model.x_scale_.apply(NEW))
    )
    la = laplace.Laplace(
        peer,
        "regression",
        subset_of_weights="all",
        hessian_structure="full",
        sigma_noise=float(np.sqrt(model.noise_[0])),
        prior_precision=model.prior_precision_,
    )
    la.fit(torch.utils.data.DataLoader(torch.utils.data.TensorDataset(rows, t), batch_size=20))
    mean, var = la(new)
    d = model.predict_dist(NEW)
    assert_allclose(d.mean, mean.detach().numpy()[:, 0] * Y.std() + Y.mean(), rtol=1e-5, atol=1e-5)
    assert_allclose(d.epistemic_std**2, var.detach().numpy().ravel() * Y.var(), rtol=1e-4)
    evidence = float(la.log_marginal_likelihood()) - len(Y) * np.log(Y.std())
    assert_allclose(model.log_evidence_, evidence, rtol=1e-5)
