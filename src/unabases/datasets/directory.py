"""The directory in which data sets are kept."""

import os
from pathlib import Path

import platformdirs

__all__ = ["DATA_DIR_VARIABLE", "data_dir", "whole_path"]

DATA_DIR_VARIABLE = "UNABASES_DATA_DIR"


def data_dir(path: str | os.PathLike[str] | None = None) -> Path:
    """Return the data directory: `path`, else the variable `UNABASES_DATA_DIR`, else the platform's cache.

    The directory is not created. An empty variable counts as unset.

    Parameters
    ----------
    path : path-like, optional
        The directory to use; `~` stands for the home directory.

    Returns
    -------
    Path
        The directory.

    Examples
    --------
    >>> data_dir("data").name
    'data'
    """
    if path is None:
        path = os.environ.get(DATA_DIR_VARIABLE) or Path(platformdirs.user_cache_dir("unabases")) / "data"
    return whole_path(path)


def whole_path(path: str | os.PathLike[str]) -> Path:
    """A path with the home directory in place of `~`.

    Parameters
    ----------
    path : path-like
        The path; `~name` stands for the home directory of somebody else.

    Examples
    --------
    >>> whole_path("~/data") == Path.home() / "data"
    True
    """
    try:
        return Path(path).expanduser()
    except RuntimeError:  # nobody has this name
        raise ValueError(f"the home directory in {str(path)!r} cannot be found; write the whole path.") from None
