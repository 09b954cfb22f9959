"""A data set as a record: its numbers and the facts that belong to them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from unabases.datasets.schema import Schema

__all__ = ["Dataset"]


@dataclass(frozen=True, eq=False)
class Dataset:
    """A regression table with its names, units, source and licence.

    Parameters
    ----------
    name : str
        Short name.
    X, y : array
        Inputs of shape (n, d) and targets of shape (n,), unscaled.
    columns, target : tuple of str, str
        Names of the inputs, in the order of X, and of y.
    units : mapping
        Units by column name, the target included. None, or no entry, means that the source states no unit that can be
        trusted; "dimensionless" means that it says there is none.
    source, licence, citation : str
        Where the data comes from, the terms of use, and what to cite.
    schema : Schema, optional
        The columns of the table that X was made from, if it was made from a user's table.

    Examples
    --------
    >>> Dataset("toy", np.zeros((3, 1)), np.ones(3), ("x",), "y", {}, "here", "none", "")
    Dataset(toy: 3 rows, 1 inputs, target y)
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    columns: tuple[str, ...]
    target: str
    units: Mapping[str, str | None]
    source: str
    licence: str
    citation: str
    schema: Schema | None = None

    def __post_init__(self) -> None:
        if self.X.ndim != 2 or self.y.shape != self.X.shape[:1]:
            raise ValueError(f"`X` and `y` must have shapes (n, d) and (n,), got {self.X.shape} and {self.y.shape}.")
        names = (*self.columns, self.target)
        if len(self.columns) != self.d:
            raise ValueError(f"`X` has {self.d} columns but {len(self.columns)} are named: {self.columns}.")
        if len(set(names)) < len(names):
            raise ValueError(f"column names must be distinct, got {names}.")
        if unknown := set(self.units) - set(names):
            raise ValueError(f"units are given for unknown columns {sorted(unknown)}; known are {names}.")

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.X.shape[0]

    @property
    def d(self) -> int:
        """Number of inputs."""
        return self.X.shape[1]

    @property
    def target_unit(self) -> str | None:
        """Unit of y; None if it is not known."""
        return self.units.get(self.target)

    def frame(self) -> pd.DataFrame:
        """Return the inputs and, last, the target as one table."""
        frame = pd.DataFrame(self.X, columns=list(self.columns), copy=True)
        frame[self.target] = self.y
        return frame

    def __repr__(self) -> str:
        return f"Dataset({self.name}: {self.n} rows, {self.d} inputs, target {self.target})"
