"""Random Fourier features: a linear model on them approximates a Gaussian process."""

from typing import Any

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray

from unabases.features.base import AbstractFeatureMap, Frozen, count_features, numpy_generator
from unabases.features.cosine import fast_cosine


class RandomFourier(AbstractFeatureMap):
    r"""Cosines in random directions of another map's features h: a Gaussian process as a linear model.

    .. math:: \phi(x) = \sqrt{2/k}\, \cos(\Omega\, h(x) / \ell + u), \quad
        \Omega_{ij} \sim N(0, 1), \quad u_i \sim U(0, 2\pi)

    A linear model on them with weights N(0, αI) approaches, as k grows, the Gaussian process on h with the covariance
    :math:`\alpha \exp(-\|h - h'\|^2 / 2 \ell^2)`; the error of the covariance falls as 1/√k. Ω and u are not trained.

    Parameters
    ----------
    below : callable
        The map h, from one input to features; its arrays are trained.
    d : int
        Length of an input.
    n_fourier : int
        How many features to make, k.
    length_scale : float
        ℓ: how far apart values of h must be to be nearly independent.
    key : JAX key or None
        The seed of Ω and u. With None they are zeros, for a map that only has to have the right shapes.

    References
    ----------
    Rahimi, Recht (2007). Random features for large-scale kernel machines.

    Examples
    --------
    >>> import jax
    >>> phi = RandomFourier(lambda x: x, d=2, n_fourier=2000, key=jax.random.key(0))
    >>> a, b = jnp.array([0.0, 0.0]), jnp.array([1.0, 0.0])
    >>> abs(float(phi(a) @ phi(b)) - float(np.exp(-0.5))) < 0.05
    True
    """

    below: Any
    frequencies: Frozen  # Ω / ℓ, shape (k, features of `below`)
    phases: Frozen

    def __init__(
        self, below: Any, d: int, n_fourier: int = 500, length_scale: float = 1.0, *, key: PRNGKeyArray | None
    ):
        self.below = below
        if key is None:
            self.frequencies = Frozen(jnp.zeros((n_fourier, count_features(below, d))))
            self.phases = Frozen(jnp.zeros(n_fourier))
            return
        rng = numpy_generator(key)
        Omega = rng.standard_normal((n_fourier, count_features(below, d)))
        self.frequencies = Frozen(jnp.asarray((Omega / length_scale).astype(np.float32)))
        self.phases = Frozen(jnp.asarray(rng.uniform(0, 2 * np.pi, n_fourier).astype(np.float32)))

    @property
    def n_features(self) -> int:
        """How many cosines there are."""
        return self.phases.value.shape[-1]

    def __call__(self, x: Float[Array, " d"]) -> Float[Array, " k"]:
        """Features of one input."""
        k = len(self.phases.value)
        return jnp.sqrt(2.0 / k) * fast_cosine(self.frequencies.value @ self.below(x) + self.phases.value)
