"""Compiled programs: kept for the next process, and dropped before a process has too many of them."""

import functools
import gc
import itertools
import os
import warnings
from pathlib import Path

import jax
import platformdirs

VARIABLE = "UNABASES_COMPILATION_CACHE"
_MAPS, _MOST = Path("/proc/self/maps"), Path("/proc/sys/vm/max_map_count")
_EVERY = 8  # calls between two looks, as a look takes milliseconds
_calls = itertools.count()


@functools.cache
def use_compilation_cache() -> Path | None:
    """Point JAX at a cache directory, once, unless the user chose one or switched it off.

    The environment variable `UNABASES_COMPILATION_CACHE` may hold a directory, or `off`. A directory that JAX
    was already given (`jax_compilation_cache_dir`) is left alone.
    """
    choice = os.environ.get(VARIABLE, "")
    if choice.lower() in {"off", "0", "false", "no"}:
        return None
    if jax.config.jax_compilation_cache_dir is not None:  # pyright: ignore[reportAttributeAccessIssue]
        return Path(jax.config.jax_compilation_cache_dir)  # pyright: ignore[reportAttributeAccessIssue]
    directory = Path(choice) if choice else Path(platformdirs.user_cache_dir("unabases")) / "compiled"
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        warnings.warn(
            f"no compilation cache: {directory} cannot be made ({error}). Set {VARIABLE} to a writable "
            "directory, or to off.",
            stacklevel=2,
        )
        return None
    jax.config.update("jax_compilation_cache_dir", str(directory))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.2)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", 0)
    return directory


def release_programs(share: float = 0.5, *, now: bool = False) -> bool:
    """Drop compiled programs when they have taken a share of the memory maps that Linux grants a process.

    A program takes some tens of maps and a fit with a new shape some hundreds, of the usual 65,530. A process that asks
    for more is ended on the spot, so one that fits a hundred shapes would be. What is dropped and needed again comes
    from the compilation cache. Looks at every eighth call only, unless `now`; says whether it dropped any.
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
    return True
