"""A trial of honesty has the scores of its regions, and curves where a picture can show them."""

import numpy as np
import pytest

from tests.paper.cheap import make_trial
from unabases import GaussianProcess
from unabases.datasets import draw_process
from unabases.paper.data import Rows, load_rows
from unabases.paper.honesty import score_honesty
from unabases.paper.honesty_scores import ExactModel, drawn_scores
from unabases.paper.rivals import Rival

TRIAL = make_trial("honesty:score_honesty")


def drawn_rows(drawn):
    return Rows(drawn.X_train, drawn.y_train, drawn.X_train, drawn.y_train, drawn.X_in, drawn.y_in, source=drawn)


def test_a_drawn_function_has_the_exact_posterior_beside_the_model():
    drawn = draw_process(1, 0.4, 0.1, n=50, n_test=30)
    model, exact = GaussianProcess(restarts=0).fit(drawn.X_train, drawn.y_train), ExactModel(drawn)
    found = score_honesty(TRIAL, drawn_rows(drawn), model)
    own, limit = drawn_scores(model, drawn), drawn_scores(exact, drawn)
    assert {name: found.scores[name] for name in own} == own
    for end in ("", "_gap", "_outside"):
        for name in (f"log_likelihood{end}", f"epistemic_coverage_90{end}"):
            assert found.scores[f"exact_{name}"] == limit[name]
    assert found.scores["rows"] == 50


def test_the_curves_of_one_input_are_in_order_and_those_of_two_are_not_kept():
    drawn = draw_process(1, 0.4, 0.1, n=50, n_test=30)
    model = GaussianProcess(restarts=0).fit(drawn.X_train, drawn.y_train)
    curves = score_honesty(TRIAL, drawn_rows(drawn), model).curves
    assert (np.diff(curves["grid"]) >= 0).all()
    said = model.predict_dist(curves["grid"][:, None])
    assert curves["mean"] == pytest.approx(said.mean)
    assert curves["exact_std"] == pytest.approx(drawn.exact(curves["grid"][:, None]).std)
    truth = dict(zip(drawn.X_gap[:, 0], drawn.f_gap, strict=True))
    assert all(curves["truth"][np.searchsorted(curves["grid"], x)] == f for x, f in truth.items())
    wide = draw_process(2, 0.4, 0.1, n=50, n_test=30)
    model = GaussianProcess(restarts=0).fit(wide.X_train, wide.y_train)
    assert score_honesty(TRIAL, drawn_rows(wide), model).curves == {}


def test_a_model_that_calls_all_of_it_noise_has_no_epistemic_scores():
    rows = load_rows("honesty", "drawn-step-1", 0)
    model = Rival(model="nearest neighbours").fit(rows.X_train, rows.y_train)
    scores = score_honesty(TRIAL, rows, model).scores
    assert {"log_likelihood_gap", "crps_outside", "retention_area_gap"} < set(scores)
    assert not [name for name in scores if name.startswith(("epistemic", "eurc", "auroc", "exact"))]
    assert all(np.isfinite(value) for value in scores.values())


@pytest.mark.parametrize("kind", ["gap", "tail"])
def test_a_table_has_scores_of_what_was_held_out(kind):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), rng.normal(size=60)
    rows = Rows(X[:30], y[:30], X[:30], y[:30], X[30:40], y[30:40], X[40:], y[40:])
    model = GaussianProcess(restarts=0).fit(rows.X_train, rows.y_train)
    trial = make_trial("honesty:score_honesty")
    trial = type(trial)(**{**vars(trial), "dataset": f"yacht-{kind}-4"})
    scores = score_honesty(trial, rows, model).scores
    gap = model.predict_dist(rows.X_gap)
    assert scores[f"rmse_{kind}"] == pytest.approx(np.sqrt(np.mean((gap.mean - rows.y_gap) ** 2)))
    assert f"auroc_{kind}" in scores
