"""The program `unabases`. It hears Ctrl-C before it imports the commands, which takes a moment."""

import contextlib
import errno
import sys

from unabases.cli.interrupt import EXIT_CODE, end_at_interrupts, hear_interrupts

__all__ = ["run"]


def run() -> None:
    """Run the command that the arguments name."""
    hear_interrupts()
    try:
        from unabases.cli.main import app

        app(prog_name="unabases")
    except KeyboardInterrupt:  # before the command had begun; the command itself answers as well
        sys.exit(EXIT_CODE)
    except OSError as error:
        if error.errno == errno.EBADF:
            sys.exit("unabases: its output is closed, so it has nowhere to write to.")
        if error.errno == errno.ENOSPC:  # of what it says: files answer for themselves
            sys.exit("unabases: its output cannot be written, as there is no space left.")
        raise
    finally:
        with contextlib.suppress(OSError, ValueError, AttributeError):  # nobody reads it, or it was closed
            sys.stdout.flush()
        end_at_interrupts()
