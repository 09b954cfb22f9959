"""Scores of honesty are those of the metrics, for the exact posterior and for models that are too sure or too timid."""

import numpy as np
import pytest

from unabases import GaussianProcess
from unabases.datasets import draw_process, draw_shape, gap_splits, tail_splits
from unabases.metrics import prediction_rejection_ratio, retention_area, score
from unabases.paper.honesty_scores import ExactModel, drawn_scores, split_scores
from unabases.predictive import Mixture, Normal

DRAWN = draw_process(1, 0.3, 0.1, n=60, n_test=50)
SAME = ("log_likelihood", "crps", "interval_score", "rmse", "epistemic")


class Scaled:
    """The exact posterior with its epistemic std multiplied."""

    def __init__(self, drawn, factor):
        self.exact, self.factor = ExactModel(drawn), factor

    def predict_dist(self, X):
        d = self.exact.predict_dist(X)
        return Normal(d.mean, self.factor * d.epistemic_std, d.noise_std)


def test_each_region_has_the_scores_of_the_metrics():
    model = ExactModel(DRAWN)
    found = drawn_scores(model, DRAWN)
    for end, X, y in (
        ("", DRAWN.X_in, DRAWN.y_in),
        ("_gap", DRAWN.X_gap, DRAWN.y_gap),
        ("_outside", DRAWN.X_outside, DRAWN.y_outside),
    ):
        wanted = score(model, X, y)
        for name in SAME:
            assert found[name + end] == pytest.approx(wanted[name])
        assert found["coverage_90" + end] == wanted["interval_coverage"]
    against = score(model, DRAWN.X_in, DRAWN.y_in, X_gap=DRAWN.X_outside)
    assert found["eurc_outside"] == pytest.approx(against["eurc"])
    assert found["auroc_outside"] == against["auroc"]


def test_rows_on_the_data_and_elsewhere_are_pooled():
    model = ExactModel(DRAWN)
    both, y = np.concatenate([DRAWN.X_in, DRAWN.X_gap]), np.concatenate([DRAWN.y_in, DRAWN.y_gap])
    found = drawn_scores(model, DRAWN)
    assert found["retention_area_gap"] == pytest.approx(retention_area(model.predict_dist(both), y))
    assert found["prediction_rejection_ratio_gap"] == pytest.approx(
        prediction_rejection_ratio(model.predict_dist(both), y)
    )
    assert found["prediction_rejection_ratio_outside"] > 0.5


@pytest.mark.parametrize("factor", [0.05, 1.0, 10.0])
def test_the_ratio_and_the_coverage_tell_the_blind_from_the_timid(factor):
    found = drawn_scores(Scaled(DRAWN, factor), DRAWN)
    for end in ("", "_gap", "_outside"):
        assert found["epistemic_ratio" + end] == pytest.approx(factor)
        assert found["epistemic_ratio_low" + end] == pytest.approx(factor)
        if factor < 1:
            assert found["epistemic_coverage_90" + end] < 0.3
        if factor > 1:
            assert found["epistemic_coverage_90" + end] == 1


def test_the_exact_posterior_wins_over_many_draws():
    factors = (0.3, 1.0, 3.0)
    draws = [draw_process(1, 0.3, 0.1, n=30, n_test=20, random_state=seed) for seed in range(12)]
    scores = [[drawn_scores(Scaled(drawn, factor), drawn) for drawn in draws] for factor in factors]
    for name in ("log_likelihood_outside", "log_likelihood_gap"):
        means = [np.mean([found[name] for found in of_factor]) for of_factor in scores]
        assert factors[np.argmax(means)] == 1


def test_shapes_have_a_truth_but_no_ratio_and_mixtures_are_scored_too():
    drawn = draw_shape("step", n=30, n_test=20)

    class Members:
        def predict_dist(self, X):
            return Mixture(np.sin(X[:, 0] + np.arange(5)[:, None]), 0.3)

    found = drawn_scores(Members(), drawn)
    assert "epistemic_coverage_90_gap" in found
    assert not any("ratio_low" in name or name.startswith("epistemic_ratio") for name in found)
    assert all(np.isfinite(value) for value in found.values())
    with pytest.raises(ValueError, match=r"Drawn\(step: .* has no exact posterior"):
        ExactModel(drawn).predict_dist(drawn.X_in)


def test_splits_of_tables_name_what_was_held_out():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (60, 2))
    y = np.sin(3 * X[:, 0]) + 0.1 * rng.standard_normal(60)
    for kind, part in (("gap", gap_splits(X, y, 0, k=1)[0]), ("tail", tail_splits(X, y, 0, k=1)[0])):
        model = GaussianProcess(restarts=0, random_state=0).fit(part.X_train, part.y_train)
        found, wanted = split_scores(model, part, kind), score(model, part.X_gap, part.y_gap)
        for name in SAME:
            assert found[f"{name}_{kind}"] == pytest.approx(wanted[name], rel=1e-5)
        assert {name.rpartition("_")[2] for name in found} >= {kind}
        assert "epistemic_ratio" not in found
    with pytest.raises(ValueError, match="`kind` must be 'gap' or 'tail', got 'middle'"):
        split_scores(model, part, "middle")
