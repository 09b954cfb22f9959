"""Multi-layer perceptron features."""

from collections.abc import Callable, Sequence
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray

from unabases.features.base import AbstractFeatureMap, numpy_generator, repeated, uniform_draws

MOST_LAYERS = 200  # each is compiled, so that more would take hours before the first step
ACTIVATIONS: dict[str, Callable[[Array], Array]] = {
    "relu": jax.nn.relu,
    "tanh": jnp.tanh,
    "gelu": jax.nn.gelu,
    "silu": jax.nn.silu,
    "softplus": jax.nn.softplus,
    "sine": jnp.sin,
}


def activation_function(activation: str | Callable[[Array], Array]) -> Callable[[Array], Array]:
    """Look an activation up by name; a function is returned as it is.

    Examples
    --------
    >>> float(activation_function("relu")(-2.0))
    0.0
    """
    if callable(activation):
        return activation
    if not isinstance(activation, str) or activation not in ACTIVATIONS:
        raise ValueError(f"unknown activation {activation!r}; known ones are {', '.join(ACTIVATIONS)}.")
    return ACTIVATIONS[activation]


class MLP(AbstractFeatureMap):
    r"""A multi-layer perceptron whose last hidden layer is the features.

    Layers are h_i = a(W_i h_{i-1} + b_i), with a the activation. Weights and biases of a layer with f inputs start
    uniform on :math:`\pm 1/\sqrt{f}`, so that on standardised inputs the kinks of a ReLU network are spread over the
    data.

    Parameters
    ----------
    d : int
        Length of an input.
    widths : int or sequence of int
        Units of each hidden layer; the last is the number of features k.
    activation : str or callable
        A name in `ACTIVATIONS` (relu, tanh, gelu, silu, softplus, sine) or any elementwise JAX function.
    key : JAX key or None
        The seed of the initial weights. With None they are zeros, for a map that only has to have the right shapes.

    Examples
    --------
    >>> phi = MLP(3, widths=(50, 20), key=jax.random.key(0))
    >>> phi(jnp.zeros(3)).shape
    (20,)
    """

    weights: tuple[Float[Array, "_ _"], ...]  # (out, in) of each layer
    biases: tuple[Float[Array, " _"], ...]
    activation: str | Callable[[Array], Array] = eqx.field(static=True)

    def __init__(
        self,
        d: int,
        widths: int | Sequence[int] = (50, 20),
        activation: str | Callable[[Array], Array] = "relu",
        *,
        key: PRNGKeyArray | None,
    ):
        sizes = [int(d), *check_widths(widths)]
        draw = uniform_draws(None if key is None else numpy_generator(key))
        bounds = [1 / np.sqrt(fan_in) for fan_in in sizes[:-1]]
        shapes = list(zip(sizes[1:], sizes[:-1], strict=True))
        self.weights = tuple(draw(bound, shape) for bound, shape in zip(bounds, shapes, strict=True))
        self.biases = tuple(draw(bound, shape[:1]) for bound, shape in zip(bounds, shapes, strict=True))
        activation_function(activation)  # refuses an unknown name
        self.activation = activation  # kept by name, which can be compared and pickled

    def __call__(self, x: Float[Array, " d"]) -> Float[Array, " k"]:
        """Activations of the last hidden layer."""
        return self._above(x @ self.weights[0].T + self.biases[0])

    def moved(self, X: Float[Array, "n d"], shifts: Float[Array, "b d"]) -> Float[Array, "b n k"]:
        """Features of every row moved by each shift; the first layer is linear and computed only once per row."""
        W, b = self.weights[0], self.biases[0]
        first = repeated(X @ W.T + b, len(shifts)) + (shifts @ W.T)[:, None]
        return self._above(first.reshape(-1, len(b))).reshape(len(shifts), len(X), -1)

    @property
    def widths(self) -> tuple[int, ...]:
        """Units of each hidden layer."""
        return tuple(b.shape[-1] for b in self.biases)

    @property
    def n_features(self) -> int:
        """Units of the last hidden layer."""
        return self.biases[-1].shape[-1]

    def masked(self, x: Float[Array, " d"], masks: Float[Array, " units"]) -> Float[Array, " k"]:
        """Features of one input when every hidden unit is multiplied by its mask: dropout."""
        activation = activation_function(self.activation)
        cuts = np.cumsum(self.widths)[:-1].tolist()
        for W, b, mask in zip(self.weights, self.biases, jnp.split(masks, cuts), strict=True):
            x = activation(x @ W.T + b) * mask
        return x

    def _above(self, first: Float[Array, "*n width"]) -> Float[Array, "*n k"]:
        """What the layers above make of the first one's sums."""
        activation = activation_function(self.activation)
        x = activation(first)
        for W, b in zip(self.weights[1:], self.biases[1:], strict=True):
            x = activation(x @ W.T + b)
        return x


def check_widths(widths: Any) -> list[int]:
    """The widths as whole numbers, or an error that says what is wrong."""
    try:
        given = np.atleast_1d(np.asarray(widths))
        sizes = [int(width) for width in given]
        fine = len(sizes) > 0 and min(sizes) >= 1 and np.array_equal(sizes, given)
    except (TypeError, ValueError, OverflowError):
        sizes, fine = [], False
    if not fine:
        raise ValueError(f"hidden widths must be one or more positive whole numbers, such as (50, 20); got {widths!r}.")
    if len(sizes) > MOST_LAYERS:
        raise ValueError(f"a network has at most {MOST_LAYERS} hidden layers; got {len(sizes)} hidden widths.")
    return sizes
