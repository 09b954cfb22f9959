"""The directory in which data sets are kept."""

import os
from pathlib import Path

import platformdirs

__all__ = ["DATA_DIR_VARIABLE", "data_dir"]

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
    return Path(path).expanduser()
