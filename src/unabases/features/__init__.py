"""Feature maps φ_θ: networks that turn one input into features."""

from unabases.features.additive import AdditiveMLP
from unabases.features.base import AbstractFeatureMap, FeatureFactory, FeatureMap, Frozen, count_features, trainable
from unabases.features.mlp import ACTIVATIONS, MLP, activation_function
from unabases.features.random_fourier import RandomFourier
from unabases.features.residual import SpectralResidual

__all__ = [
    "ACTIVATIONS",
    "MLP",
    "AbstractFeatureMap",
    "AdditiveMLP",
    "FeatureFactory",
    "FeatureMap",
    "Frozen",
    "RandomFourier",
    "SpectralResidual",
    "activation_function",
    "count_features",
    "trainable",
]
