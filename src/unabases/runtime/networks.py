"""Feature maps as saved weights and NumPy: the same sums as in training, in float32.

What is written here in NumPy also runs on the symbols of `unabases.runtime.tracing`, which record it as an ONNX graph.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

__all__ = ["ACTIVATIONS", "Fourier", "Layers", "Residual", "bounded", "layers_from", "residual_from"]

_DOUBLINGS = 6  # as in training: the Schatten norm of order 128
_LEAST_TRACE = 1e-12


def _gelu(x: Any) -> Any:
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi).astype(np.float32) * (x + 0.044715 * (x * x * x))))


ACTIVATIONS: dict[str, Callable[[Any], Any]] = {
    "relu": lambda x: np.maximum(x, np.float32(0)),
    "tanh": np.tanh,
    "gelu": _gelu,
    "silu": lambda x: x / (1 + np.exp(-x)),
    "softplus": lambda x: np.logaddexp(x, np.float32(0)),
    "sine": np.sin,
}


class Layers(NamedTuple):
    """A multi-layer perceptron, or several of them side by side, whose arrays then have a leading axis."""

    weights: list[np.ndarray]
    """Of each layer, (inputs, units)."""
    biases: list[np.ndarray]
    activation: str
    masks: list[np.ndarray] | None = None
    """What every unit is multiplied by in each pass, if units drop out."""

    def __call__(self, x: Any) -> Any:
        """Activations of the last layer."""
        for i, (W, b) in enumerate(zip(self.weights, self.biases, strict=True)):
            x = ACTIVATIONS[self.activation](x @ W + b)
            if self.masks is not None:
                x = x * self.masks[i]
        return x


class Residual(NamedTuple):
    """A residual network whose layers have a bounded norm."""

    projection: np.ndarray
    weights: list[np.ndarray]
    biases: list[np.ndarray]
    activation: str

    def __call__(self, x: Any) -> Any:
        """Output of the last layer."""
        h = x @ self.projection
        for W, b in zip(self.weights, self.biases, strict=True):
            h = h + ACTIVATIONS[self.activation](h @ W + b)
        return h


class Fourier(NamedTuple):
    """Cosines in random directions of another network's output."""

    below: Residual
    frequencies: np.ndarray
    phases: np.ndarray

    def __call__(self, x: Any) -> Any:
        """Features of rows."""
        size = np.sqrt(np.float32(2.0 / len(self.phases)))
        return size * np.cos(self.below(x) @ self.frequencies + self.phases)


def layers_from(leaves: list[np.ndarray], activation: str, masks: np.ndarray | None = None) -> Layers:
    """A perceptron from its saved arrays: the weights of all layers as (units, inputs), then the biases."""
    cut = len(leaves) // 2
    weights = [_transposed(leaf) for leaf in leaves[:cut]]
    biases = [_float32(leaf if leaf.ndim == 1 else leaf[:, None, :]) for leaf in leaves[cut:]]
    if masks is None:
        return Layers(weights, biases, activation)
    cuts = np.cumsum([leaf.shape[-1] for leaf in leaves[cut:]])[:-1]
    return Layers(weights, biases, activation, [_float32(part)[:, None, :] for part in np.split(masks, cuts, axis=1)])


def residual_from(leaves: list[np.ndarray], activation: str) -> Fourier:
    """Fourier features on a residual network, from their saved arrays.

    These are the projection, the weights and the biases of the layers, the bound on their norms, the frequencies and
    the phases.
    """
    projection, *layers, bound, frequencies, phases = leaves
    cut = len(layers) // 2
    weights = [_transposed(bounded(_float32(W), float(bound))) for W in layers[:cut]]
    below = Residual(_transposed(projection), weights, [_float32(b) for b in layers[cut:]], activation)
    return Fourier(below, _transposed(frequencies), _float32(phases))


def bounded(W: np.ndarray, c: float) -> np.ndarray:
    """W scaled down until the Schatten norm of order 128 is at most c; that is never below the spectral norm."""
    unit = np.maximum(np.abs(W).max(), np.finfo(W.dtype).tiny)
    V = W / unit
    s = np.maximum(np.sum(V**2), _LEAST_TRACE)
    H, log_norm = V.T @ V / s, np.log(s) / 2
    for j in range(1, _DOUBLINGS + 1):
        s = np.maximum(np.sum(H**2), _LEAST_TRACE)
        log_norm += np.log(s) / 2 ** (j + 1)
        H = H @ H / s
    return W * np.float32(c / max(c, float(unit * np.exp(log_norm))))


def _transposed(W: np.ndarray) -> np.ndarray:
    return _float32(W).swapaxes(-1, -2)


def _float32(array: np.ndarray) -> np.ndarray:
    return np.asarray(array, dtype=np.float32)
