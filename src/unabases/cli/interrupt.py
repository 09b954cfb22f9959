"""Ctrl-C ends every command: the first asks it to stop, the second ends it at once."""

import os
import signal
from typing import Any

__all__ = ["hear_interrupts"]

_EXIT_CODE = 130  # what shells expect of a program that Ctrl-C ended


def hear_interrupts() -> None:
    """Raise `KeyboardInterrupt` at the first Ctrl-C, and end the process at the second.

    The first can be lost: while JAX compiles, or in a callback whose errors Python ignores. Files are written beside
    their place and then renamed, so that ending at once leaves the old ones whole. A parent that has Ctrl-C ignored, as
    `nohup` does, is obeyed.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _stop)


def _stop(number: int, frame: Any) -> None:
    signal.signal(signal.SIGINT, _end)
    raise KeyboardInterrupt


def _end(number: int, frame: Any) -> None:
    os._exit(_EXIT_CODE)
