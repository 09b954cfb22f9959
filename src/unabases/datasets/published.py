"""Published splits: the gaps of Foong et al. (2019) and the random splits of Hernández-Lobato and Adams (2015)."""

import io
import os
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from unabases.datasets.files import read_files
from unabases.datasets.uci import load_uci

__all__ = ["PublishedSplit", "load_published_gap", "load_standard_split"]


class PublishedSplit(NamedTuple):
    """Training and test rows of a table; for a gap, the test rows are those inside."""

    X_train: Float[np.ndarray, "train d"]
    y_train: Float[np.ndarray, " train"]
    X_test: Float[np.ndarray, "test d"]
    y_test: Float[np.ndarray, " test"]
    train: Int[np.ndarray, " train"]
    test: Int[np.ndarray, " test"]
    columns: tuple[str, ...]


def load_published_gap(
    name: str, column: int | str, directory: str | os.PathLike[str] | None = None, *, download: bool = True
) -> PublishedSplit:
    """Load the published gap of a UCI table in one of its inputs.

    Rows with equal values at a border may lie on either side of it, see `make_gap`.

    Parameters
    ----------
    name : str
        Name of the table, as in `load_uci`.
    column : int or str
        The input, by position or name.
    directory, download : path-like, bool
        The data directory (see `data_dir`), and whether to download the table if it is missing.

    References
    ----------
    A. Foong, Y. Li, J. M. Hernández-Lobato, R. Turner (2019). 'In-between' uncertainty in Bayesian neural networks.
    """
    data = load_uci(name, directory, download=download)
    if isinstance(column, str):
        if column not in data.columns:
            raise ValueError(f"{name} has no input {column!r}; its inputs are {', '.join(data.columns)}.")
        column = data.columns.index(column)
    if not 0 <= column < data.d:
        raise ValueError(f"`column` must be a name or 0 to {data.d - 1}, got {column}.")
    held_out = _masks("gap_splits", name, directory, download)
    return _split(data.X, data.y, data.columns, held_out[column])


def load_standard_split(
    name: str, split: int, directory: str | os.PathLike[str] | None = None, *, download: bool = True
) -> PublishedSplit:
    """Load one of the usual random 90/10 splits of a UCI table.

    Parameters
    ----------
    name : str
        Name of the table, as in `load_uci`.
    split : int
        Number of the split: 0 to 19, for protein 0 to 4.
    directory, download : path-like, bool
        The data directory (see `data_dir`), and whether to download the table if it is missing.

    References
    ----------
    J. M. Hernández-Lobato, R. Adams (2015). Probabilistic backpropagation for scalable learning of Bayesian neural
    networks.
    """
    data = load_uci(name, directory, download=download)
    held_out = _masks("standard_splits", name, directory, download)
    if not 0 <= split < len(held_out):
        raise ValueError(f"`split` must be 0 to {len(held_out) - 1} for {name}, got {split}.")
    return _split(data.X, data.y, data.columns, held_out[split])


def _masks(
    splits: str, name: str, directory: str | os.PathLike[str] | None, download: bool
) -> Bool[np.ndarray, "splits rows"]:
    (content,) = read_files(splits, directory, download)
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        return file[name]


def _split(
    X: np.ndarray, y: np.ndarray, columns: tuple[str, ...], held_out: Bool[np.ndarray, " rows"]
) -> PublishedSplit:
    train, test = np.flatnonzero(~held_out), np.flatnonzero(held_out)
    return PublishedSplit(X[train], y[train], X[test], y[test], train, test, columns)
