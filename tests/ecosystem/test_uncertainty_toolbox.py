"""uncertainty-toolbox's metrics agree with ours."""

import numpy as np
import pytest

from tests.ecosystem.rows import X, quick_model, y
from unabases.metrics import crps, interval_coverage, log_likelihood, rmse

toolbox = pytest.importorskip("uncertainty_toolbox")


def test_its_metrics_of_mean_and_std_equal_ours():
    prediction = quick_model().fit(X[:80], y[:80]).predict_dist(X[80:])
    theirs = toolbox.get_all_metrics(prediction.mean, prediction.std, y[80:], verbose=False)
    np.testing.assert_allclose(theirs["accuracy"]["rmse"], rmse(prediction, y[80:]))
    np.testing.assert_allclose(theirs["scoring_rule"]["crps"], crps(prediction, y[80:]), rtol=1e-6)
    np.testing.assert_allclose(theirs["scoring_rule"]["nll"], -log_likelihood(prediction, y[80:]), rtol=1e-6)
    inside = toolbox.get_proportion_in_interval(prediction.mean, prediction.std, y[80:], 0.9)
    np.testing.assert_allclose(inside, interval_coverage(prediction, y[80:], 0.9))
