"""Files of the data directory: found, checked, and downloaded when they are absent."""

import contextlib
import http.client
import os
import urllib.request
from pathlib import Path
from typing import Literal

from unabases.datasets.checksums import checked
from unabases.datasets.directory import DATA_DIR_VARIABLE, data_dir
from unabases.datasets.plain_text import table_file
from unabases.datasets.registry import HOMES, Entry, File, entry
from unabases.storage import write_whole

__all__ = ["OFFLINE_VARIABLE", "fetch", "read_files", "state"]

OFFLINE_VARIABLE = "UNABASES_OFFLINE"
_TIMEOUT = 30  # seconds without an answer


def state(name: str, directory: str | os.PathLike[str] | None = None) -> Literal["present", "missing", "damaged"]:
    """Whether the files of a data set are there and are what they should be."""
    try:
        read_files(name, directory, download=False)
    except FileNotFoundError:
        return "missing"
    except ValueError:
        return "damaged"
    return "present"


def read_files(name: str, directory: str | os.PathLike[str] | None = None, download: bool = True) -> list[bytes]:
    """The checked, unpacked bytes of a data set's files.

    Parameters
    ----------
    directory
        As in `data_dir`.
    download
        Whether absent files are downloaded. Never when the environment variable `UNABASES_OFFLINE` is set. A file
        that is there but wrong is refused, not replaced.
    """
    found = entry(name)
    return [_read(found, file, data_dir(directory), download) for file in found.files]


def fetch(name: str, directory: str | os.PathLike[str] | None = None, *, mirror: str | None = None) -> list[Path]:
    """Download a data set into the data directory; what is there and right stays, what is wrong is replaced.

    Nothing takes its name in the directory before its checksum was found right.

    Parameters
    ----------
    directory
        As in `data_dir`.
    mirror
        A URL below which the files lie as in a data directory, instead of their public homes.

    Returns
    -------
    list of Path
        Where the files are.
    """
    found = entry(name)
    root = data_dir(directory)
    for file in found.files:
        path = root / file.path
        with contextlib.suppress(FileNotFoundError, ValueError):
            checked(file, path.read_bytes(), str(path))
            continue
        _fetch(found, file, root, mirror)
    return [root / file.path for file in found.files]


def _read(found: Entry, file: File, root: Path, download: bool) -> bytes:
    path = root / file.path
    if not path.exists():
        if not download or os.environ.get(OFFLINE_VARIABLE):
            how = f" `unabases data fetch {found.name}` downloads it." if file.home else ""
            raise FileNotFoundError(f"{path} is not there.{how} {_advice(found, file, path)}")
        _fetch(found, file, root, mirror=None)
    try:
        return checked(file, path.read_bytes(), str(path))
    except ValueError as error:
        how = f" `unabases data fetch {found.name}` does it." if file.home else ""
        raise ValueError(f"{error}{how} Its origin: {found.origin}.") from None


def _fetch(found: Entry, file: File, root: Path, mirror: str | None) -> None:
    path = root / file.path
    if mirror is None and file.home is None:
        raise FileNotFoundError(f"cannot get {path}: nobody serves it in this form. {_advice(found, file, path)}")
    url = f"{mirror.rstrip('/')}/{file.path}" if mirror is not None else HOMES[file.home or ""] + file.remote
    try:
        content = _download(url)
    except (OSError, http.client.HTTPException) as error:
        raise FileNotFoundError(
            f"cannot get {path}: downloading {url} failed ({error}). {_advice(found, file, path)}"
        ) from error
    try:
        if mirror is None and file.columns:
            content = table_file(file, content)
        checked(file, content, f"what {url} serves")
    except ValueError as error:
        raise ValueError(f"{error} Nothing was written. {_advice(found, file, path)}") from error
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    except OSError as error:
        raise OSError(
            f"cannot write {path} ({error}); name a directory that can be written with {DATA_DIR_VARIABLE} or "
            "`directory`."
        ) from error


def _advice(found: Entry, file: File, path: Path) -> str:
    return (
        f"Put it at {path}, or name the directory that holds `{file.path}` with the environment variable "
        f"{DATA_DIR_VARIABLE} or the argument `directory`. Its sha256 is {file.sha256}, its origin: {found.origin}."
    )


def _download(url: str) -> bytes:
    from unabases import __version__  # late: the package imports this module before it has a version

    request = urllib.request.Request(url, headers={"User-Agent": f"unabases/{__version__}"})
    with urllib.request.urlopen(request, timeout=_TIMEOUT) as answer:
        return answer.read()
