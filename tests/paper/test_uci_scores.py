"""Scores on real data are those of the metrics."""

import numpy as np
import pytest

from tests.paper.cheap import make_trial
from unabases import GaussianProcess
from unabases.metrics import score
from unabases.paper import uci_scores
from unabases.paper.data import Rows


def test_real_data_scores_are_those_of_the_metrics():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (60, 2))
    y = X[:, 0] + 0.1 * rng.standard_normal(60)
    rows = Rows(X[:30], y[:30], X[:30], y[:30], X[30:45], y[30:45], X[45:] + 3, y[45:])
    fitted = GaussianProcess(restarts=0, random_state=0).fit(rows.X_train, rows.y_train)
    trial = make_trial("uci_scores:gap_split", regressor="GaussianProcess", data="gap")
    found = uci_scores.gap_split(trial, rows, fitted)
    test, gap = score(fitted, rows.X_test, rows.y_test, rows.X_gap), score(fitted, rows.X_gap, rows.y_gap)
    names = {"coverage_90": "interval_coverage", "calibration_error": "calibration_rms"}
    for name in ("rmse", "mae", "log_likelihood", "crps", "epistemic", "coverage_90", "calibration_error"):
        assert found.scores[name] == pytest.approx(test[names.get(name, name)])
        assert found.scores[f"{name}_gap"] == pytest.approx(gap[names.get(name, name)])
    assert found.scores["eurc"] == pytest.approx(test["eurc"])
    assert found.scores["eurc"] > 1
    assert set(found.curves) == {"calibration", "calibration_gap"}
    assert len(found.curves["calibration"]["observed"]) == len(found.curves["calibration"]["expected"])
    standard = uci_scores.standard_split(trial, rows, fitted)
    assert standard.scores["crps"] == found.scores["crps"]
    assert "eurc" not in standard.scores
