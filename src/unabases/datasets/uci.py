"""Load the UCI regression tables from the data directory."""

import io
import os

import numpy as np

from unabases.datasets.base import Dataset
from unabases.datasets.files import read_files
from unabases.datasets.uci_tables import UCI, UciTable

__all__ = ["UCI", "UciTable", "load_uci"]


def load_uci(
    name: str,
    directory: str | os.PathLike[str] | None = None,
    *,
    download: bool = True,
    all_inputs: bool = False,
) -> Dataset:
    """Load a UCI table, unscaled and in the order of its file, `uci/<name>.csv` or `uci/<name>.csv.gz`.

    Parameters
    ----------
    name : str
        boston, concrete, yacht, energy, kin8nm, wine_red, power_plant, protein or naval.
    directory, download : path-like, bool
        The data directory (see `data_dir`), and whether to download the table if it is missing.
    all_inputs : bool
        Whether to use columns that the usual benchmark leaves out: `turbine_decay` of naval.

    Returns
    -------
    Dataset
        The table with its units, source, licence and citation.
    """
    if name not in UCI:
        raise ValueError(f"unknown UCI table {name!r}; choose one of {', '.join(UCI)}.")
    table = UCI[name]
    (content,) = read_files(name, directory, download)
    header, _, rows = content.decode().partition("\n")
    *inputs, target = header.split(",")
    values = np.loadtxt(io.StringIO(rows), delimiter=",", ndmin=2)  # exact to the last bit
    kept = [i for i, column in enumerate(inputs) if all_inputs or column not in table.leave_out]
    columns = tuple(inputs[i] for i in kept)
    return Dataset(
        name=name,
        X=values[:, kept],
        y=values[:, -1].copy(),
        columns=columns,
        target=target,
        units={column: table.units.get(column) for column in (*columns, target)},
        source=table.source,
        licence=table.licence,
        citation=table.citation,
    )
