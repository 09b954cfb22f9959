"""Ctrl-C ends every command: the first asks it to stop, the second ends it at once. SIGTERM does the same."""

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
_UNTOUCHED = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}


def hear_interrupts() -> None:
    """Raise `KeyboardInterrupt` at the first Ctrl-C, and end the process at the second.

    SIGTERM, which `kill`, `docker stop` and the schedulers of clusters send, counts as Ctrl-C, so that what was being
    written is removed, and workers are stopped.

    Python runs some functions whose errors it ignores, such as JAX's at every garbage collection. An interrupt that is
    raised in one of them is raised once more, after it.

    Files are written beside their place and then renamed, so that ending at once leaves the old ones whole. A parent
    that has Ctrl-C ignored, as `nohup` does, is obeyed.
    """
    for number, untouched in _UNTOUCHED.items():
        if signal.getsignal(number) is untouched:
            signal.signal(number, _stop)
            sys.unraisablehook = _raise_again


def end_at_interrupts() -> None:
    """End the process at the next Ctrl-C, since its work is done and it only has to clear up."""
    _hear(_stop, _end)


def _hear(before: Any, after: Any) -> None:
    """Change what answers an interrupt, where we answer it."""
    for number in _UNTOUCHED:
        if signal.getsignal(number) is before:
            signal.signal(number, after)


def _stop(number: int, frame: FrameType | None) -> None:
    while frame is not None:
        if frame.f_code is _raise_again.__code__:  # it would be ignored there, too
            _soon(number)
            return
        frame = frame.f_back
    _hear(_stop, _end)
    raise KeyboardInterrupt(number)


def _end(number: int, frame: FrameType | None) -> None:
    os._exit(EXIT_CODE)


def _raise_again(ignored: Any) -> None:
    """Raise an interrupt that is about to be ignored once more; leave other errors to Python."""
    if ignored.exc_type is KeyboardInterrupt:
        _hear(_end, _stop)
        _soon(*ignored.exc_value.args)
    else:
        sys.__unraisablehook__(ignored)


def _soon(number: int = signal.SIGINT) -> None:
    """Interrupt again in a moment, when the function that must not be interrupted has ended."""
    timer = threading.Timer(_MOMENT, _thread.interrupt_main, [number])
    timer.daemon = True
    timer.start()
