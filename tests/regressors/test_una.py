"""The committee: what members leave out, how that decides the variances, and exact last layers."""

import numpy as np
import optax
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from unabases import UNA, GaussianProcess, load, save
from unabases.metrics import rmse
from unabases.regressors.committee.target_curve import TargetScale
from unabases.terms import Monotone
from unabases.training.muon import muon

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, (60, 2))
Y = np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.1 * RNG.standard_normal(60)
NEW = RNG.uniform(-3, 3, (25, 2))
FAST = {"max_steps": 150, "hidden_layer_sizes": (16, 8), "n_heads": 4, "n_folds": 3, "n_slabs": 2, "random_state": 0}


@pytest.fixture(scope="module")
def model():
    return UNA(**FAST).fit(X, Y)


def test_threads_find_the_same_model(model, monkeypatch):
    """Many rows are learned from in threads, and their features computed part by part; here both from one row on."""
    monkeypatch.setattr("unabases.regressors.committee.members._MANY", 1)
    monkeypatch.setattr("unabases.regressors.committee.members._IN_CACHE", 16)
    monkeypatch.setattr("unabases.regressors.committee.variances._MUCH", 1)
    mine, other = (one.predict_dist(NEW) for one in (UNA(**FAST).fit(X, Y), model))
    assert_allclose(mine.mean, other.mean, rtol=1e-6, atol=1e-8)
    assert_allclose(mine.epistemic_std, other.epistemic_std, rtol=1e-6)


def test_update_and_forget_are_exact_and_undo_each_other(model, tmp_path):
    save(model, tmp_path / "model.una")
    other = load(tmp_path / "model.una")
    before = other.predict_dist(NEW)
    after = other.update(NEW[:10], np.sin(NEW[:10, 0])).predict_dist(NEW)
    assert not np.allclose(after.mean, before.mean)
    undone = other.forget(NEW[:10], np.sin(NEW[:10, 0])).predict_dist(NEW)
    assert_allclose(undone.mean, before.mean, rtol=1e-6, atol=1e-8)
    assert_allclose(undone.epistemic_std, before.epistemic_std, rtol=1e-5)


def test_a_function_without_noise_is_followed_closely():
    def truth(A):
        return np.sin(A[:, 0]) + 0.5 * A[:, 1]

    exact, new = UNA(**FAST).fit(X, truth(X)), np.random.default_rng(1).uniform(-1.5, 1.5, (25, 2))
    said = exact.predict_dist(new)
    assert_allclose(said.mean, truth(new), atol=0.01)
    assert np.max(said.std) < 0.03
    assert np.max(said.noise_std) < 1e-3
    exact.update(new[:10], truth(new[:10]))
    assert_allclose(exact.predict(new[:10]), truth(new[:10]), atol=1e-3)
    undone = exact.forget(new[:10], truth(new[:10])).predict_dist(new)
    assert_allclose(undone.mean, said.mean, atol=1e-5)
    assert_allclose(undone.epistemic_std, said.epistemic_std, rtol=1e-2)


def test_members_that_left_out_a_narrow_peak_do_not_spoil_the_rest():
    """They take the function to be smooth, and are far from the others beside the peak, where few rows are."""
    rng = np.random.default_rng(0)
    x, new = rng.uniform(-1, 1, (100, 1)), np.linspace(-1, 1, 400)[:, None]

    def peak(x):
        return np.exp(-(((x[:, 0] - 0.3) / 0.06) ** 2)) + 0.3 * x[:, 0]

    y, later = (peak(rows) + 0.05 * rng.standard_normal(len(rows)) for rows in (x, new))
    model = UNA(**FAST).fit(x, y)
    said, process = model.predict_dist(new), GaussianProcess(random_state=0).fit(x, y).predict(new)
    low, high = said.interval(0.9)
    assert 0.84 < np.mean((low <= later) & (later <= high)) < 0.96
    assert rmse(said.mean, peak(new)) < 1.2 * rmse(process, peak(new))
    assert 0.04 < np.sqrt(model.sigma2_) < 0.07


def test_copies_of_rows_do_not_hide_the_noise():
    """A copy of a row that was left out is predicted without an error, which says nothing about other rows."""
    rng = np.random.default_rng(2)
    X = rng.uniform(-2, 2, (120, 2))
    y = np.sin(X[:, 0]) + 0.5 * rng.standard_normal(120)
    some = np.r_[np.arange(120), rng.integers(120, size=60)]
    for rows in (some, np.tile(np.arange(120), 3)):
        noise = UNA(**FAST).fit(X[rows], y[rows]).sigma2_
        assert 0.15 < noise < 0.4


def test_rows_that_are_known_exactly_do_not_pay_for_errors_on_others():
    """A density has no bound where y is an input, as for three in four rows here."""
    rng = np.random.default_rng(0)
    x, odd = rng.uniform(0, 3, 240), rng.random(240) < 0.25
    y = np.where(odd, x * rng.random(240), x)
    rows = np.c_[x, odd, rng.standard_normal((240, 3))]
    error = UNA(**FAST).fit(rows[:160], y[:160]).predict(rows[160:]) - y[160:]
    truth = np.where(odd, x / 2, x)[160:] - y[160:]
    assert np.sqrt(np.mean(error**2)) < 1.3 * np.sqrt(np.mean(truth**2))


def test_a_power_law_is_learned_from_logarithms(tmp_path):
    """Sizes over three orders of magnitude: what few rows say of large ones, many say of their logarithms."""
    rng = np.random.default_rng(0)
    sizes = np.exp(rng.standard_normal((400, 3)))
    y = sizes[:, 0] ** 1.5 / sizes[:, 1] * np.exp(0.1 * rng.standard_normal(400))
    seen, plain = (UNA(**FAST, inputs=inputs).fit(sizes[:150], y[:150]) for inputs in ("auto", "identity"))
    assert_array_equal(seen.input_curve_.bent, np.ones(3))
    assert plain.input_curve_ is None
    errors = [np.sqrt(np.mean((model.predict(sizes[150:]) - y[150:]) ** 2)) for model in (seen, plain)]
    assert errors[0] < 0.5 * errors[1]
    save(seen, tmp_path / "model.una")
    assert_array_equal(load(tmp_path / "model.una").predict(sizes[150:]), seen.predict(sizes[150:]))
    told = clone(seen).fit(sizes[:100], y[:100]).update(sizes[100:150], y[100:150])
    assert told.layers_[0].statistics.n == 150
    assert np.all(np.isfinite(seen.predict([[-5.0, 0.0, 1e6]])))


@pytest.mark.parametrize(
    "given", [{"standardize": False}, {"standardize": "common"}, {"terms": [Monotone(0)]}], ids=lambda given: str(given)
)
def test_inputs_stay_as_they_are_where_something_else_is_said_of_them(given):
    sizes = np.exp(np.random.default_rng(0).standard_normal((60, 2)))
    y = sizes[:, 0] ** 1.5 / sizes[:, 1]
    assert UNA(**FAST | {"max_steps": 5}, **given).fit(sizes, y).input_curve_ is None


def test_logarithms_that_left_out_rows_do_not_confirm_are_not_kept(monkeypatch):
    """The process that finds them promising knows less than the members: here it is told to find them so."""
    rng = np.random.default_rng(3)
    X = np.exp(rng.standard_normal((120, 2)))
    y = X[:, 0] - 2 * X[:, 1] + 0.1 * rng.standard_normal(120)
    monkeypatch.setattr(TargetScale, "clearly_better", lambda own, other: own.scores is not other.scores)
    monkeypatch.setattr(TargetScale, "has_errors_above", lambda own, times, other: False)
    tried = UNA(**FAST, target="identity").fit(X, y)
    monkeypatch.undo()
    assert tried.input_curve_ is None
    assert_array_equal(tried.predict(X), UNA(**FAST, inputs="identity").fit(X, y).predict(X))


def test_refit_moves_the_features_to_other_data(model, tmp_path):
    save(model, tmp_path / "model.una")
    other = load(tmp_path / "model.una").refit(NEW, np.cos(NEW[:, 0]))
    assert other.layers_[0].statistics.n == 25
    assert_allclose(other.prior_variance_, model.prior_variance_)


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


def test_training_is_longer_with_many_rows_but_not_without_end(model):
    assert model.n_iter_ == 150
    assert UNA(max_steps=150).steps_for(10**6) == 150
    steps = [UNA().steps_for(n) for n in (2, 8192, 16_384, 10**5, 10**8)]
    assert steps == [600, 600, 1200, 2000, 2000]


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ({"n_folds": 1}, "n_folds"),
        ({"n_slabs": -1}, "n_slabs"),
        ({"strength": -1.0}, "strength"),
        ({"max_steps": "many"}, "max_steps"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(parameters, name):
    with pytest.raises(ValueError, match=f"`{name}`"):
        UNA(**{**FAST, **parameters}).fit(X, Y)


def test_networks_are_trained_by_muon():
    few, many = UNA()._plan(20), UNA()._plan(10**6)
    assert (few.optimizer, few.recipe.batch_size, few.recipe.steps) == (muon, 256, 600)
    assert (many.optimizer, many.recipe.batch_size, many.recipe.steps) == (muon, 256, 2000)
    given = UNA(optimizer="adam")._plan(10**6)
    assert (given.optimizer, given.recipe.batch_size, given.recipe.steps) == (optax.adam, 512, 5000)
    assert UNA(features=lambda d, *, key: None)._optimizer(10**6) == "adam"  # nobody knows whether Muon suits them


def test_last_layers_learn_from_samples_of_a_larger_table(tmp_path):
    model = UNA(**FAST, layer_rows=40).fit(X, Y)
    assert model.sampled_
    assert [layer.statistics.n for layer in model.layers_] == [40] * 5
    assert len({float(layer.statistics.yy[0]) for layer in model.layers_}) == 5  # each has rows of its own
    with pytest.raises(ValueError, match=r"samples of 40 rows.*`layer_rows=None`"):
        model.forget(X[:2], Y[:2])
    save(model.update(X[:5], Y[:5]), tmp_path / "model.una")
    assert load(tmp_path / "model.una").sampled_
    assert model.rows_seen == 45
    model.refit(X, Y).forget(X[:2], Y[:2])
    assert not model.sampled_
    assert model.rows_seen == 58


def test_the_spread_between_members_is_that_of_layers_without_the_rows(model):
    """With samples that have all rows but one, the noise is nearly that of all rows."""
    sampled = UNA(**FAST, layer_rows=59).fit(X, Y)
    assert_allclose(sampled.sigma2_, model.sigma2_, rtol=0.1)


def test_means_do_not_leap_beyond_few_rows():
    """Rows left out among such rows as these may like a kernel with a thousand times the variance."""
    left = [-1.69, -1.65, -1.61, -1.45, -1.42, -1.4, -1.4, -1.2, -0.75]
    right = [0.7, 0.8, 0.87, 0.91, 1.11, 1.13, 1.39, 1.46, 1.46, 1.84, 1.94]
    y = [1.56, 2.25, 2.11, 2.97, 2.87, 3.16, 2.82, 3.04, 3.02]
    y += [-3.02, -3.32, -3.68, -3.74, -4.07, -3.62, -3.86, -4.07, -3.82, -3.36, -2.2]
    model = UNA(max_steps=100, random_state=2).fit(np.array([*left, *right])[:, None], y)
    assert np.abs(model.predict([[-2.4], [2.6]])).max() < 5
