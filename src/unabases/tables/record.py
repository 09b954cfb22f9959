"""What a model remembers of its data: how each column is distributed, some rows, and how it did on rows held out."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Float

from unabases.tables.schema import Column, as_labels, as_numbers

__all__ = ["HeldOut", "Profile", "TrainingRecord", "frame_from", "frame_state", "profile_columns", "typed_columns"]

_PERCENT = np.linspace(0, 1, 101)


class Profile(NamedTuple):
    """How the training rows are distributed in one column."""

    name: str
    quantiles: Float[np.ndarray, " q"]  # of a number: of 0 %, 1 %, ..., 100 %; of a category: none
    shares: dict[str, float]  # of a category: by level; of a number: none

    @property
    def constant(self) -> bool:
        """Whether all rows have the same value."""
        return len(self.shares) == 1 or bool(len(self.quantiles) and self.quantiles[0] == self.quantiles[-1])


class TrainingRecord(NamedTuple):
    """The rows that the model was trained on."""

    n: int
    profiles: tuple[Profile, ...]
    rows: pd.DataFrame | None  # a random sample of them, None if the model was not to keep any

    def profile(self, name: str) -> Profile:
        """The profile of a column."""
        return next(profile for profile in self.profiles if profile.name == name)


class HeldOut(NamedTuple):
    """Rows of the training table that the model has not seen, and what it said about them."""

    mean: Float[np.ndarray, " n"]
    epistemic_std: Float[np.ndarray, " n"]
    noise_std: Float[np.ndarray, " n"]
    y: Float[np.ndarray, " n"]
    columns: pd.DataFrame | None  # inputs and kept columns of these rows, None if the model was not to keep any
    scores: dict[str, float]  # as `unabases.metrics.score` gives them
    expected: Float[np.ndarray, " levels"]  # calibration curve
    observed: Float[np.ndarray, " levels"]


def profile_columns(frame: pd.DataFrame) -> tuple[Profile, ...]:
    """Profiles of the columns of a typed table; missing values do not count."""
    profiles = []
    for name, column in frame.items():
        present = column.dropna()
        if column.dtype == np.float64:
            quantiles = np.quantile(present.to_numpy(), _PERCENT) if len(present) else np.full(len(_PERCENT), np.nan)
            profiles.append(Profile(str(name), quantiles, {}))
        else:
            shares = present.value_counts(normalize=True)
            profiles.append(Profile(str(name), np.zeros(0), {str(k): float(v) for k, v in shares.items()}))
    return tuple(profiles)


def typed_columns(frame: pd.DataFrame, columns: Sequence[Column], source: str = "the table") -> pd.DataFrame:
    """Some columns with the types of the model: numbers as float64, categories as text."""
    return pd.DataFrame(
        {
            column.name: as_labels(pd.Series(frame[column.name]))
            if column.kind == "category"
            else as_numbers(pd.Series(frame[column.name]), source)
            for column in columns
        },
        index=frame.index,
    )


def frame_state(frame: pd.DataFrame | None) -> tuple[dict[str, np.ndarray], Any]:
    """A typed table as numbered arrays and a value that JSON can hold."""
    if frame is None:
        return {}, None
    arrays, described = {}, []
    for i, (name, column) in enumerate(frame.items()):
        if column.dtype == np.float64:
            arrays[str(i)], levels = column.to_numpy(), None
        else:
            codes, found = pd.factorize(column)
            arrays[str(i)], levels = codes.astype(np.int32), [str(level) for level in found]
        described.append([str(name), levels])
    return arrays, described


def frame_from(arrays: dict[str, np.ndarray], described: Any) -> pd.DataFrame | None:
    """The table that `frame_state` took apart."""
    if described is None:
        return None
    columns = {}
    for i, (name, levels) in enumerate(described):
        if levels is None:
            columns[name] = arrays[str(i)]
        else:
            columns[name] = np.array([*levels, None], dtype=object)[arrays[str(i)]]  # the code -1 is the last: missing
    return pd.DataFrame({name: pd.Series(v, dtype=v.dtype) for name, v in columns.items()})
