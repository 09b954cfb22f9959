"""Uncertainty rises where an input is missing."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from unabases import UNA, GaussianProcess, NeuralLinear, VanillaEnsemble
from unabases.predictive import Normal
from unabases.regressors.shared.missing_values import learn_missing_noise
from unabases.regressors.shared.rows import first_rows

SPREAD, NOISE = 2.0, 0.3  # of what a missing value hides, and of y around the function


def make_rows(n, share, seed):
    """y = SPREAD x₀ + x₁ + noise, where x₀ ~ N(0, 1) is missing in a share of the rows."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 2))
    y = SPREAD * X[:, 0] + X[:, 1] + NOISE * rng.standard_normal(n)
    X[rng.random(n) < share, 0] = np.nan
    return X, y


@pytest.fixture(scope="module")
def process():
    return GaussianProcess(restarts=0, kernel="rbf").fit(*make_rows(300, 0.3, 0))


def test_the_std_is_that_of_what_is_hidden(process):
    X, y = make_rows(2000, 0.3, 1)
    d, lacking = process.predict_dist(X), np.isnan(X[:, 0])
    assert_allclose(d.std[lacking].mean(), np.hypot(SPREAD, NOISE), rtol=0.15)  # the truth
    assert d.std[~lacking].mean() < 3.5 * NOISE  # the kernel's one noise level was fitted to all rows
    for rows in (lacking, ~lacking):
        lower, upper = d[rows].interval(0.9)
        assert np.mean((y[rows] > lower) & (y[rows] < upper)) > 0.86


def test_it_is_more_likely_than_one_noise_level_for_all_rows(process):
    X, y = make_rows(2000, 0.3, 1)
    d, lacking = process.predict_dist(X), np.isnan(X[:, 0])
    one_level = process._predict_rows(process._rows(X).X, False)
    for rows in (lacking, ~lacking):
        gain = d.log_prob(y)[rows].mean() - one_level.log_prob(y)[rows].mean()
        assert gain > 0.1


def test_predict_and_predict_dist_agree(process):
    X, _ = make_rows(50, 0.3, 2)
    d = process.predict_dist(X, covariance=True)
    mean, std = process.predict(X, return_std=True)
    assert_array_equal(mean, d.mean)
    assert_allclose(std, d.std, rtol=1e-10)
    assert_allclose(np.diag(process.predict(X, return_cov=True)[1]), d.std**2, rtol=1e-6)


def test_a_column_that_was_never_missing_counts_by_how_much_it_matters():
    X, y = make_rows(200, 0.0, 0)
    frame = pd.DataFrame({"x0": X[:, 0], "x1": X[:, 1], "kind": ["a", "b"] * 100})
    model = GaussianProcess(restarts=0, kernel="rbf").fit(frame, y)
    complete, without_x0, without_x1 = (
        model.predict_dist(frame.assign(**change)).noise_std for change in ({}, {"x0": np.nan}, {"x1": np.nan})
    )
    assert_allclose(np.sqrt(without_x0**2 - complete**2), SPREAD, rtol=0.2)
    assert_allclose(np.sqrt(without_x1**2 - complete**2), 1.0, rtol=0.2)
    assert_allclose(complete**2, model.sigma2_)  # nothing was missing, so the noise is that of complete rows


def test_a_given_noise_is_that_of_complete_rows():
    X, y = make_rows(200, 0.3, 0)
    model = NeuralLinear(max_steps=100, hidden_layer_sizes=(8,), sigma2=0.25, random_state=0).fit(X, y)
    noise = model.predict_dist(X).noise_std
    assert_allclose(noise[~np.isnan(X[:, 0])], 0.5)
    assert (noise[np.isnan(X[:, 0])] > 1.0).all()


@pytest.mark.parametrize("weight", [None, np.full(40, 2.0)])
def test_a_value_that_hardly_any_row_has_leaves_finite_noise(monkeypatch, weight):
    monkeypatch.setattr("unabases.regressors.shared.missing_values._MOST", 4)
    X, y = make_rows(40, 1.0, 0)
    X[7] = 1.0, np.nan  # the rows that are looked at do not have it
    model = GaussianProcess(restarts=0, sigma2=0.1).fit(X, y, sample_weight=weight)
    assert np.all(np.isfinite(model.predict_dist(X).std))


def test_mixtures_widen_too():
    X, y = make_rows(100, 0.3, 0)
    model = VanillaEnsemble(n_members=3, max_steps=100, hidden_layer_sizes=(8,), sigma2=0.1, random_state=0).fit(X, y)
    noise = model.predict_dist(X).noise_std
    assert noise[np.isnan(X[:, 0])].min() > 2 * noise[~np.isnan(X[:, 0])].max()


def test_several_outputs_have_their_own():
    X, y = make_rows(200, 0.3, 0)
    both = np.column_stack([y, 10 * np.random.default_rng(0).standard_normal(200)])
    model = GaussianProcess(restarts=0).fit(X, both)
    assert model.missing_noise_.extra.shape == (2, 2)
    lacking = np.isnan(X[:, 0])
    noise = model.predict_dist(X).noise_std
    ratio = noise[lacking].mean(axis=0) / noise[~lacking].mean(axis=0)
    assert ratio[0] > 2 > 1.5 > ratio[1]  # the second does not depend on X


def test_noise_that_varies_is_not_told_apart_twice():
    X, y = make_rows(400, 0.2, 0)
    first = first_rows(GaussianProcess(), X, y)

    def predict(rows):
        """A model whose noise knows which rows lack the first input: their indicator is the second number."""
        lacking = rows[:, 1] == 1
        mean = np.where(lacking, 0.0, SPREAD * rows[:, 0]) + rows[:, 2]
        return Normal(
            mean[:, None], np.zeros((len(rows), 1)), np.where(lacking, np.hypot(SPREAD, NOISE), NOISE)[:, None]
        )

    assert first.encoder.columns[1].endswith("missing")
    noise = learn_missing_noise(predict, first._replace(y=y[:, None]), estimated=True)
    for rows, truth in (([0.0, 0.0, 0.0], NOISE), ([0.0, 1.0, 0.0], np.hypot(SPREAD, NOISE))):
        absent = np.array([[rows[1] == 1, False]])
        assert_allclose(noise.widen(predict(np.array([rows])), absent).noise_std, truth, rtol=0.15)


def test_a_curved_scale_has_its_own():
    """The logarithm of y is what the rows above have: what is hidden multiplies y, be it small or large."""
    X, y = make_rows(400, 0.3, 0)
    model = UNA(target="log", max_steps=100, n_slabs=0, n_folds=2, random_state=0).fit(X, np.exp(y))
    X, y = make_rows(2000, 0.3, 1)
    d, lacking = model.predict_dist(X), np.isnan(X[:, 0])
    assert_allclose(d.base.std[lacking].mean(), np.hypot(SPREAD, NOISE), rtol=0.2)
    assert d.base.std[~lacking].mean() < 2 * NOISE
    lower, upper = d[lacking].interval(0.9)
    assert 0.86 < np.mean((np.exp(y[lacking]) > lower) & (np.exp(y[lacking]) < upper)) < 0.95
    small = lacking & (d.quantile(0.5) < np.median(d.quantile(0.5)[lacking]))
    assert d.mean[small].max() < np.exp(y).max() / 10
