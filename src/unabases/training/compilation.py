"""Compiled programs: where they run, kept for the next process, and dropped before a process has too many of them."""

import contextlib
import ctypes
import functools
import gc
import itertools
import os
import warnings
from pathlib import Path
from typing import NamedTuple

import jax
import jax.numpy as jnp
import platformdirs

from unabases.training.devices import refuse_no_device

VARIABLE = "UNABASES_COMPILATION_CACHE"
_MAPS, _MOST = Path("/proc/self/maps"), Path("/proc/sys/vm/max_map_count")
_EVERY = 8  # calls between two looks, as a look takes milliseconds
_calls = itertools.count()


class Devices(NamedTuple):
    """What JAX computes on."""

    names: list[str]
    backend: str
    works: bool
    """Whether a small sum is right on the first device."""


def find_devices() -> Devices:
    """Find the devices that JAX computes on, and try the first one.

    Returns
    -------
    Devices
        Their names, the backend, and whether it computes what it should.

    Examples
    --------
    >>> find_devices().works
    True
    """
    refuse_no_device()
    works = float(jnp.arange(4.0).sum()) == 6.0
    return Devices([str(device) for device in jax.devices()], jax.default_backend(), works)


@functools.cache
def use_compilation_cache() -> Path | None:
    """Keep compiled programs on disk, so that the next process need not compile them again.

    It acts once per process. The environment variable `UNABASES_COMPILATION_CACHE` may name another directory, or be
    `off`. A directory that JAX was already given (`jax_compilation_cache_dir`) is left alone.

    Returns
    -------
    pathlib.Path or None
        The directory in use; None if the cache is off or cannot be made, of which a warning tells.
    """
    choice = os.environ.get(VARIABLE, "").strip()
    if choice.lower() in {"off", "0", "false", "no"}:
        return None
    if jax.config.jax_compilation_cache_dir is not None:  # pyright: ignore[reportAttributeAccessIssue]
        return Path(jax.config.jax_compilation_cache_dir)  # pyright: ignore[reportAttributeAccessIssue]
    usual = Path(platformdirs.user_cache_dir("unabases")) / "compiled"
    directory = Path(os.path.expanduser(choice)) if choice else usual
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        warnings.warn(
            f"no compilation cache: the directory {directory} cannot be made ({error}). Set {VARIABLE} to a "
            "writable directory, or to off.",
            stacklevel=2,
        )
        return None
    jax.config.update("jax_compilation_cache_dir", str(directory))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.2)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", 0)
    return directory


def release_programs(share: float = 0.5, *, now: bool = False) -> bool:
    """Drop compiled programs before a process runs out of memory maps, of which Linux grants 65,530 by default.

    A program takes some tens of maps, and a fit with a new shape some hundreds. A process that asks for more than it is
    granted is killed, so one that fits a hundred shapes would be. A dropped program that is needed again comes from the
    compilation cache. The memory of dropped programs goes back to the system.

    Parameters
    ----------
    share : float
        Drop once this share of the maps is taken.
    now : bool
        Look at once; otherwise only every eighth call looks, as a look takes milliseconds.

    Returns
    -------
    bool
        Whether programs were dropped.
    """
    if not now and next(_calls) % _EVERY:
        return False
    try:
        most = int(_MOST.read_text())
        taken = _MAPS.read_bytes().count(b"\n")
    except (OSError, ValueError):
        return False  # not Linux
    if taken < share * most:
        return False
    jax.clear_caches()
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):  # a C library without it
        ctypes.CDLL(None).malloc_trim(0)  # glibc keeps what was freed: without this, memory only grows
    return True
