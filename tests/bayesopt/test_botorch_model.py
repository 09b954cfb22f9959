import sys

import numpy as np
import pytest

from unabases import GaussianProcess, NeuralLinear
from unabases.bayesopt import Space, log_expected_improvement
from unabases.bayesopt.botorch_model import botorch_model
from unabases.bayesopt.maximise import Goal, best_place
from unabases.bayesopt.surrogate import belief_about

RNG = np.random.default_rng(0)
X = RNG.uniform(size=(14, 2))
Y = 30 * ((X[:, 0] - 0.3) ** 2 + (X[:, 1] - 0.6) ** 2) + np.sin(9 * X[:, 0])
AT = RNG.uniform(size=(7, 2))


def fitted():
    model = NeuralLinear(
        "mle",
        hidden_layer_sizes=(20, 20),
        activation="tanh",
        sigma2=0.01,
        prior_variance=1.0,
        max_steps=150,
        random_state=0,
    )
    return model.fit(X, Y)


def test_without_botorch_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "botorch", None)
    with pytest.raises(ImportError, match=r"unabases\[botorch\]"):
        botorch_model(fitted())


def test_the_posterior_is_the_regressors_own():
    torch = pytest.importorskip("torch", reason="needs BoTorch: pip install 'unabases[botorch]'")
    pytest.importorskip("botorch", reason="needs BoTorch: pip install 'unabases[botorch]'")
    model = fitted()
    expected = model.predict_dist(AT, covariance=True)
    for sign in (1, -1):
        theirs = botorch_model(model, negate=sign < 0)
        posterior = theirs.posterior(torch.tensor(AT))
        np.testing.assert_allclose(posterior.mean[:, 0].detach(), sign * expected.mean, rtol=1e-4)
        cov = posterior.distribution.covariance_matrix.detach()
        np.testing.assert_allclose(cov, expected.covariance, rtol=1e-3, atol=1e-4 * expected.covariance.max())
    noisy = botorch_model(model).posterior(torch.tensor(AT), observation_noise=True)
    np.testing.assert_allclose(noisy.variance[:, 0].detach(), expected.var, rtol=1e-3)
    batch = botorch_model(model).posterior(torch.tensor(AT[:6].reshape(3, 2, 2)))
    assert batch.rsample(torch.Size([4])).shape == (4, 3, 2, 1)


def test_equal_rows_of_a_batch_have_equal_values():
    """Their covariance is singular, which must not end a search."""
    torch = pytest.importorskip("torch", reason="needs BoTorch: pip install 'unabases[botorch]'")
    pytest.importorskip("botorch", reason="needs BoTorch: pip install 'unabases[botorch]'")
    twice = torch.tensor(AT[[0, 0, 1, 1]])
    samples = botorch_model(fitted()).posterior(twice).rsample(torch.Size([5]))[..., 0].detach().numpy()
    np.testing.assert_allclose(samples[:, ::2], samples[:, 1::2], atol=1e-3 * np.ptp(Y))


def test_gradients_are_difference_quotients():
    torch = pytest.importorskip("torch", reason="needs BoTorch: pip install 'unabases[botorch]'")
    pytest.importorskip("botorch", reason="needs BoTorch: pip install 'unabases[botorch]'")
    model = botorch_model(fitted())

    def both(rows):
        posterior = model.posterior(rows)
        return torch.cat([posterior.mean.flatten(), posterior.variance.flatten()])

    assert torch.autograd.gradcheck(both, torch.tensor(AT[:3], requires_grad=True), eps=1e-6, atol=1e-4, rtol=1e-4)


def test_expected_improvement_agrees_and_optimize_acqf_finds_as_good_a_point():
    torch = pytest.importorskip("torch", reason="needs BoTorch: pip install 'unabases[botorch]'")
    pytest.importorskip("botorch", reason="needs BoTorch: pip install 'unabases[botorch]'")
    from botorch.acquisition import LogExpectedImprovement, qLogExpectedImprovement
    from botorch.optim import optimize_acqf

    regressor, best = fitted(), float(Y.min())
    theirs = botorch_model(regressor, negate=True)
    analytic = LogExpectedImprovement(theirs, best_f=-best)
    prediction = regressor.predict_dist(AT)
    ours = log_expected_improvement(prediction.mean, prediction.epistemic_std, best)
    found = analytic(torch.tensor(AT)[:, None, :]).detach().numpy()
    np.testing.assert_allclose(found, ours, rtol=1e-3, atol=1e-3)

    torch.manual_seed(0)
    sampled = qLogExpectedImprovement(theirs, best_f=-best)
    bounds = torch.tensor([[0.0, 0.0], [1.0, 1.0]], dtype=torch.double)
    candidate, _ = optimize_acqf(sampled, bounds=bounds, q=1, num_restarts=8, raw_samples=128)
    belief = belief_about(regressor, X, Y)
    own = best_place(
        Space(a=(0, 1), b=(0, 1)), belief, Goal("ei", best), good=X[np.argsort(Y)[:4]], taken=X,
        rng=np.random.default_rng(0),
    )  # fmt: skip
    by_both = analytic(torch.stack([candidate[0], torch.tensor(own)])[:, None, :]).detach().numpy()
    assert abs(by_both[0] - by_both[1]) < 0.1  # Monte Carlo against the integral
    batch, _ = optimize_acqf(sampled, bounds=bounds, q=3, num_restarts=4, raw_samples=64)
    assert batch.shape == (3, 2)
    assert torch.pdist(batch).min() > 1e-3


def test_what_cannot_go_to_botorch_is_refused():
    pytest.importorskip("botorch", reason="needs BoTorch: pip install 'unabases[botorch]'")
    with pytest.raises(TypeError, match="must be a neural linear model"):
        botorch_model(GaussianProcess())
    with pytest.raises(ValueError, match="2 outputs"):
        botorch_model(NeuralLinear(max_steps=5, sigma2=0.1).fit(X, np.stack([Y, Y], axis=1)))
    with pytest.raises(Exception, match="not fitted"):
        botorch_model(NeuralLinear())
