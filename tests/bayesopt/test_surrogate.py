import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF

from unabases import GaussianProcess, NeuralLinear, VanillaEnsemble
from unabases.bayesopt.surrogate import belief_about

RNG = np.random.default_rng(0)
U = RNG.uniform(size=(12, 2))
T = 100 * np.sin(3 * U[:, 0]) + 50 * U[:, 1] + 7
AT = RNG.uniform(size=(3, 2))
NLM = NeuralLinear(
    "mle", hidden_layer_sizes=(10, 10), activation="tanh", sigma2=25.0, prior_variance=1.0, max_steps=60, random_state=0
)


def test_moments_are_those_of_the_regressor_in_its_units():
    belief = belief_about(NLM, U, T)
    prediction = NLM.predict_dist(AT)
    mean, std = belief.moments(AT)
    np.testing.assert_allclose(mean, prediction.mean, rtol=1e-10)
    np.testing.assert_allclose(std, prediction.epistemic_std, rtol=1e-10)


def test_draws_from_a_linear_head_have_the_mean_and_covariance_of_the_posterior():
    belief = belief_about(NLM, U, T)
    n = 1000
    rng = np.random.default_rng(1)
    draws = np.array([belief.draw(rng).moments(AT)[0] for _ in range(n)])
    prediction = NLM.predict_dist(AT, covariance=True)
    std = prediction.epistemic_std
    assert np.all(np.abs(draws.mean(axis=0) - prediction.mean) < 5 * std / np.sqrt(n))
    # the standard error of a covariance is at most √2 std_i std_j / √n
    error = np.abs(np.cov(draws.T) - prediction.covariance)
    assert np.all(error < 5 * np.sqrt(2 / n) * np.outer(std, std))
    joint = np.array([belief.draw_at(AT, rng) for _ in range(n)])
    assert np.all(np.abs(np.cov(joint.T) - prediction.covariance) < 5 * np.sqrt(2 / n) * np.outer(std, std))


def test_one_draw_is_one_function():
    function = belief_about(NLM, U, T).draw(np.random.default_rng(2))
    together = function.moments(AT)[0]
    apart = [function.moments(AT[i : i + 1])[0][0] for i in (2, 0, 1)]
    np.testing.assert_allclose([apart[1], apart[2], apart[0]], together, rtol=1e-6)


def test_believing_equals_conditioning_on_the_row_as_well():
    belief = belief_about(NLM, U, T)
    mean = belief.moments(AT)[0]
    more = belief.believe(AT)
    told = belief_about(NLM, U, T).model.update(AT, mean)  # by another route, the statistics
    np.testing.assert_allclose(more.moments(U)[1], told.predict_dist(U).epistemic_std, rtol=1e-5)
    np.testing.assert_allclose(more.moments(AT)[0], mean, rtol=1e-6)


def test_a_draw_from_an_ensemble_is_a_member():
    ensemble = VanillaEnsemble(n_members=3, hidden_layer_sizes=(8,), max_steps=20, sigma2=1.0, random_state=0)
    belief = belief_about(ensemble, U, T)
    members = ensemble.predict_dist(AT).members
    rng = np.random.default_rng(0)
    found = {int(np.argmin(np.abs(members - belief.draw(rng).moments(AT)[0]).sum(axis=1))) for _ in range(30)}
    assert found == {0, 1, 2}
    exact = belief.draw(rng).moments(AT)[0]
    assert any(np.array_equal(exact, member) for member in members)


@pytest.mark.parametrize(
    "estimator",
    [GaussianProcess(restarts=0, sigma2=25.0), GaussianProcessRegressor(RBF(0.5, "fixed"), alpha=0.01, optimizer=None)],
    ids=["ours", "scikit-learn"],
)
def test_a_process_draws_jointly_and_believes(estimator):
    belief = belief_about(estimator, U, T)
    assert belief.draw(np.random.default_rng(0)) is None
    rng, n = np.random.default_rng(1), 300
    draws = np.array([belief.draw_at(AT, rng) for _ in range(n)])
    mean, std = belief.moments(AT)
    assert np.all(np.abs(draws.mean(axis=0) - mean) < 5 * std / np.sqrt(n))
    np.testing.assert_allclose(draws.std(axis=0), std, rtol=0.25)
    more = belief.believe(AT)
    assert np.all(more.moments(AT)[1] < std)
    np.testing.assert_array_equal(belief.moments(AT)[1], std)
