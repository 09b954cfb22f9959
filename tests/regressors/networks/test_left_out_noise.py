import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal

from unabases import LUNA, NeuralLinear
from unabases.regressors import luna
from unabases.regressors.networks.left_out_noise import Copy, left_out_noise, noise_folds

FAST = {"max_steps": 100, "hidden_layer_sizes": (16, 8), "random_state": 0}


@pytest.mark.parametrize(
    ("n", "copies", "rows"), [(3, 0, 0), (4, 4, 4), (150, 4, 150), (700, 2, 350), (10_000, 1, 2048)]
)
def test_copies_leave_out_different_rows_and_fewer_copies_are_needed_for_many_rows(n, copies, rows):
    folds = noise_folds(n, np.random.default_rng(0))
    assert folds.shape == (copies, n)
    assert folds.sum() == rows
    assert folds.sum(axis=0).max(initial=0) <= 1
    assert rows == 0 or not np.all(np.diff(np.flatnonzero(folds[0])) == 1) or n == 4  # a random choice


def make_copies(rng, n=400):
    Phi = rng.standard_normal((n, 5))
    y = Phi @ rng.standard_normal((5, 2)) + [0.2, 1.0] * rng.standard_normal((n, 2))
    folds = noise_folds(n, rng)
    return [Copy(Phi, fold) for fold in folds], y


def test_the_noise_of_a_linear_function_is_found_for_each_output():
    copies, y = make_copies(np.random.default_rng(0))
    assert_allclose(left_out_noise(copies, y, alpha=np.ones(2)).sigma2, [0.04, 1.0], rtol=0.2)
    assert_allclose(left_out_noise(copies, y, alpha=None).sigma2, [0.04, 1.0], rtol=0.2)


def test_the_likelihood_is_that_of_left_out_rows_given_the_others():
    copies, y = make_copies(np.random.default_rng(1), n=30)
    alpha, sigma2 = np.array([0.7, 0.7]), np.array([0.1, 0.5])
    expected, rows = 0.0, 0
    for Phi, out in copies:
        rows += out.sum()
        for j in range(2):  # by the joint density of all rows, one left-out row at a time
            K = 0.7 * Phi @ Phi.T + sigma2[j] * np.eye(30)
            seen = multivariate_normal(np.zeros((~out).sum()), K[np.ix_(~out, ~out)]).logpdf(y[~out, j])
            for i in np.flatnonzero(out):
                more = np.append(np.flatnonzero(~out), i)
                expected += multivariate_normal(np.zeros(len(more)), K[np.ix_(more, more)]).logpdf(y[more, j]) - seen
    found = left_out_noise(copies, y, alpha=alpha, sigma2=sigma2)
    assert_allclose(found.sigma2, sigma2)
    assert_allclose(found.log_likelihood, expected / rows)


ROWS = np.random.default_rng(2).standard_normal((120, 6))
NOISE = 2 * np.random.default_rng(3).standard_normal(120)


def test_the_noise_is_told_from_the_function():
    model = NeuralLinear(**FAST, sigma2="left-out", gamma=10.0).fit(ROWS, ROWS[:, 0] + NOISE)
    assert 2.5 < model.sigma2_ < 6.5  # it is 4


def test_left_out_rows_choose_the_weight_penalty(monkeypatch):
    monkeypatch.setattr(luna, "_GAMMAS", [1e-3, 1e4])
    few = {**FAST, "max_steps": 300, "n_heads": 4, "gamma": "left-out"}
    for sigma2 in ("left-out", 4.0):
        assert LUNA(**few, sigma2=sigma2).fit(ROWS[:40], NOISE[:40]).gamma_ == 1e4  # nothing to learn
    assert LUNA(**few).fit(ROWS[:40], ROWS[:40, 0]).gamma_ == 1e-3
    assert LUNA(**{**few, "gamma": 1.5}).fit(ROWS[:40], NOISE[:40]).gamma_ == 1.5


def test_three_rows_are_enough_to_fit():
    model = NeuralLinear(**FAST, sigma2="left-out").fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 3.0])
    assert np.isfinite(model.predict([[1.0]])).all()
    assert model.sigma2_ > 0
