"""Which device a model computes on: the one that JAX would take, also in other threads."""

import functools
import os
from collections.abc import Callable
from typing import Any

import jax

__all__ = ["is_on_cpu", "on_this_device", "refuse_no_device"]


def refuse_no_device() -> None:
    """Fail if JAX has no device to compute on, which it may say with an assertion only; all that uses JAX calls it.

    Raises
    ------
    RuntimeError
        With the device that was asked for, and what to do.
    """
    try:
        jax.devices()
    except (RuntimeError, AssertionError) as error:
        wanted = os.environ.get("JAX_PLATFORMS")
        reason = f" (JAX_PLATFORMS={wanted})" if wanted else ""
        raise RuntimeError(
            f"JAX found no device that it can use{reason}: {str(error) or 'its part is not installed'}. "
            "Unset JAX_PLATFORMS, or set it to cpu; for an accelerator install its part of JAX, such as `jax[cuda13]`."
        ) from error


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
