"""Find the files of the data directory, check them, and download those that are missing."""

import contextlib
import gzip
import hashlib
import http.client
import os
import urllib.request
import zlib
from pathlib import Path
from typing import Literal

from unabases.datasets.directory import DATA_DIR_VARIABLE, data_dir
from unabases.datasets.plain_text import table_file
from unabases.datasets.registry import HOMES, Entry, File, entry
from unabases.storage import write_whole

__all__ = ["OFFLINE_VARIABLE", "fetch", "read_files", "state"]

OFFLINE_VARIABLE = "UNABASES_OFFLINE"
_TIMEOUT = 30  # seconds without an answer


def state(name: str, directory: str | os.PathLike[str] | None = None) -> Literal["present", "missing", "damaged"]:
    """Tell whether the files of a data set are present and correct."""
    try:
        read_files(name, directory, download=False)
    except FileNotFoundError:
        return "missing"
    except (ValueError, IsADirectoryError, PermissionError):
        return "damaged"
    return "present"


def read_files(name: str, directory: str | os.PathLike[str] | None = None, download: bool = True) -> list[bytes]:
    """Read the files of a data set, checked and unpacked.

    Parameters
    ----------
    name : str
        Name of the data set.
    directory : path-like, optional
        The data directory; see `data_dir` for the default.
    download : bool
        Whether to download missing files; never done if the environment variable `UNABASES_OFFLINE` is set. A file
        that is there but wrong is refused, not replaced.

    Returns
    -------
    list of bytes
        The contents of the files.
    """
    found = entry(name)
    return [_read(found, file, data_dir(directory), download) for file in found.files]


def fetch(name: str, directory: str | os.PathLike[str] | None = None, *, mirror: str | None = None) -> list[Path]:
    """Download a data set into the data directory.

    Correct files stay as they are, and wrong ones are replaced. A file appears only after its checksum was verified.

    Parameters
    ----------
    name : str
        Name of the data set, as `unabases data list` shows it.
    directory : path-like, optional
        The data directory; see `data_dir` for the default.
    mirror : str, optional
        URL of a copy of a data directory, to download from instead of the public sources.

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
            _checked(file, path.read_bytes(), str(path))
            continue
        _fetch(found, file, root, mirror)
    return [root / file.path for file in found.files]


def _read(found: Entry, file: File, root: Path, download: bool) -> bytes:
    path = root / file.path
    if not path.exists():
        if not download or os.environ.get(OFFLINE_VARIABLE):
            how = f" `unabases data fetch {found.name}` downloads it." if file.home else ""
            raise FileNotFoundError(f"{path} is missing.{how} {_advice(found, file, path)}")
        _fetch(found, file, root, mirror=None)
    try:
        return _checked(file, path.read_bytes(), str(path))
    except ValueError as error:
        how = f" `unabases data fetch {found.name}` does it." if file.home else ""
        raise ValueError(f"{error}{how} Its origin: {found.origin}.") from None


def _fetch(found: Entry, file: File, root: Path, mirror: str | None) -> None:
    path = root / file.path
    if mirror is None and file.home is None:
        raise FileNotFoundError(f"cannot download {path}: nobody serves it in this form. {_advice(found, file, path)}")
    url = f"{mirror.rstrip('/')}/{file.path}" if mirror is not None else HOMES[file.home or ""] + file.remote
    try:
        content = _download(url)
    except (OSError, http.client.HTTPException) as error:
        raise FileNotFoundError(
            f"cannot download {path}: {url} failed ({error}). {_advice(found, file, path)}"
        ) from error
    try:
        if mirror is None and file.columns:
            content = table_file(file, content)
        _checked(file, content, f"the content of {url}")
    except ValueError as error:
        raise ValueError(f"{error} Nothing was written. {_advice(found, file, path)}") from error
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    except OSError as error:
        raise OSError(
            f"cannot write {path} ({error}); choose a writable directory with {DATA_DIR_VARIABLE} or `directory`."
        ) from error


def _checked(file: File, content: bytes, where: str) -> bytes:
    """Return the bytes of a file, unpacked if it is a gzip file, or raise an error that says what `where` holds."""
    found, expected, unpacked, damage = hashlib.sha256(content).hexdigest(), file.sha256, content, ""
    if file.path.endswith(".gz"):
        try:
            unpacked = gzip.decompress(content)
        except (OSError, EOFError, zlib.error) as error:
            damage = f" It cannot be unpacked ({error})."
        else:
            if found != expected:  # another program may have packed the same bytes
                found, expected = hashlib.sha256(unpacked).hexdigest(), file.unpacked_sha256
                damage = " (Both are checksums of the unpacked bytes.)"
    if found == expected:
        return unpacked
    if file.columns:
        header, *rows = unpacked.decode(errors="replace").splitlines() or [""]
        columns = header.split(",")
        if columns != list(file.columns):
            damage += f" Its columns are {', '.join(columns)[:300]}; expected {', '.join(file.columns)}."
        elif len(rows) != file.rows:
            damage += f" It has {len(rows)} rows; expected {file.rows}."
    raise ValueError(
        f"{where} ({len(content)} bytes) is not the expected file: its sha256 is {found}, not {expected}.{damage} "
        "It was edited, cut short, or saved with other line endings or columns; replace it."
    )


def _advice(found: Entry, file: File, path: Path) -> str:
    return (
        f"Put it at {path}, or set the environment variable {DATA_DIR_VARIABLE} or the argument `directory` to a "
        f"directory that holds `{file.path}`. Its sha256 is {file.sha256}, its origin: {found.origin}."
    )


def _download(url: str) -> bytes:
    from unabases import __version__  # late: the package imports this module before it has a version

    request = urllib.request.Request(url, headers={"User-Agent": f"unabases/{__version__}"})
    with urllib.request.urlopen(request, timeout=_TIMEOUT) as answer:
        return answer.read()
