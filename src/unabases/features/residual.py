"""Residual features that keep distant inputs apart, by a bound on the spectral norm of every layer."""

from collections.abc import Callable, Sequence
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray

from unabases.features.base import AbstractFeatureMap, Frozen, numpy_generator, uniform_draws
from unabases.features.mlp import activation_function, check_widths

_DOUBLINGS = 6  # Schatten norm of order 2^(1 + 6): at most width^(1/128) times the spectral norm, 3 % at width 50
_LEAST_TRACE = 1e-12  # traces lie between 1/width and width²; only that of a zero matrix is less


class SpectralResidual(AbstractFeatureMap):
    r"""A residual network that keeps distant inputs apart, as distance-aware uncertainty needs.

    After a fixed projection come layers :math:`h + a(\bar W h + b)` with :math:`\|\bar W\|_2 \le c`:

    .. math:: \bar W = W \min(1, c / \beta(W)), \quad
        \beta(W) = \big(\mathrm{tr}\,(W^\top W)^q\big)^{1/2q} \ge \|W\|_2, \quad q = 64

    With c < 1 and an activation whose slope stays within ±1 (relu, tanh, sine), each layer stretches distances by a
    factor between 1 − c and 1 + c, so that inputs far from the data stay far in the features. The bound holds at
    every step and not only once a power iteration has converged, because β is computed anew from W.

    The projection has orthonormal columns if d ≤ width, which keeps distances, and orthonormal rows if d > width. It
    is not trained. Weights and biases start uniform on ±1/√width.

    Parameters
    ----------
    d : int
        Length of an input.
    widths : int or sequence of int
        Units of each residual layer: all equal, since a layer is added to its input.
    activation : str or callable
        A name in `ACTIVATIONS` or any elementwise JAX function.
    norm_bound : float
        The bound c on each layer's spectral norm. Larger values let the network fit more, and distort distances more.
    key : JAX key or None
        The seed of the projection and of the initial weights. With None all are zeros, for a map that only has to have
        the right shapes.

    References
    ----------
    Liu, Lin, Padhy, Tran, Bedrax-Weiss, Lakshminarayanan (2020). Simple and principled uncertainty estimation with
    deterministic deep learning via distance awareness. They bound the norm by one power iteration a step.

    Examples
    --------
    >>> phi = SpectralResidual(3, widths=(50, 50), key=jax.random.key(0))
    >>> phi(jnp.zeros(3)).shape
    (50,)
    """

    projection: Frozen  # (width, d)
    weights: tuple[Float[Array, "_ _"], ...]
    biases: tuple[Float[Array, " _"], ...]
    norm_bound: Frozen
    activation: str | Callable[[Array], Array] = eqx.field(static=True)

    def __init__(
        self,
        d: int,
        widths: int | Sequence[int] = (50, 50),
        activation: str | Callable[[Array], Array] = "relu",
        norm_bound: float = 0.95,
        *,
        key: PRNGKeyArray | None,
    ):
        sizes = check_equal_widths(widths)
        width = sizes[0]
        if not norm_bound > 0:
            raise ValueError(f"`norm_bound` must be a positive number; got {norm_bound!r}.")
        rng = None if key is None else numpy_generator(key)
        self.projection = Frozen(jnp.zeros((width, d)) if rng is None else _projection(d, width, rng))
        draw, bound = uniform_draws(rng), 1 / np.sqrt(width)
        self.weights = tuple(draw(bound, (width, width)) for _ in sizes)
        self.biases = tuple(draw(bound, (width,)) for _ in sizes)
        self.norm_bound = Frozen(_float32(norm_bound))
        activation_function(activation)  # refuses an unknown name
        self.activation = activation  # kept by name, which can be compared and pickled

    @property
    def n_features(self) -> int:
        """Units of the last residual layer."""
        return self.biases[-1].shape[-1]

    @property
    def bounded_weights(self) -> tuple[Float[Array, "_ _"], ...]:
        """The matrices in use: no singular value of theirs exceeds `norm_bound`."""
        return tuple(with_bounded_norm(jnp.asarray(W), self.norm_bound.value) for W in self.weights)

    def __call__(self, x: Float[Array, " d"]) -> Float[Array, " width"]:
        """Output of the last residual layer."""
        activation = activation_function(self.activation)
        h = self.projection.value @ x
        for W, b in zip(self.bounded_weights, self.biases, strict=True):
            h = h + activation(W @ h + b)
        return h


def with_bounded_norm(W: Float[Array, "m n"], c: Any) -> Float[Array, "m n"]:
    """W itself if β(W) ≤ c, else W scaled down until β(W) = c."""
    return W * (c / jnp.maximum(c, norm_above(W)))


def norm_above(W: Float[Array, "m n"]) -> Float[Array, ""]:
    """β(W): the Schatten norm of order 128, never below the spectral norm and differentiable everywhere.

    With H₀ = WᵀW / s₀ and H_j = H_{j-1}² / s_j, each s_j the trace of what it divides, log β = ½ Σ_j log(s_j) / 2^j:
    traces of 1 keep the powers from over- and underflow.
    """
    largest = jnp.maximum(jnp.max(jnp.abs(W)), jnp.finfo(W.dtype).tiny)
    unit = jax.lax.stop_gradient(largest)  # β(W) = unit β(W / unit), whatever the unit
    V = W / unit
    s = jnp.maximum(jnp.sum(V**2), _LEAST_TRACE)
    H = jnp.matmul(V.T, V, precision="highest") / s
    log_norm = jnp.log(s) / 2
    for j in range(1, _DOUBLINGS + 1):
        s = jnp.maximum(jnp.sum(H**2), _LEAST_TRACE)  # the trace of H², which need not be formed the last time
        log_norm += jnp.log(s) / 2 ** (j + 1)
        if j < _DOUBLINGS:
            H = jnp.matmul(H, H, precision="highest") / s
    return unit * jnp.exp(log_norm)


def check_equal_widths(widths: Any) -> list[int]:
    """Widths of residual layers, or an error that says why they must be equal."""
    sizes = check_widths(widths)
    if len(set(sizes)) > 1:
        raise ValueError(
            "the hidden widths of a residual network must be equal, such as (50, 50), since each layer is added to "
            f"its input; got {widths!r}."
        )
    return sizes


def _projection(d: int, width: int, rng: np.random.Generator) -> Array:
    """A random matrix (width, d) with orthonormal columns or, if it is wider than high, rows."""
    Q = np.linalg.qr(rng.standard_normal((max(d, width), min(d, width))))[0]
    return _float32(Q if d <= width else Q.T)


def _float32(values: Any) -> Array:
    return jnp.asarray(np.asarray(values, dtype=np.float32))
