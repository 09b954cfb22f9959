"""Features of a sum of functions: a network in which parts of the inputs do not meet."""

from collections.abc import Callable, Sequence

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray

from unabases.features.base import AbstractFeatureMap
from unabases.features.mlp import MLP


class AdditiveMLP(AbstractFeatureMap):
    """A multi-layer perceptron each of whose units sees one part of the inputs only.

    Units take turns: of three parts the first has units 0, 3, 6, ... of every layer. Weights between parts are zero
    and stay zero, so any linear function of the features is a sum of functions of the parts.

    Parameters
    ----------
    parts : sequence of int
        For each input the part that it belongs to, counted from 0.
    widths, activation, key
        As in `MLP`.

    Examples
    --------
    >>> phi = AdditiveMLP((0, 1, 1), widths=(6, 4), key=None)
    >>> phi.plain.weights[0].shape, phi(jnp.zeros(3)).shape
    ((6, 3), (4,))
    """

    plain: MLP
    parts: tuple[int, ...] = eqx.field(static=True)

    def __init__(
        self,
        parts: Sequence[int],
        widths: int | Sequence[int] = (50, 20),
        activation: str | Callable[[Array], Array] = "relu",
        *,
        key: PRNGKeyArray | None,
    ):
        self.parts = tuple(parts)
        plain = MLP(len(self.parts), widths, activation, key=key)
        masks = self._masks(plain.widths)
        seen = [np.maximum(mask.sum(axis=1), 1.0) / mask.shape[1] for mask in masks]  # weights start as wide as usual
        weights = [
            W * mask / np.sqrt(share)[:, None] for W, mask, share in zip(plain.weights, masks, seen, strict=True)
        ]
        biases = [b / np.sqrt(share) for b, share in zip(plain.biases, seen, strict=True)]
        self.plain = _with(plain, weights, biases)

    def __call__(self, x: Float[Array, " d"]) -> Float[Array, " k"]:
        """Activations of the last hidden layer."""
        masks = self._masks(self.plain.widths)
        weights = [W * mask for W, mask in zip(self.plain.weights, masks, strict=True)]
        return _with(self.plain, weights, self.plain.biases)(x)

    @property
    def n_features(self) -> int:
        """Units of the last hidden layer."""
        return self.plain.n_features

    def _masks(self, widths: Sequence[int]) -> list[Float[np.ndarray, "out in"]]:
        """For each layer, 1 where a unit sees one of the layer below."""
        below, masks = np.array(self.parts), []
        for width in widths:
            own = np.arange(width) % (max(self.parts) + 1)
            masks.append((own[:, None] == below[None]).astype(np.float32))
            below = own
        return masks


def _with(plain: MLP, weights: Sequence[Array], biases: Sequence[Array]) -> MLP:
    """The same network with other weights."""
    changed = tuple(jnp.asarray(W, W.dtype) for W in weights), tuple(jnp.asarray(b, b.dtype) for b in biases)
    return eqx.tree_at(lambda network: (network.weights, network.biases), plain, changed)
