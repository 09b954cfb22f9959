"""A file is replaced whole or not at all."""

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

PREFIX = ".unabases-"  # of a file that is being written


def write_whole(path: Path, data: bytes) -> None:
    """Write `data` to `path`, which until the last moment keeps what it held: see `open_whole`."""
    with open_whole(path) as file:
        file.write(data)


@contextlib.contextmanager
def open_whole(path: Path) -> Iterator[BinaryIO]:
    """A file to write to piece by piece, which takes the name `path` when all of it was written.

    The bytes go to a new file in the same directory and reach the disk before it takes the name; until then `path`
    keeps what it held. An error removes that file; after a power cut or SIGKILL it may stay behind, and can be deleted.
    """
    path = Path(os.path.realpath(path))  # through links: the file they point to is replaced, not the link
    temporary = path.with_name(f"{PREFIX}{secrets.token_hex(8)}.tmp")
    try:
        with open(temporary, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            os.chmod(temporary, path.stat().st_mode & 0o7777)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()
        raise
    _sync_directory(path.parent)


def _sync_directory(directory: Path) -> None:
    """Make the new name itself durable, on systems where directories can be synced."""
    with contextlib.suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
