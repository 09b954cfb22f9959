"""Scores of a model on ordinary data."""

import numpy as np
import pytest

from tests.paper.cheap import make_trial
from unabases.paper.accuracy import accuracy_scores
from unabases.paper.data import Rows
from unabases.paper.rivals import Rival
from unabases.predictive import Normal

TRIAL = make_trial("accuracy:accuracy_scores")


class Told(Rival):
    """A model that predicts what it is told, through its parameter."""

    def predict_dist(self, X, covariance=False):
        return self.model


def rows(y, f=None):
    X = np.zeros((len(y), 1))
    return Rows(X, y, X, y, X, y, f_test=f)


def test_the_truth_has_a_ratio_of_one_and_covers_nine_tenths():
    rng = np.random.default_rng(0)
    f = rng.normal(size=4000)
    y = f + 0.5 * rng.standard_normal(4000)
    scores = accuracy_scores(TRIAL, rows(y, f), Told(model=Normal(f, np.zeros(4000), 0.5))).scores
    assert scores["rmse_ratio"] == pytest.approx(1.0)
    assert scores["rmse"] == pytest.approx(0.5, rel=0.05)
    assert scores["coverage_90"] == pytest.approx(0.9, abs=0.02)
    assert scores["mean_std"] == pytest.approx(0.5)
    assert scores["log_likelihood"] == pytest.approx(-0.5 * np.log(2 * np.pi * np.e * 0.25), abs=0.05)
    assert "coverage_90_low" not in scores


def test_noise_that_varies_is_checked_in_thirds():
    y = np.tile([-3.0, 0.0, 3.0], 20)
    noise = np.repeat([0.1, 1.0, 10.0], 20)
    scores = accuracy_scores(TRIAL, rows(y), Told(model=Normal(np.zeros(60), np.zeros(60), noise))).scores
    third = [np.mean(np.abs(y[noise == level]) <= 1.645 * level) for level in (0.1, 1.0, 10.0)]
    assert [scores[f"coverage_90_{name}"] for name in ("low", "middle", "high")] == pytest.approx(third)
    assert "rmse_ratio" not in scores
