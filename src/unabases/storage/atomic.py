"""Write files so that they are replaced completely or not at all."""

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

PREFIX = ".unabases-"  # of the temporary file


def write_whole(path: Path, data: bytes) -> None:
    """Write `data` to `path`; if anything goes wrong, the file keeps its old content.

    Parameters
    ----------
    path : Path
        The file to write or replace.
    data : bytes
        Its new content.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(Path(folder) / "note", b"hello")
    ...     print((Path(folder) / "note").read_bytes())
    b'hello'
    """
    with open_whole(path) as file:
        file.write(data)


@contextlib.contextmanager
def open_whole(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write piece by piece; it takes the name `path` only when it is complete.

    The bytes go to a temporary file in the same directory and reach the disk before that file is renamed; until then
    `path` keeps its old content. An error removes the temporary file. After a power cut or SIGKILL it may stay behind
    and can be deleted.

    Parameters
    ----------
    path : Path
        The file to write or replace; a link is followed. Directories, pipes, devices and read-only files are
        refused.

    Yields
    ------
    BinaryIO
        The temporary file.
    """
    path = Path(os.path.realpath(path))  # replace the file that a link points to, not the link
    if path.exists() and not path.is_file():
        raise OSError(f"cannot write {path}: it is no ordinary file, and would be lost; choose another name.")
    if path.exists() and not os.access(path, os.W_OK):  # renaming would replace it all the same
        raise PermissionError(f"cannot write {path}: it is read-only; allow writing, or choose another name.")
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
