"""Feature maps φ_θ."""

from unabases.features.base import AbstractFeatureMap, FeatureFactory, FeatureMap, Frozen, count_features, trainable
from unabases.features.mlp import ACTIVATIONS, MLP, activation_function

__all__ = [
    "ACTIVATIONS",
    "MLP",
    "AbstractFeatureMap",
    "FeatureFactory",
    "FeatureMap",
    "Frozen",
    "activation_function",
    "count_features",
    "trainable",
]
