"""Processes that were forked after JAX had started, in which it would wait for ever for threads that are not there."""

import os
from typing import NamedTuple

__all__ = ["ForkedError", "refuse_fork"]


class _State(NamedTuple):
    """Whether this package has used JAX in this process, and whether the process is a fork of one where JAX ran."""

    used: bool = False
    forked: bool = False


_state = _State()


class ForkedError(RuntimeError):
    """The process was forked after JAX had started; start processes with `spawn`, or use joblib's loky."""


def refuse_fork() -> None:
    """Fail in a process that was forked after JAX had started, rather than hang; everything that uses JAX calls it.

    Raises
    ------
    ForkedError
        With the ways to start processes that work.
    """
    global _state
    if _state.forked:
        raise ForkedError(
            "this process was forked after JAX had started, and JAX would hang in it. Start processes with "
            "multiprocessing.get_context('spawn'), or use joblib's default backend, loky; both start Python afresh. "
            "Forking before the first fit or prediction works too."
        )
    if not _state.used:
        _state = _state._replace(used=True)


def _jax_has_started() -> bool:
    """Whether JAX runs threads, by this package or by other code."""
    try:
        from jax._src.xla_bridge import backends_are_initialized
    except ImportError:
        return _state.used
    return backends_are_initialized()


def _after_fork() -> None:
    global _state
    _state = _state._replace(forked=_state.forked or _jax_has_started())


if hasattr(os, "register_at_fork"):  # not on Windows, which cannot fork
    os.register_at_fork(after_in_child=_after_fork)
