"""The pattern of the noise against known ones, and its likelihood against finite differences."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import check_grad
from scipy.stats import norm

from unabases import UNA, linear, load, save
from unabases.regressors.committee import varying_noise
from unabases.regressors.committee.varying_noise import Errors, NoisePattern, find_pattern


def make_errors(log_variance, n=600, epistemic=0.02, seed=0):
    """Errors whose noise variance is known."""
    rng = np.random.default_rng(seed)
    Z = rng.uniform(-1.7, 1.7, (n, 2))
    total = epistemic + np.exp(log_variance(Z))
    squares = total * rng.standard_normal(n) ** 2
    return Errors(Z, squares[:, None], np.full((n, 1), epistemic), np.arange(n) % 5)


def test_a_known_pattern_is_found_and_is_one_on_average():
    truth = lambda Z: 1.2 * Z[:, 0] - 2  # noqa: E731
    errors = make_errors(truth)
    average = np.exp(truth(errors.Z)).mean()
    pattern = find_pattern(errors, np.array([average]))
    assert_allclose(pattern(errors.Z).mean(), 1.0)
    corners = np.array([[-1.5, 0.0], [0.0, 0.0], [1.5, 0.0], [0.0, 1.5]])
    assert_allclose(np.log(pattern(corners) * average), truth(corners), atol=0.5)


def test_constant_noise_has_no_pattern_unless_one_is_asked_for():
    errors = make_errors(lambda Z: np.full(len(Z), -2.0))
    assert find_pattern(errors, np.array([np.exp(-2)])) is None
    assert_allclose(find_pattern(errors, np.array([np.exp(-2)]), surely=True)(errors.Z), 1.0, atol=0.3)


def test_beyond_the_rows_the_noise_stays_as_at_their_edge():
    errors = make_errors(lambda Z: 1.2 * Z[:, 0] - 2)
    pattern = find_pattern(errors, np.array([0.3]))
    edge = errors.Z.max(axis=0)
    assert_array_equal(pattern(edge[None] * 50), pattern(edge[None]))


def test_the_gradient_of_the_likelihood_is_right(monkeypatch):
    errors, caught = make_errors(lambda Z: Z[:, 0] - 2, n=40), {}
    monkeypatch.setattr(varying_noise, "minimize", lambda loss, x, **_: caught.update(loss=loss) or _Found(x))
    shapes = np.random.default_rng(1).standard_normal((40, 3))
    varying_noise._fit(errors, shapes, np.array([0.1]), 5.0)
    x = np.array([0.3, -0.2, 0.5, 0.1])
    value, gradient = caught["loss"](x)
    std = np.sqrt(0.02 + 0.1 * np.exp(x[0] + shapes @ x[1:]))
    density = norm(0, std).logpdf(np.sqrt(errors.squares[:, 0])).sum() + 20 * np.log(2 * np.pi)
    assert_allclose(value, 2.5 * x[1:] @ x[1:] - density)
    assert check_grad(lambda x: caught["loss"](x)[0], lambda x: caught["loss"](x)[1], x) < 1e-4 * np.abs(gradient).max()


class _Found:
    def __init__(self, x):
        self.x = x


@pytest.fixture(scope="module")
def noisy():
    """A model of data whose noise std grows from 0.05 to 0.8."""
    rng = np.random.default_rng(3)
    X = rng.uniform(-2, 2, (300, 1))
    std = 0.2 * np.exp(0.7 * X[:, 0])
    y = np.sin(2 * X[:, 0]) + std * rng.standard_normal(300)
    settings = {"max_steps": 200, "hidden_layer_sizes": (16, 8), "n_heads": 2, "n_folds": 4, "n_slabs": 2}
    return UNA(**settings, random_state=0).fit(X, y), X, y


def test_a_model_finds_the_noise_of_each_row(noisy):
    model, _, _ = noisy
    grid = np.linspace(-1.8, 1.8, 20)[:, None]
    assert_allclose(model.predict_dist(grid).noise_std, 0.2 * np.exp(0.7 * grid[:, 0]), rtol=0.5)


def test_its_last_layers_are_weighted_regressions(noisy):
    model, X, y = noisy
    Z, t = model.x_scale_.apply(X), model.y_scale_.apply(y[:, None])[:, 0]
    Phi, relative = model.members_[0](Z, model.variances_.ratio), model.noise_pattern_(Z)
    alpha, sigma2 = model.variances_.alpha[0], model.variances_.sigma2[0]
    precision = Phi.T @ (Phi / (sigma2 * relative)[:, None]) + np.eye(Phi.shape[1]) / alpha
    mean = np.linalg.solve(precision, Phi.T @ (t / (sigma2 * relative)))
    assert_allclose(Phi @ model.layers_[0].posteriors[0].m, Phi @ mean, atol=1e-6)
    _, variance = linear.predict(model.layers_[0].posteriors[0], Phi[:5])
    assert_allclose(variance, np.einsum("ij,jk,ik->i", Phi[:5], np.linalg.inv(precision), Phi[:5]), rtol=1e-4)


def test_update_forget_and_files_keep_the_pattern(noisy, tmp_path):
    model, X, y = noisy
    save(model, tmp_path / "model.una")
    other = load(tmp_path / "model.una")
    before = model.predict_dist(X[:30])
    assert_array_equal(other.predict_dist(X[:30]).noise_std, before.noise_std)
    other.update(X[:20] + 0.05, y[:20]).forget(X[:20] + 0.05, y[:20])
    assert_allclose(other.predict_dist(X[:30]).mean, before.mean, atol=1e-6)
    assert isinstance(other.noise_pattern_, NoisePattern)


def test_constant_noise_can_be_asked_for_and_other_words_are_refused(noisy):
    model, X, y = noisy
    settings = {**model.get_params(), "max_steps": 20}
    assert UNA(**{**settings, "noise": "constant"}).fit(X, y).noise_pattern_ is None
    assert UNA(**{**settings, "sigma2": 0.1}).fit(X, y).noise_pattern_ is None
    with pytest.raises(ValueError, match="`noise` must be one of"):
        UNA(**{**settings, "noise": "loud"}).fit(X, y)
