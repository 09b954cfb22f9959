"""Which device a model computes on: the one that JAX would take, also in other threads."""

import functools
from collections.abc import Callable
from typing import Any

import jax

__all__ = ["is_on_cpu", "on_this_device"]


def is_on_cpu() -> bool:
    """Whether what is computed now is computed on a CPU: by `jax.default_device`, or as JAX found its devices.

    Examples
    --------
    >>> with jax.default_device(jax.devices("cpu")[0]):
    ...     is_on_cpu()
    True
    """
    device: Any = jax.config.jax_default_device  # pyright: ignore[reportAttributeAccessIssue]
    if device is None:
        return jax.default_backend() == "cpu"
    return (device if isinstance(device, str) else device.platform) == "cpu"


def on_this_device(function: Callable) -> Callable:
    """The same function, which other threads compute on the device that this one has chosen.

    `jax.default_device` holds in the thread that says so, and nowhere else.
    """
    device: Any = jax.config.jax_default_device  # pyright: ignore[reportAttributeAccessIssue]

    @functools.wraps(function)
    def there(*args: Any) -> Any:
        with jax.default_device(device):
            return function(*args)

    return there
