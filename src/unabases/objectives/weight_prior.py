"""A Gaussian prior over all weights of a network."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from unabases.features.base import trainable
from unabases.objectives.una import Heads


def weight_variances(network: Heads, variance: float, by_fan_in: bool = True) -> Any:
    """Prior variance of every trained weight of a network.

    Parameters
    ----------
    network : Heads
        The network.
    variance : float
        Variance of a bias, and of a weight before it is divided.
    by_fan_in : bool
        Whether to divide a weight's variance by the number of inputs that its layer sums, so that the prior over
        functions does not depend on the widths.

    Returns
    -------
    Heads
        A tree like the network, with None where nothing is trained.
    """
    variances = jax.tree.map(
        lambda leaf: _filled(leaf.shape, variance / _fan_in(leaf.shape) if by_fan_in else variance),
        eqx.filter(network.phi, trainable(network.phi)),
    )
    k = network.W.shape[-1] - 1
    head = np.full(network.W.shape, variance / k if by_fan_in else variance, np.float32)
    head[..., -1] = variance
    return Heads(variances, jnp.asarray(head))


def sample_weights(variances: Any, network: Heads, rng: np.random.Generator) -> Heads:
    """Draw the trained weights of a network from the prior; what is not trained stays."""
    drawn = jax.tree.map(
        lambda v: jnp.asarray((rng.standard_normal(v.shape) * np.sqrt(v)).astype(np.float32)), variances
    )
    return eqx.combine(drawn, network)


def squared_distance(network: Heads, center: Any, variances: Any) -> Float[Array, ""]:
    """Σ (θ − center)² / variance over all trained weights."""
    trained = eqx.filter(network, trainable(network))
    parts = jax.tree.map(lambda a, b, v: jnp.sum((a - b) ** 2 / v), trained, center, variances)
    return sum(jax.tree.leaves(parts), start=jnp.zeros(()))


def _fan_in(shape: tuple[int, ...]) -> int:
    """Inputs that a layer's weight of this shape (out, in, …) sums over; 1 for a bias."""
    return int(np.prod(shape[1:])) if len(shape) > 1 else 1


def _filled(shape: tuple[int, ...], value: float) -> Array:
    return jnp.asarray(np.full(shape, value, np.float32))
