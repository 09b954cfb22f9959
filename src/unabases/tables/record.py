"""What a model remembers of its table: how columns are distributed, some rows, and its scores on rows held out."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Float

from unabases.datasets.schema import Column
from unabases.regressors.shared.saved_state import SavedState, StateError

__all__ = [
    "HeldOut",
    "Profile",
    "TrainingRecord",
    "frame_from",
    "frame_state",
    "profile_columns",
    "profiles_from",
    "typed_columns",
]

_PERCENT = np.linspace(0, 1, 101)


class Profile(NamedTuple):
    """The distribution of one column among the training rows."""

    name: str
    quantiles: Float[np.ndarray, " q"]
    """The 0 %, 1 %, ..., 100 % quantiles of a number; empty for a category."""
    shares: dict[str, float]
    """The share of each level of a category; empty for a number."""

    @property
    def constant(self) -> bool:
        """True if all rows have the same value."""
        return len(self.shares) == 1 or bool(len(self.quantiles) and self.quantiles[0] == self.quantiles[-1])


class TrainingRecord(NamedTuple):
    """What a model remembers of the rows it was trained on."""

    n: int
    profiles: tuple[Profile, ...]
    rows: pd.DataFrame | None
    """A random sample of them; None if the model may not store any."""

    def profile(self, name: str) -> Profile:
        """Look up the profile of a column."""
        return next(profile for profile in self.profiles if profile.name == name)


class HeldOut(NamedTuple):
    """Rows of the training table that were held out from training, and the predictions for them."""

    mean: Float[np.ndarray, " n"]
    epistemic_std: Float[np.ndarray, " n"]
    noise_std: Float[np.ndarray, " n"]
    y: Float[np.ndarray, " n"]
    columns: pd.DataFrame | None
    """Their inputs and kept columns; None if the model may not store rows."""
    scores: dict[str, float]
    """The scores of `unabases.metrics.score`."""
    expected: Float[np.ndarray, " levels"]
    """Probabilities of the calibration curve."""
    observed: Float[np.ndarray, " levels"]
    """How often they came true."""


def profile_columns(frame: pd.DataFrame) -> tuple[Profile, ...]:
    """Summarise each column of a typed table; missing values do not count."""
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
    """Take some columns of a table with the types of the model: numbers as float64, categories as text."""
    return pd.DataFrame({column.name: column.read(frame, source) for column in columns}, index=frame.index)


def frame_state(frame: pd.DataFrame | None) -> tuple[dict[str, np.ndarray], Any]:
    """Take a typed table apart into numbered arrays and a value that JSON can hold."""
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


def frame_from(saved: SavedState, described: Any, n: int | None = None) -> pd.DataFrame | None:
    """Rebuild the table that `frame_state` took apart, of n rows if that is known."""
    if described is None:
        return None
    columns = {}
    if n is not None:
        saved.sizes["rows"] = n
    for i, (name, levels) in enumerate(described):
        if type(name) is not str or name in columns:
            raise StateError("columns have to have names, and different ones")
        if levels is None:
            columns[name] = saved.array(str(i), "rows", finite=False, empty=True)
            continue
        codes = saved.array(str(i), "rows", dtype=np.int32, empty=True)
        if np.any((codes < -1) | (codes >= len(levels))) or not all(type(level) is str for level in levels):
            raise StateError(f"the column {name!r} has values that are not among its levels")
        columns[name] = np.array([*levels, None], dtype=object)[codes]  # code -1: missing
    return pd.DataFrame({name: pd.Series(v, dtype=v.dtype) for name, v in columns.items()})


def profiles_from(saved: SavedState, described: list[Any]) -> tuple[Profile, ...]:
    """Rebuild profiles from their quantiles and what else is known of each: its name, and the shares of its levels."""
    profiles = []
    for i, (name, shares) in enumerate(described):
        quantiles = SavedState(saved.arrays, {}).array(str(i), "q", finite=False, empty=True)
        if type(name) is not str or not all(type(share) is float and 0 <= share <= 1 for share in shares.values()):
            raise StateError("profiles have to have names, and shares from 0 to 1")
        if len(quantiles) not in (0, len(_PERCENT)) or np.isinf(quantiles).any():
            raise StateError(f"a column has no quantiles or {len(_PERCENT)}, none of them infinite")
        profiles.append(Profile(name, quantiles, dict(shares)))
    return tuple(profiles)
