"""Weights of rows: a row of weight w counts as w rows, and a row of weight 0 as none."""

import copy

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.contract.regressors import fast
from unabases import load, save
from unabases.regressors.shared.weights import check_weights, present_rows

RNG = np.random.default_rng(0)
X = np.sort(RNG.uniform(-2, 2, (40, 1)), axis=0)
Y = np.sin(2 * X[:, 0]) + 0.1 * RNG.standard_normal(40)
COUNTS = RNG.integers(0, 4, 40).astype(float)
REPEATED = np.repeat(np.arange(40), COUNTS.astype(int))
CANNOT = [
    ([1.0] * 39, "shape"),
    (np.ones((40, 2)), "shape"),
    ([np.nan] + [1.0] * 39, "NaN"),
    ([-1.0] + [1.0] * 39, "below 0"),
    (np.zeros(40), "zero for all"),
    (["heavy"] * 40, "a number for each row"),
    (np.ones(40) + 1j, "a number for each row"),
    (np.ones(40).astype("timedelta64[h]"), "a number for each row"),
    (np.ma.masked_array(np.full(40, 2.0), [True] * 10 + [False] * 30), "masked"),
    ([1e300] + [1.0] * 39, "from 1 to 1e.300; those between 1e-15"),
    (np.full(40, 1e-300), "divide"),
]


@pytest.fixture(scope="module")
def fitted():
    """Two kinds of exact last layers, fitted once; tests change copies of them."""
    return {
        "NeuralLinear": fast("NeuralLinear", prior_variance="evidence").fit(X, Y),
        "UNA": fast("UNA", max_steps=100, n_slabs=0, n_folds=2).fit(X, Y),
    }


def _same(one, other, rtol=1e-7):
    a, b = one.predict_dist(X), other.predict_dist(X)
    for name in ("mean", "epistemic_std", "noise_std"):
        assert_allclose(getattr(a, name), getattr(b, name), rtol=rtol, atol=1e-9)


@pytest.mark.parametrize(("weight", "says"), CANNOT)
def test_weights_that_cannot_be_are_refused_before_anything_is_learned(weight, says):
    with pytest.raises(ValueError, match=says):
        check_weights(weight, 40)
    with pytest.raises(ValueError, match=says):
        fast("NeuralLinear").fit(X, Y, sample_weight=weight)


def test_labels_in_another_order_are_told_and_all_others_are_fine(recwarn):
    X, y = pd.DataFrame({"a": [1.0, 2.0, 3.0]}), pd.Series([1.0, 2.0, 3.0])
    for other in (y.set_axis([7, 8, 9]), y.set_axis([0, 0, 0]), y.to_numpy(), y[:2]):
        present_rows(X, other, None)
    present_rows(X.set_axis([0, 0, 0]), y, None)
    assert not recwarn
    with pytest.warns(UserWarning, match=r"same row labels in another order.*y\.loc\[X\.index\]"):
        fast("NeuralLinear").fit(X, y[::-1])


def test_rows_of_weight_zero_are_left_out_of_arrays_and_tables():
    table = pd.DataFrame({"a": ["x", "y", "z"]}, index=[5, 6, 7])
    rows = present_rows(table, [1.0, 2.0, 3.0], [2, 0, 1])
    assert rows.X["a"].tolist() == ["x", "z"]
    assert list(rows.y) == [1.0, 3.0]
    assert_array_equal(rows.weight, [2.0, 1.0])
    assert present_rows(table, [1.0, 2.0, 3.0], [1, 0, 1]).weight is None


@pytest.mark.parametrize("name", ["NeuralLinear", "UNA"])
def test_whole_weights_are_repeated_rows_in_the_exact_layer(fitted, name):
    weighted, repeated = copy.deepcopy(fitted[name]), copy.deepcopy(fitted[name])
    weighted.refit(X, Y, sample_weight=COUNTS)
    repeated.refit(X[REPEATED], Y[REPEATED])
    _same(weighted, repeated)
    assert weighted.rows_seen == repeated.rows_seen == len(REPEATED)
    if name == "NeuralLinear":  # the evidence, and the variance that it chooses, are those of all rows too
        assert_allclose(weighted.log_evidence_, repeated.log_evidence_)
        assert_allclose(weighted.prior_variance_, repeated.prior_variance_)


@pytest.mark.parametrize("name", ["NeuralLinear", "UNA"])
def test_update_and_forget_add_and_take_weights_exactly(fitted, name):
    model, repeated = copy.deepcopy(fitted[name]), copy.deepcopy(fitted[name])
    before = model.predict_dist(X)
    model.update(X, Y, sample_weight=COUNTS)
    _same(model, repeated.update(X[REPEATED], Y[REPEATED]))
    model.forget(X, Y, sample_weight=COUNTS / 4).forget(X, Y, sample_weight=0.75 * COUNTS)
    assert_allclose(model.predict_dist(X).mean, before.mean, rtol=1e-6, atol=1e-6)
    with pytest.raises(ValueError, match="not part of it"):
        model.forget(X, Y, sample_weight=np.full(40, 1.5))


def test_parts_are_learned_exactly_after_the_first(fitted):
    parts = fast("NeuralLinear", prior_variance=0.3)
    parts.partial_fit(X, Y).partial_fit(X[:20], Y[:20], sample_weight=np.full(20, 2.0))
    at_once = fast("NeuralLinear", prior_variance=0.3).fit(X, Y).update(np.r_[X[:20], X[:20]], np.r_[Y[:20], Y[:20]])
    _same(parts, at_once)
    assert parts.rows_seen == 80


@pytest.mark.parametrize("name", ["NeuralLinear", "LUNA", "UNA", "GaussianProcess", "BootstrapEnsemble"])
def test_nothing_of_a_row_of_weight_zero_is_learned(name):
    model = fast(name, max_steps=20, n_slabs=0, n_folds=2)
    wild = np.r_[X, [[1e3], [-1e3]]], np.r_[Y, 1e6, -1e6]
    weight = np.r_[np.full(40, 2.0), 0.0, 0.0]
    with_them = copy.deepcopy(model).fit(*wild, sample_weight=weight)
    _same(with_them, model.fit(X, Y, sample_weight=weight[:40]), rtol=0)


def test_the_loss_of_weighted_rows_is_that_of_repeated_rows():
    model = fast("NeuralLinear", max_steps=20, hidden_layer_sizes=(8,), activation="tanh")
    weighted = copy.deepcopy(model).fit(X, Y, sample_weight=COUNTS)
    repeated = copy.deepcopy(model).fit(X[REPEATED], Y[REPEATED])
    assert_allclose(weighted.x_scale_, repeated.x_scale_)  # mean and spread count rows too
    assert_allclose(weighted.history_, repeated.history_, rtol=2e-3)
    _same(weighted, repeated, rtol=5e-3)
    assert np.abs(weighted.predict(X) - model.fit(X, Y).predict(X)).max() > 0.01


def test_una_scores_left_out_rows_by_their_weights():
    """Half of the rows are noisy: the noise that is chosen is theirs or the others', by who weighs."""
    loud = np.arange(40) % 2 == 1
    y = Y + np.where(loud, 0.6, 0.0) * RNG.standard_normal(40)
    chosen = [
        fast("UNA", max_steps=20, n_slabs=0, n_folds=2, sigma2="left-out", noise="constant", tails="normal")
        .fit(X, y, sample_weight=np.where(loud == heavy, 1.0, 1e-3))
        .sigma2_
        for heavy in (True, False)
    ]
    assert chosen[0] > 4 * chosen[1]


def test_weights_survive_saving(fitted, tmp_path):
    model = copy.deepcopy(fitted["NeuralLinear"]).update(X, Y, sample_weight=np.full(40, 0.3))
    assert model.rows_seen == 52
    assert copy.deepcopy(model).update(X, Y, sample_weight=np.full(40, 1 - 1e-12)).rows_seen == 92
    save(model, tmp_path / "model.una")
    again = load(tmp_path / "model.una")
    _same(model, again)
    _same(model.forget(X, Y, sample_weight=np.full(40, 0.3)), again.forget(X, Y, sample_weight=np.full(40, 0.3)))
