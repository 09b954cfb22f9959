"""Ctrl-C ends every command: the first asks it to stop, the second ends it at once."""

import _thread
import os
import signal
import sys
import threading
from types import FrameType
from typing import Any

__all__ = ["EXIT_CODE", "end_at_interrupts", "hear_interrupts"]

EXIT_CODE = 130  # what shells expect of a program that Ctrl-C ended
_MOMENT = 0.02  # seconds


def hear_interrupts() -> None:
    """Raise `KeyboardInterrupt` at the first Ctrl-C, and end the process at the second.

    Python runs some functions whose errors it ignores, such as JAX's at every garbage collection. An interrupt that is
    raised in one of them is raised once more, after it.

    Files are written beside their place and then renamed, so that ending at once leaves the old ones whole. A parent
    that has Ctrl-C ignored, as `nohup` does, is obeyed.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _stop)
        sys.unraisablehook = _raise_again


def end_at_interrupts() -> None:
    """End the process at the next Ctrl-C, since its work is done and it only has to clear up."""
    if signal.getsignal(signal.SIGINT) is _stop:
        signal.signal(signal.SIGINT, _end)


def _stop(number: int, frame: FrameType | None) -> None:
    while frame is not None:
        if frame.f_code is _raise_again.__code__:  # it would be ignored there, too
            _soon()
            return
        frame = frame.f_back
    signal.signal(signal.SIGINT, _end)
    raise KeyboardInterrupt


def _end(number: int, frame: FrameType | None) -> None:
    os._exit(EXIT_CODE)


def _raise_again(ignored: Any) -> None:
    """Raise an interrupt that is about to be ignored once more; leave other errors to Python."""
    if ignored.exc_type is KeyboardInterrupt:
        signal.signal(signal.SIGINT, _stop)
        _soon()
    else:
        sys.__unraisablehook__(ignored)


def _soon() -> None:
    """Interrupt again in a moment, when the function that must not be interrupted has ended."""
    timer = threading.Timer(_MOMENT, _thread.interrupt_main)
    timer.daemon = True
    timer.start()
