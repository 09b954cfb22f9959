"""Feature maps φ_θ."""

from unabases.features.base import AbstractFeatureMap, FeatureFactory, FeatureMap, count_features
from unabases.features.mlp import ACTIVATIONS, MLP, activation_function

__all__ = [
    "ACTIVATIONS",
    "MLP",
    "AbstractFeatureMap",
    "FeatureFactory",
    "FeatureMap",
    "activation_function",
    "count_features",
]
