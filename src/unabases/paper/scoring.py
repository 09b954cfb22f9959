"""How a fitted model is scored on data with a gap."""

import numpy as np

from unabases.datasets import SyntheticGap
from unabases.metrics import epistemic, eurc, log_likelihood, rmse
from unabases.regressors import AbstractRegressor

SCORES: tuple[str, ...] = ("rmse", "log_likelihood", "epistemic_data", "epistemic_gap", "eurc")
TITLES: tuple[str, ...] = ("RMSE", "log-lik.", "epistemic std, data", "epistemic std, gap", "EURC")  # in tables
GRID = np.linspace(-5, 5, 401)[:, None]  # inputs over the synthetic data and beyond, for pictures


def gap_scores(model: AbstractRegressor, data: SyntheticGap) -> dict[str, float]:
    """The `SCORES` on the test rows and on the grid over the gap."""
    on_data, in_gap = model.predict_dist(data.X_test), model.predict_dist(data.gap_grid)
    values = (
        rmse(on_data, data.y_test),
        log_likelihood(on_data, data.y_test),
        epistemic(on_data),
        epistemic(in_gap),
        eurc(in_gap, on_data),
    )
    return dict(zip(SCORES, values, strict=True))
