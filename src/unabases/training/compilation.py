"""A persistent compilation cache, so that the second process does not compile what the first one did."""

import functools
import os
import warnings
from pathlib import Path

import jax
import platformdirs

VARIABLE = "UNABASES_COMPILATION_CACHE"


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
