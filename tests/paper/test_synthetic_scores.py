"""What is computed on synthetic data, beside the same computed by hand."""

import numpy as np
import pytest

from tests.paper.cheap import SMALL, make_trial
from unabases import NeuralLinear
from unabases.datasets import cubic_gap, squiggle_gap
from unabases.metrics import log_likelihood, rmse
from unabases.paper import synthetic_scores
from unabases.paper.data import load_rows
from unabases.paper.trials import run_group


@pytest.fixture(scope="module")
def model():
    data = cubic_gap()
    return NeuralLinear(**SMALL, sigma2=9.0, random_state=0).fit(data.X_train, data.y_train)


def test_prior_variation_is_that_of_functions_drawn_from_the_prior(model):
    x = np.linspace(-2, 2, 101)
    samples = model.sample_prior(x[:, None], 20_000, random_state=0)
    share = (x + 2) / 4
    bend = samples - ((1 - share) * samples[:, :1] + share * samples[:, -1:])
    assert synthetic_scores.prior_variation(model, -2.0, 2.0) == pytest.approx(np.sqrt(np.mean(bend**2)), rel=0.02)
    spread = np.mean(samples.std(axis=0))
    assert synthetic_scores._prior_std(model, x[:, None]) == pytest.approx(spread, rel=0.02)


def test_straight_functions_have_no_variation_however_far_apart(model):
    class Straight:
        prior_variance_, y_scale_ = 100.0, model.y_scale_

        def feature_matrix(self, X):
            return np.column_stack([5 * X[:, 0], np.ones(len(X))])

    assert synthetic_scores.prior_variation(Straight(), -2.0, 2.0) == pytest.approx(0, abs=1e-9)


def test_transfer_scores_a_last_layer_that_saw_the_gap_and_features_that_did_not():
    (row,) = run_group((make_trial("synthetic_scores:transfer", data="squiggle-gap"),), [{}])
    data = squiggle_gap(random_state=0)
    alone = NeuralLinear(**SMALL, sigma2=9.0, random_state=0).fit(data.X_train, data.y_train)
    before = alone.predict_dist(data.X_test)
    after = alone.refit(data.X_gap_train, data.y_gap_train).predict_dist(data.X_gap_test)
    assert row.scores["rmse"] == pytest.approx(rmse(after, data.y_gap_test), rel=1e-5)
    assert row.scores["log_likelihood"] == pytest.approx(log_likelihood(after, data.y_gap_test), rel=1e-5)
    assert row.scores["rmse_before"] == pytest.approx(rmse(before, data.y_test), rel=1e-5)


def test_data_can_be_a_row_of_its_own():
    (row,) = run_group((make_trial("synthetic_scores:transfer", data="squiggle-gap", regressor="", alone=True),), [{}])
    data = squiggle_gap(random_state=0)
    assert np.allclose(row.curves["X"], np.r_[data.X_train[:, 0], data.X_gap_train[:, 0]], rtol=1e-5)
    assert np.allclose(row.curves["truth"], data.function(np.array(row.curves["grid"])), atol=1e-4)
    assert row.scores == {}


def test_heads_are_those_of_the_model():
    (row,) = run_group(
        (make_trial("synthetic_scores:luna_heads", regressor="LUNA", settings={**SMALL, "n_heads": 3}),), [{}]
    )
    assert np.shape(row.curves["heads"]) == (3, len(row.curves["grid"]))


def test_curves_are_stored_for_the_first_seed_or_for_every_one(model):
    rows = load_rows("cubic-gap", "", 0)
    for function, lengths in ((synthetic_scores.cubic_gap, (201, 0)), (synthetic_scores.scores_and_curves, (401, 401))):
        name = f"synthetic_scores:{function.__name__}"
        outcomes = [function(make_trial(name, seed), rows, model) for seed in (0, 1)]
        assert tuple(len(outcome.curves.get("mean", ())) for outcome in outcomes) == lengths
        assert set(outcomes[1].scores) == set(synthetic_scores.SCORES)
