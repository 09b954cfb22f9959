"""What is computed from a model on synthetic data: scores, and the curves of the figures."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from unabases.datasets.synthetic import SyntheticGap
from unabases.metrics.scores import epistemic, eurc, log_likelihood, rmse
from unabases.paper.data import Rows
from unabases.paper.plan import Trial
from unabases.paper.store import Row
from unabases.paper.trials import Outcome
from unabases.regressors.shared.base import AbstractRegressor

SCORES: dict[str, str] = {
    "rmse": "RMSE",
    "log_likelihood": "log-lik.",
    "epistemic_data": "epistemic std, data",
    "epistemic_gap": "epistemic std, gap",
    "eurc": "EURC",
}
"""Scores on data with a gap, and their headings in tables."""
GRID = np.linspace(-5, 5, 401)[:, None]  # inputs over the synthetic data and beyond, for pictures
_FINE, _COARSE = GRID[::2], GRID[::4]  # stored for large figures, and for small panels


def gap_scores(model: AbstractRegressor, data: SyntheticGap) -> dict[str, float]:
    """The `SCORES` of a fitted model on the test rows and on the grid over the gap."""
    on_data, in_gap = model.predict_dist(data.X_test), model.predict_dist(data.gap_grid)
    return {
        "rmse": rmse(on_data, data.y_test),
        "log_likelihood": log_likelihood(on_data, data.y_test),
        "epistemic_data": epistemic(on_data),
        "epistemic_gap": epistemic(in_gap),
        "eurc": eurc(in_gap, on_data),
    }


def cubic_gap(trial: Trial, rows: Rows, model: AbstractRegressor) -> Outcome:
    """The `SCORES`, and for the first seed the curves and the data too."""
    data = _source(rows)
    return Outcome(gap_scores(model, data), {**curves_of(model), **_points(data)} if trial.seed == 0 else {})


def scores_and_curves(trial: Trial, rows: Rows, model: AbstractRegressor) -> Outcome:
    """The `SCORES`, and the curves over all of the grid."""
    return Outcome(gap_scores(model, _source(rows)), curves_of(model, GRID))


def restart(trial: Trial, rows: Rows, model: AbstractRegressor) -> Outcome:
    """The `SCORES`, the curves of every restart, and functions drawn from the prior."""
    data = _source(rows)
    curves = {**curves_of(model, _COARSE), **_points(data), **_prior_samples(model, _COARSE, 5)}
    return Outcome(gap_scores(model, data), curves)


def map_prior(trial: Trial, rows: Rows, model: Any) -> Outcome:
    """How much functions drawn from the prior bend in the gap and beside it; see `prior_variation`."""
    data = _source(rows)
    low, high = data.gap
    outer = float(np.abs(data.X_train).max())
    left, right = (prior_variation(model, *ends) for ends in ((-outer, low), (high, outer)))
    scores = {
        **gap_scores(model, data),
        "prior_variation_gap": prior_variation(model, low, high),
        "prior_variation_data": float(np.sqrt((left**2 + right**2) / 2)),
        "prior_std_gap": _prior_std(model, data.gap_grid),
        "prior_std_data": _prior_std(model, data.X_test),
    }
    curves = {**curves_of(model), **_points(data), **_prior_samples(model, _FINE, 12)} if trial.seed == 0 else {}
    return Outcome(scores, curves)


def luna_heads(trial: Trial, rows: Rows, model: Any) -> Outcome:
    """The auxiliary heads beside the posterior."""
    data = _source(rows)
    return Outcome(gap_scores(model, data), {**curves_of(model), **_points(data), "heads": model.predict_heads(_FINE)})


def transfer(trial: Trial, rows: Rows, subject: Any) -> Outcome:
    """Refit the last layer on rows from the gap, keeping the features, and score it there."""
    data = _source(rows)
    if trial.alone:
        return show_data(trial, rows, subject)
    before = subject.predict_dist(data.X_test)
    scores = {"log_likelihood_before": log_likelihood(before, data.y_test), "rmse_before": rmse(before, data.y_test)}
    moved = subject.refit(data.X_gap_train, data.y_gap_train).predict_dist(data.X_gap_test)
    scores |= {"log_likelihood": log_likelihood(moved, data.y_gap_test), "rmse": rmse(moved, data.y_gap_test)}
    return Outcome(scores, curves_of(subject) if trial.seed == 0 else {})


def show_data(trial: Trial, rows: Rows, given: Mapping[str, Row]) -> Outcome:
    """The data alone: rows on both sides of the gap, rows from it, and the truth."""
    data = _source(rows)
    X, y = np.concatenate([data.X_train, data.X_gap_train]), np.concatenate([data.y_train, data.y_gap_train])
    truth = {"grid": GRID[:, 0], "truth": data.function(GRID[:, 0])}
    in_gap = {"X_gap": data.X_gap_train[:, 0], "y_gap": data.y_gap_train}
    return Outcome({}, {"X": X[:, 0], "y": y, **_points(data), **in_gap, **truth})


def prior_variation(model: Any, low: float, high: float, points: int = 101) -> float:
    r"""Root mean square, over functions of the prior and points from low to high, of their distance from a chord.

    .. math:: \sqrt{\alpha \, \mathrm{mean}_x \|\phi(x) - c(x)\|^2}, \quad
        c(x) = \frac{(high - x) \, \phi(low) + (x - low) \, \phi(high)}{high - low}

    in units of y. If all functions of a prior are straight between two ends, this is 0 however far apart they lie: they
    cannot disagree on what happens in between. The value is exact, since functions are linear in weights of variance α.
    """
    x = np.linspace(low, high, points)
    Phi = model.feature_matrix(x[:, None])
    share = ((x - low) / (high - low))[:, None]
    bend = Phi - (1 - share) * Phi[0] - share * Phi[-1]
    return float(np.sqrt(model.prior_variance_ * np.mean(np.sum(bend**2, axis=1))) * model.y_scale_.spread[0])


def curves_of(model: AbstractRegressor, grid: np.ndarray = _FINE) -> dict[str, np.ndarray]:
    """Mean and both standard deviations over the grid."""
    d = model.predict_dist(grid)
    return {"grid": grid[:, 0], "mean": d.mean, "epistemic": d.epistemic_std, "noise": d.noise_std}


def _prior_samples(model: Any, grid: np.ndarray, count: int) -> dict[str, np.ndarray]:
    """Functions drawn before any data, where a model can draw them."""
    if not hasattr(model, "sample_prior"):
        return {}
    return {"prior_samples": model.sample_prior(grid, count, random_state=0)}


def _prior_std(model: Any, X: np.ndarray) -> float:
    """Mean standard deviation of the prior's functions, in units of y."""
    norms = np.linalg.norm(model.feature_matrix(X), axis=1)
    return float(np.sqrt(model.prior_variance_) * np.mean(norms) * model.y_scale_.spread[0])


def _points(data: SyntheticGap) -> dict[str, np.ndarray]:
    return {"X_train": data.X_train[:, 0], "y_train": data.y_train}


def _source(rows: Rows) -> SyntheticGap:
    assert isinstance(rows.source, SyntheticGap), "this trial is for synthetic data"
    return rows.source
