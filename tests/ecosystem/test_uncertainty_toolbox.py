"""uncertainty-toolbox's metrics agree with ours."""

import numpy as np
import pytest

from tests.ecosystem.rows import X, quick_model, y
from unabases.metrics import crps, interval_coverage, log_likelihood, rmse

toolbox = pytest.importorskip("uncertainty_toolbox")


def test_its_metrics_of_mean_and_std_equal_ours():
    prediction = quick_model().fit(X[:80], y[:80]).predict_dist(X[80:])
    given = (prediction.mean, prediction.std, y[80:])
    np.testing.assert_allclose(toolbox.crps_gaussian(*given), crps(prediction, y[80:]), rtol=1e-6)
    np.testing.assert_allclose(toolbox.nll_gaussian(*given), -log_likelihood(prediction, y[80:]), rtol=1e-6)
    errors = toolbox.prediction_error_metrics(prediction.mean, y[80:])
    np.testing.assert_allclose(errors["rmse"], rmse(prediction, y[80:]))
    inside = toolbox.get_proportion_in_interval(*given, 0.9)
    np.testing.assert_allclose(inside, interval_coverage(prediction, y[80:], 0.9))
