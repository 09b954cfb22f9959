"""Deep Bayesian regression that knows where it has no data."""

from unabases.regressors import LUNA, NeuralLinear

__all__ = ["LUNA", "NeuralLinear"]
