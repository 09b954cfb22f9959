"""What a feature map is: a callable from one input to its features."""

import abc
from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray

FeatureMap = Callable[[Array], Array]
FeatureFactory = Callable[..., Any]  # (d, *, key) -> feature map


class AbstractFeatureMap(eqx.Module):
    """Turns one input of length d into k features; its arrays are the trained weights θ.

    Any Equinox module with this call works, whether it derives from this class or not; a convolutional network
    reshapes `x` first. Do not add a constant feature: the last layer has a bias of its own.

    A map may offer two more methods. `moved(X, shifts)` returns the features, shape (b, n, k), of n rows moved by each
    of b shifts, if that is cheaper than calling the map on all of them; LUNA uses it. `masked(x, masks)`, with an
    attribute `widths`, returns the features when each of sum(widths) hidden units is multiplied by its mask; dropout
    uses it. An attribute `n_features` says k where that must be known fast, as when a model is loaded.

    Examples
    --------
    >>> class Waves(AbstractFeatureMap):
    ...     frequencies: Array
    ...
    ...     def __call__(self, x):
    ...         return jnp.sin(self.frequencies @ x)
    >>> count_features(Waves(jnp.ones((5, 2))), d=2)
    5
    """

    @abc.abstractmethod
    def __call__(self, x: Float[Array, " d"]) -> Float[Array, " k"]:
        """Features of one input; use `jax.vmap` for many."""


class Frozen(eqx.Module):
    """Marks an array of a network as not trained, such as a random projection; the array is in `value`."""

    value: Array


def trainable(tree: Any) -> Any:
    """Tell for every array of a network whether training changes it: floating-point arrays outside `Frozen`.

    Returns
    -------
    pytree of bool
        Like the network, with one value for each array, and one for each `Frozen`.
    """
    is_frozen = lambda node: isinstance(node, Frozen)  # noqa: E731
    return jax.tree.map(lambda node: not is_frozen(node) and eqx.is_inexact_array(node), tree, is_leaf=is_frozen)


def count_features(phi: FeatureMap, d: int) -> int:
    """How many features a map makes of an input of length `d`, found without computing them.

    Examples
    --------
    >>> count_features(lambda x: jnp.concatenate([x, x**2]), d=3)
    6
    """
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


def uniform_draws(rng: np.random.Generator | None) -> Callable[[float, tuple[int, ...]], Array]:
    """A function (bound, shape) that draws float32 numbers uniformly from ±bound; without a generator, zeros.

    Examples
    --------
    >>> uniform_draws(None)(1.0, (2,)).tolist()
    [0.0, 0.0]
    """
    if rng is None:
        return lambda bound, shape: jnp.zeros(shape, dtype=jnp.float32)
    return lambda bound, shape: jnp.asarray(rng.uniform(-bound, bound, shape).astype(np.float32))


def numpy_generator(key: PRNGKeyArray) -> np.random.Generator:
    """A generator of NumPy with the seed of a JAX key: drawing from it compiles nothing."""
    return np.random.default_rng(np.asarray(jax.random.key_data(key)))


def repeated(array: Float[Array, "n k"], times: int) -> Float[Array, "times n k"]:
    """The same array several times, for sums with others; on the way back, copies are added by a matrix product.

    XLA's own sum over a leading axis takes fifty times as long on a CPU where arrays are large.

    Examples
    --------
    >>> repeated(jnp.ones((1, 2)), 3).shape
    (3, 1, 2)
    """
    return _repeated(array, times)


def _copies(array: Float[Array, "n k"], times: int) -> Float[Array, "times n k"]:
    return jnp.broadcast_to(array, (times, *array.shape))


def _add_copies(times: int, _: None, g: Float[Array, "times n k"]) -> tuple[Float[Array, "n k"]]:
    return ((jnp.ones((1, times), g.dtype) @ g.reshape(times, -1)).reshape(g.shape[1:]),)


_repeated: Any = jax.custom_vjp(_copies, nondiff_argnums=(1,))
_repeated.defvjp(lambda array, times: (_copies(array, times), None), _add_copies)
