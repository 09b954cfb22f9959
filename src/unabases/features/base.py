"""What a feature map is: a callable from one input to its features."""

import abc
from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

FeatureMap = Callable[[Array], Array]
FeatureFactory = Callable[..., Any]  # (d, *, key) -> feature map


class AbstractFeatureMap(eqx.Module):
    """φ_θ: one input of length d to k features; its arrays are θ.

    Any Equinox module with this call works, whether it derives from this class or not: a convolutional
    network reshapes `x` first. The constant feature is added by the linear head, not here.

    A map may also offer `moved(X, shifts)`, the features (b, n, k) of n rows moved by each of b shifts, where it
    can be cheaper than calling the map on all of them, and `widths` with `masked(x, masks)`, the features when each
    of sum(widths) hidden units is multiplied by its mask, which dropout uses.
    """

    @abc.abstractmethod
    def __call__(self, x: Float[Array, " d"]) -> Float[Array, " k"]:
        """Features of one input; use `jax.vmap` for many."""


class Frozen(eqx.Module):
    """An array that belongs to a network but is not trained, such as a random projection."""

    value: Array


def trainable(tree: Any) -> Any:
    """For every array of a network, whether training changes it: floating-point ones outside `Frozen`."""
    is_frozen = lambda node: isinstance(node, Frozen)  # noqa: E731
    return jax.tree.map(lambda node: not is_frozen(node) and eqx.is_inexact_array(node), tree, is_leaf=is_frozen)


def count_features(phi: FeatureMap, d: int) -> int:
    """Number k of features that `phi` makes of an input of length `d`, found without computing them."""
    try:
        out = eqx.filter_eval_shape(phi, jnp.zeros(d))
    except Exception as error:
        raise ValueError(
            f"the feature map {type(phi).__name__} could not be called on one input of length {d}: {error}"
        ) from error
    if not isinstance(out, jax.ShapeDtypeStruct) or len(out.shape) != 1:
        shape = getattr(out, "shape", type(out).__name__)
        raise ValueError(
            f"a feature map must turn one input of shape ({d},) into a vector (k,); "
            f"{type(phi).__name__} gave {shape}. Flatten its output."
        )
    return out.shape[0]
