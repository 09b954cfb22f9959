"""Drawn functions: the exact posterior is scikit-learn's and covers the truth as often as it says."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, Matern

from unabases.datasets import DRAWN_SETS, draw_process, draw_shape, load_drawn
from unabases.datasets.shapes import SHAPES

PARTS = ("in", "gap", "outside")


@pytest.mark.parametrize("d", [1, 2, 10])
@pytest.mark.parametrize(("kernel", "peer"), [("rbf", RBF), ("matern", lambda scale: Matern(scale, nu=2.5))])
def test_the_exact_posterior_is_scikit_learns(d, kernel, peer):
    drawn = draw_process(d, 0.7, 0.2, kernel=kernel, n=40, n_test=15)
    model = GaussianProcessRegressor(peer(0.7 * np.sqrt(d)), alpha=drawn.sigma2, optimizer=None)
    model.fit(drawn.X_train, drawn.y_train)
    for part in PARTS:
        X = getattr(drawn, f"X_{part}")
        mean, std = model.predict(X, return_std=True)
        assert_allclose(drawn.exact(X).mean, mean, atol=1e-8)
        assert_allclose(drawn.exact(X).std, std, atol=1e-6)


@pytest.mark.parametrize(("kernel", "along"), [("rbf", "column"), ("matern", "direction")])
def test_the_exact_posterior_covers_the_truth_and_the_outcomes_as_often_as_it_says(kernel, along):
    inside = {(part, what): [] for part in PARTS for what in "fy"}
    for seed in range(100):
        drawn = draw_process(2, 0.4, 0.2, kernel=kernel, n=25, n_test=10, along=along, random_state=seed)
        for part in PARTS:
            mean, std = drawn.exact(getattr(drawn, f"X_{part}"))
            for what, spread in (("f", std), ("y", np.hypot(std, 0.2))):
                z = (getattr(drawn, f"{what}_{part}") - mean) / spread
                inside[part, what].append(np.mean(np.abs(z) < norm.ppf(0.95)))
    for shares in inside.values():
        assert abs(np.mean(shares) - 0.9) < 4 * np.std(shares) / np.sqrt(100)


@pytest.mark.parametrize("along", ["column", "direction"])
@pytest.mark.parametrize("d", [1, 3])
def test_rows_lie_where_they_should(d, along):
    drawn = draw_process(d, n=300, n_test=120, along=along)
    parts = (drawn.X_train, drawn.X_in, drawn.X_gap, drawn.X_outside)
    train, inside, gap, outside = (X @ drawn.direction for X in parts)
    assert_allclose(np.linalg.norm(drawn.direction), 1)
    assert (np.sum(drawn.direction != 0) == 1) == (along == "column" or d == 1)
    kept = np.concatenate([train, inside])
    assert not np.any((kept > gap.min()) & (kept < gap.max()))
    assert np.all((gap > train.min()) & (gap < train.max()))
    half = np.ptp(train) / 2
    assert np.all((outside < train.min()) | (outside > train.max()))
    assert np.all((outside > train.min() - half) & (outside < train.max() + half))
    assert 0.3 < np.mean(outside > 0) < 0.7
    assert max(np.abs(X).max() for X in parts[:3]) <= 1
    if d == 1:
        assert abs(gap.min() + 1 / 3) < 0.1
        assert abs(gap.max() - 1 / 3) < 0.1


def test_the_truth_has_the_prior_variance_and_outcomes_the_noise():
    draws = [draw_process(1, 0.2, 0.3, n=20, n_test=20, random_state=seed) for seed in range(200)]
    assert abs(np.mean([drawn.f_gap**2 for drawn in draws]) - 1) < 0.2
    noise = np.concatenate([drawn.y_outside - drawn.f_outside for drawn in draws])
    assert abs(noise.std() - 0.3) < 0.02
    assert draws[0].sigma2 == pytest.approx(0.09)


def test_training_outcomes_scatter_around_the_same_function():
    drawn = draw_process(1, 1.0, 0.01, n=100)
    assert np.abs(drawn.exact(drawn.X_in).mean - drawn.f_in).max() < 0.03
    assert np.std(drawn.y_train - drawn.exact(drawn.X_train).mean) == pytest.approx(0.01, rel=0.3)


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_have_a_truth_and_no_posterior(shape):
    drawn = draw_shape(shape, 2, 0.1, n=50, n_test=20)
    assert drawn.exact is None
    assert repr(drawn) == f"Drawn({shape}: 50 rows, 2 inputs, noise variance 0.01)"
    for part in PARTS:
        X, f, y = (getattr(drawn, f"{what}_{part}") for what in "Xfy")
        assert X.shape == (20, 2)
        assert f.shape == y.shape == (20,)
        assert 0.05 < np.std(y - f) < 0.2
    assert_array_equal(draw_shape(shape, 2, 0.0, n=50, n_test=20).y_gap, drawn.f_gap)


def test_a_seed_is_a_draw_and_quiet_and_noisy_sets_share_it():
    first, again, other = (load_drawn("rbf-1-short-quiet", seed) for seed in (4, 4, 5))
    assert_array_equal(first.y_train, again.y_train)
    assert not np.allclose(first.X_train, other.X_train)
    noisy = load_drawn("rbf-1-short-noisy", 4)
    assert_array_equal(first.f_gap, noisy.f_gap)
    assert first.sigma2 < noisy.sigma2


@pytest.mark.parametrize("name", ["rbf-2-medium-noisy", "matern-5", "chirp-1", "interaction-2"])
def test_sets_say_what_they_hold(name):
    along_a_column, along_a_direction = load_drawn(name, 0), load_drawn(name, 1)
    kind, d = name.split("-")[:2]
    assert along_a_column.name == name
    assert along_a_column.d == int(d)
    assert (along_a_column.exact is None) == (kind in SHAPES)
    assert np.sum(along_a_column.direction != 0) == 1
    assert np.sum(along_a_direction.direction != 0) == int(d)


def test_every_kind_and_number_of_inputs_is_among_the_sets():
    for d in (1, 2, 5, 10):
        assert {f"rbf-{d}-medium-quiet", f"rbf-{d}-long-noisy", f"matern-{d}"} <= set(DRAWN_SETS)
    assert {"linear-1", "piecewise-linear-5", "periodic-2", "step-1", "interaction-5"} <= set(DRAWN_SETS)
    assert "interaction-1" not in DRAWN_SETS


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: draw_process(0), "`d` must be at least 1, got 0"),
        (lambda: draw_process(n=1), "`n` must be at least 2, got 1"),
        (lambda: draw_process(n_test=0), "`n_test` must be at least 1, got 0"),
        (lambda: draw_process(kernel="cubic"), "`kernel` must be one of 'rbf', 'matern', got 'cubic'"),
        (lambda: draw_process(along="row"), "`along` must be 'column' or 'direction', got 'row'"),
        (lambda: draw_process(length_scale=0), "`length_scale` must be positive, got 0"),
        (lambda: draw_process(noise_std=0), "`noise_std` must be positive, got 0"),
        (lambda: draw_shape("step", noise_std=-1), "`noise_std` must not be negative, got -1"),
        (lambda: load_drawn("rbf-3"), "unknown set of drawn functions 'rbf-3'; choose one of rbf-1-short-quiet"),
    ],
)
def test_errors_say_what_is_wrong(call, message):
    with pytest.raises(ValueError, match=message):
        call()
