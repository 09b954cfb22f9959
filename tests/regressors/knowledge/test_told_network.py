"""`UNA(terms=...)`: what is said is kept, by predictions, samples, updates and saved files."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone

from unabases import UNA, load, runtime, save
from unabases.features import MLP
from unabases.terms import (
    Additive,
    Bounds,
    Diversity,
    FunctionPrior,
    Irrelevant,
    Monotone,
    Periodic,
    Slope,
    Symmetric,
    Through,
)

RNG = np.random.default_rng(0)
FAST = {"max_steps": 20, "hidden_layer_sizes": (16, 8), "n_heads": 4, "n_folds": 2, "n_slabs": 1, "random_state": 0}
X = pd.DataFrame(RNG.uniform(0, 4, (30, 2)), columns=["dose", "age"])
Y = 30 + 10 * np.tanh(X["dose"] - 2).to_numpy() + RNG.standard_normal(30)
NEW = pd.DataFrame(RNG.uniform(-0.5, 4.5, (15, 2)), columns=["dose", "age"])
TOLD = [Monotone("dose"), Bounds(15, 45), Through({"dose": [2.0], "age": [2.0]}, 30.0, std=0.1)]


def fit(terms, **given):
    return UNA(**{**FAST, **given}, terms=terms).fit(X, Y)


@pytest.fixture(scope="module")
def told():
    return fit(TOLD)


def test_statements_combine_and_samples_keep_them(told):
    line = pd.DataFrame({"dose": np.linspace(-0.5, 4.5, 60), "age": 1.0})
    f = told.sample_posterior(line, 200, random_state=0)
    fall = np.max(np.maximum.accumulate(f, axis=1) - f, axis=1)
    assert np.mean(fall > 0.01 * Y.std()) < 0.03
    assert np.mean((f.min(axis=1) < 14.9) | (f.max(axis=1) > 45.1)) < 0.03
    d = told.predict_dist(pd.DataFrame({"dose": [2.0], "age": [2.0]}))
    assert abs(d.mean[0] - 30) < 0.3
    assert d.epistemic_std[0] < 0.3


def test_a_report_says_how_each_statement_is_kept(told):
    assert list(told.kept_["term"]) == [repr(TOLD[2]), repr(TOLD[0]), repr(TOLD[1])]
    assert told.kept_["broken"].max() < 0.1
    assert told.kept_["chance"].min() > 1e-3


def test_moments_are_those_of_the_samples_around_the_mean(told):
    d = told.predict_dist(NEW, covariance=True)
    apart = told.sample_posterior(NEW, 4000, random_state=0) - d.mean
    assert_allclose(np.sqrt(np.diag(d.covariance)), d.epistemic_std)
    assert_allclose(apart.T @ apart / 4000, d.covariance, atol=0.15 * d.epistemic_std.max() ** 2)
    assert np.all(np.abs(apart.mean(axis=0)) < d.epistemic_std)


def test_the_mean_obeys_as_functions_do(told):
    line = pd.DataFrame({"dose": np.linspace(-0.5, 4.5, 60), "age": 1.0})
    mean = told.predict(line)
    assert np.diff(mean).min() > -0.01 * Y.std()
    assert mean.min() > 15 - 0.01 * Y.std()
    assert mean.max() < 45 + 0.01 * Y.std()


def test_a_saved_model_predicts_the_same_and_learns_on(told, tmp_path):
    save(told, tmp_path / "m.una")
    again = load(tmp_path / "m.una")
    assert again.terms == TOLD
    assert_allclose(again.predict(NEW), told.predict(NEW), rtol=0, atol=0)
    light = runtime.load(tmp_path / "m.una").predict_dist(NEW.to_numpy())
    assert_allclose(light.mean, told.predict(NEW), rtol=1e-5)
    assert_allclose(light.epistemic_std, told.predict_dist(NEW).epistemic_std, rtol=1e-4)
    pd.testing.assert_frame_equal(again.kept_, told.kept_)
    before = again.predict(NEW)
    later = again.update(NEW, before + 4.0).predict(NEW)
    assert np.mean(later) > np.mean(before) + 0.5
    assert later.max() < 45.5  # still in bounds
    assert_allclose(again.forget(NEW, before + 4.0).predict(NEW), before, atol=0.2)


def test_the_estimator_can_be_cloned_and_printed(told):
    assert clone(told).terms == TOLD
    assert "Monotone(column='dose'" in repr(told)


def test_known_values_are_rows_with_noise_of_their_own():
    value = {"dose": [6.0], "age": [2.0]}
    near, far = (fit([Through(value, 30.0, std=std)]).predict_dist(pd.DataFrame(value)) for std in (0.01, 100.0))
    assert abs(near.mean[0] - 30.0) < 0.05
    assert near.epistemic_std[0] < 0.2
    assert far.epistemic_std[0] > 1


def test_the_data_can_contradict_what_is_said():
    with pytest.warns(UserWarning, match="the data contradict Slope"):
        fit([Slope("dose", -30.0, std=0.5)])


def test_views_are_kept_exactly(tmp_path):
    swapped, shifted = NEW[["age", "dose"]].set_axis(["dose", "age"], axis="columns"), NEW.assign(age=NEW["age"] + 3.0)
    symmetric = fit([Symmetric(["dose", "age"])])
    assert_allclose(symmetric.predict(swapped), symmetric.predict(NEW))
    periodic, without = fit([Periodic("age", 1.5)]), fit([Irrelevant("age")])
    assert_allclose(periodic.predict(shifted), periodic.predict(NEW), rtol=1e-5)
    assert_allclose(without.predict(shifted), without.predict(NEW))
    for model in (symmetric, periodic, without):  # whose networks see other columns than the user gives
        save(model, tmp_path / "m.una")
        assert np.array_equal(load(tmp_path / "m.una").predict(NEW), model.predict(NEW))


@pytest.mark.parametrize("terms", [[Additive(["dose"])], [Additive(), Bounds(10, 50), Diversity()]])
def test_functions_and_means_of_a_sum_are_sums(terms, tmp_path):
    model, corners = fit(terms), pd.DataFrame({"dose": [0.0, 3.0, 0.0, 3.0], "age": [0.5, 0.5, 4.0, 4.0]})
    for f in (model.sample_posterior(corners, 20, random_state=0), model.predict(corners)[None]):
        assert np.ptp(f) > 0.1
        assert np.abs(f[:, 0] - f[:, 1] - f[:, 2] + f[:, 3]).max() < 1e-4
    save(model, tmp_path / "m.una")
    again, light = load(tmp_path / "m.una"), runtime.load(tmp_path / "m.una")
    assert np.array_equal(again.predict(NEW), model.predict(NEW))
    expected, found = model.predict_dist(NEW), light.predict_dist(NEW.to_numpy())
    assert_allclose(found.mean, expected.mean, rtol=1e-5)
    assert_allclose(found.epistemic_std, expected.epistemic_std, rtol=1e-4)
    later = again.update(NEW, model.predict(NEW) + 1.0).predict(corners)
    assert abs(later[0] - later[1] - later[2] + later[3]) < 1e-4


def test_features_of_ones_own_may_not_let_apart_columns_meet():
    with pytest.raises(ValueError, match="`features` of your own may let columns interact"):
        fit([Additive()], features=MLP)


@pytest.mark.parametrize("amplitude", [0.5, 4.0])
def test_a_prior_with_given_numbers_moves_the_prior_samples(amplitude, tmp_path):
    grid = pd.DataFrame({"dose": np.linspace(-10, 10, 81), "age": 2.0})
    model = fit([FunctionPrior(length_scale={0: 1.5, 1: 1.5}, amplitude=amplitude)])
    save(model, tmp_path / "m.una")  # columns by number, as `of_kernel` makes them
    assert load(tmp_path / "m.una").terms == model.terms
    f = model.sample_prior(grid, 500, random_state=0) - Y.mean()
    assert 1 / 1.3 < f.std() / amplitude < 1.3
    correlation = np.mean(f[:, :-6] * f[:, 6:]) / f.var()  # over 1.5
    assert 1 / 1.3 < np.sqrt(-0.5 / np.log(correlation)) < 1.3


def test_a_stated_prior_without_numbers_is_a_process_whose_numbers_are_drawn():
    stated, wished = fit([FunctionPrior()]), fit(None)
    assert_allclose(stated.variances_.ratio * stated.variances_.alpha, 1.0)  # its variance is that of the kernel
    assert stated.variances_.ratio > 100  # and the network's is small
    lengths = np.log([member.kernel.kernel.lengths for member in stated.members_])
    assert np.all(lengths.std(axis=0) > 0.01)
    assert not np.isclose(wished.variances_.ratio * wished.variances_.alpha, 1.0).any()
    for terms, is_stated in ([FunctionPrior(), Bounds(0, 60)], True), ([Bounds(0, 60)], False):
        chosen = fit(terms).variances_
        assert np.isclose(chosen.ratio * chosen.alpha[0], 1.0) == is_stated


def test_two_outputs_are_told_apart():
    both = np.column_stack([Y, -Y])
    model = UNA(**FAST, terms=[Monotone("dose", output=0), Bounds(upper=-10, output=1)]).fit(X, both)
    f = model.sample_posterior(NEW, 100, random_state=0)
    assert f[:, :, 1].max() < -9.8
    assert model.predict(NEW).shape == (15, 2)


def test_other_wishes_train_the_heads():
    history = fit([Diversity()]).history_
    assert "diversity" in history
    assert "follow" not in history
    assert "follow" not in fit([]).history_
