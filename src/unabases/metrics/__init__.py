"""How good a prediction and its uncertainty are: pure functions of (predictive, y)."""

from unabases.metrics.scores import epistemic, eurc, log_likelihood, mae, rmse

__all__ = ["epistemic", "eurc", "log_likelihood", "mae", "rmse"]
