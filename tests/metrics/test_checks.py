"""What every metric refuses."""

import numpy as np
import pytest

from unabases.metrics import (
    calibration_error,
    crps,
    epistemic,
    error_correlation,
    interval_coverage,
    interval_score,
    interval_width,
    joint_log_likelihood,
    log_likelihood,
    mae,
    prediction_rejection_ratio,
    retention_area,
    risk_coverage_area,
    rmse,
    score,
    sharpness,
    weighted_crps,
)
from unabases.metrics.checks import checked_choice, checked_levels
from unabases.predictive import Normal


class Told:
    """A model that says what it was told."""

    def __init__(self, predictive):
        self.predictive = predictive

    def predict_dist(self, X):
        return self.predictive


def prediction(n):
    return Normal(np.zeros(n), np.ones(n), 0.5)


METRICS = [
    log_likelihood,
    rmse,
    mae,
    crps,
    interval_coverage,
    interval_score,
    calibration_error,
    risk_coverage_area,
    retention_area,
    prediction_rejection_ratio,
    error_correlation,
    lambda predictive, y: weighted_crps(predictive, y, "left"),
    joint_log_likelihood,
    lambda predictive, y: score(Told(predictive), None, y),
]


@pytest.mark.parametrize("metric", METRICS)
def test_outcomes_that_are_not_numbers_are_counted(metric):
    predictive = prediction(30)
    y = np.zeros(30)
    y[[3, 7]] = np.nan, np.inf
    with pytest.raises(ValueError, match="`y` has 2 of 30 values that are NaN or infinite"):
        metric(predictive, y)


@pytest.mark.parametrize("metric", METRICS)
def test_shapes_must_agree(metric):
    predictive = prediction(30)
    with pytest.raises(ValueError, match=r"`y` has shape \(30, 1\) but the prediction has shape \(30,\).*reshape"):
        metric(predictive, np.zeros((30, 1)))
    with pytest.raises(ValueError, match=r"`y` has shape \(29,\) but the prediction has shape \(30,\)\.$"):
        metric(predictive, np.zeros(29))


@pytest.mark.parametrize("metric", METRICS)
def test_no_rows_are_an_error(metric):
    with pytest.raises(ValueError, match="no rows"):
        metric(prediction(0), np.zeros(0))


@pytest.mark.parametrize("metric", [epistemic, sharpness, interval_width])
def test_no_rows_are_an_error_without_y(metric):
    with pytest.raises(ValueError, match="no rows"):
        metric(prediction(0))


@pytest.mark.parametrize("levels", [[], 0.5, [0.0, 0.5], [0.5, 1.0], [np.nan]])
def test_levels_are_probabilities_in_a_list(levels):
    with pytest.raises(ValueError, match="`levels` must"):
        checked_levels(levels)


def test_an_unknown_choice_lists_the_known_ones():
    assert checked_choice("kind", "rms", ("rms", "mean")) == "rms"
    with pytest.raises(ValueError, match="`kind` must be one of 'rms', 'mean', got 'max'"):
        checked_choice("kind", "max", ("rms", "mean"))
