"""The column of a table that says how often each of its rows counts."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from unabases.datasets.column_values import as_numbers
from unabases.datasets.encoder import refuse_unknown
from unabases.regressors.shared.weights import check_weights

__all__ = ["WeightedTable", "take_weights"]


class WeightedTable(NamedTuple):
    """A table without its column of weights and without rows that do not count."""

    frame: pd.DataFrame
    weight: pd.Series | None
    """How often each row counts, with the labels of the table; None if each counts once."""

    def of(self, frame: pd.DataFrame) -> np.ndarray | None:
        """The weights of some rows of the table, which are found by their labels; None if each counts once."""
        return None if self.weight is None else self.weight.loc[frame.index].to_numpy()


def take_weights(frame: pd.DataFrame, name: str | None, source: str = "the table") -> WeightedTable:
    """Take the column of weights out of a table, and leave out rows of weight 0.

    Parameters
    ----------
    frame : DataFrame
        The table; its labels are unique.
    name : str or None
        The column; None if there is none, and each row counts once.
    source : str
        What errors call the table.

    Examples
    --------
    >>> homes = pd.DataFrame({"rooms": [3, 5, 4], "count": [2, 0, 1], "price": [210.0, 305.0, 260.0]})
    >>> take_weights(homes, "count").frame["rooms"].tolist()
    [3, 4]
    """
    if name is None:
        return WeightedTable(frame, None)
    refuse_unknown([name], list(frame.columns), source)
    weight = as_numbers(pd.Series(frame[name]), source, "It says how often each row counts.").astype(np.float64)
    try:
        check_weights(weight, len(frame))
    except ValueError as error:
        raise ValueError(f"column {name!r} of {source} cannot be weights: {error}") from error
    counted = (weight > 0).to_numpy()
    return WeightedTable(pd.DataFrame(frame.loc[counted]).drop(columns=name), pd.Series(weight[counted]))
