"""Explain why a model is unsure about one row: its unusual inputs, and the nearest training rows."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Float

from unabases.audit.reasons import rises_in_words, why_unsure
from unabases.audit.unfamiliar_rows import conformal_p_values
from unabases.datasets.column_values import show_days
from unabases.datasets.encoder import MISSING_LEVEL, Encoded
from unabases.tables import Column, Profile, TableModel, typed_columns

__all__ = ["Explanation", "explain"]

_TAIL = 0.05  # share of the training rows on either side beyond which a value is unusual


class Explanation(NamedTuple):
    """What `explain` says about one row."""

    mean: float
    epistemic_std: float
    noise_std: float
    relative: float
    """Epistemic std relative to rows like the training data: 0.2 means 20 % above."""
    p: float
    """Share of rows like the training data that are as unfamiliar as this one."""
    inputs: pd.DataFrame
    """A line for each input, the most unusual first. `value`; `percentile` among the training rows, or the `share` of
    rows with that category; `outside`, the distance from the median, which is 1 at the 5 % and 95 % quantiles (at the
    last value if these equal the median), for a category 5 % divided by its share, and infinite if training has nothing
    on that side (a missing value that training lacked at times has none of these); `typical`, the median or the
    commonest value; `std_if_typical`, the epistemic std with that one."""
    nearest: pd.DataFrame | None
    """The nearest training rows, with their `distance`; None if the model stores no rows."""
    nearest_in_features: bool
    """Whether nearest means in the features of the last layer; otherwise in the inputs."""

    @property
    def sentence(self) -> str:
        """Why the model is unsure, in a sentence."""
        return why_unsure(self.epistemic_std, self.relative, self.p, self.inputs)

    @property
    def rises(self) -> str:
        """What it means that a typical value of some inputs would raise the std; empty if none would."""
        return rises_in_words(self.epistemic_std, self.inputs)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain numbers and text, for a program: what `unabases explain --json` prints."""
        tables = {"inputs": self.inputs.to_dict("records")}
        tables |= {"nearest": None if self.nearest is None else self.nearest.to_dict("records")}
        return {"sentence": self.sentence, "rises": self.rises, **self._asdict(), **tables}


def explain(model: TableModel, row: pd.DataFrame, n_nearest: int = 5) -> Explanation:
    """Explain why a model is unsure about a row of a table.

    Distances are Euclidean: for neural linear models in the features of the last layer, for other models, such as
    `UNA`, in the inputs; each divided by its standard deviation among the rows that the model stores.

    Parameters
    ----------
    model : TableModel
        The model. It shows `nearest` rows only if it was allowed to store some.
    row : DataFrame
        A table with one row.
    n_nearest : int
        How many training rows to show.

    Returns
    -------
    Explanation
        The prediction, each input compared with training, and the nearest training rows.

    Examples
    --------
    >>> from unabases import GaussianProcess
    >>> rng = np.random.default_rng(0)
    >>> homes = pd.DataFrame({"rooms": rng.integers(1, 7, 60), "age": rng.uniform(0, 50, 60)})
    >>> homes["price"] = 50.0 * homes["rooms"] - homes["age"]
    >>> model = TableModel.fit(homes, "price", regressor=GaussianProcess(restarts=0), random_state=0)
    >>> explain(model, pd.DataFrame({"rooms": [4], "age": [200.0]})).inputs["column"].tolist()
    ['age', 'rooms']
    >>> explain(model, pd.DataFrame({"rooms": [4], "age": [200.0]})).sentence[:64]
    'Unsure mostly because age = 200 is above all values in training:'
    """
    if len(row) != 1:
        raise ValueError(f"`row` must be a table with one row, got {len(row)} rows; select one with `table.iloc[[i]]`.")
    encoded = model.encode(row, "the row")
    if not encoded.usable.all():
        raise ValueError("the row has missing values, and this model makes no prediction for such rows; fill them in.")
    d = model.regressor.predict_dist(encoded)
    held = model.held_out.epistemic_std
    return Explanation(
        mean=float(d.mean[0]),
        epistemic_std=float(d.epistemic_std[0]),
        noise_std=float(d.noise_std[0]),
        relative=_relative(float(d.epistemic_std[0]), float(held.mean())),
        p=float(conformal_p_values(d.epistemic_std, held)[0]),
        inputs=_inputs(model, typed_columns(row, model.schema.inputs)),
        nearest=_nearest(model, encoded, n_nearest),
        nearest_in_features=hasattr(model.regressor, "feature_matrix"),
    )


def _relative(std: float, typical: float) -> float:
    """How much larger a std is than a typical one; 0 if both are 0."""
    if typical == 0:
        return math.inf if std > 0 else 0.0
    return std / typical - 1


def _inputs(model: TableModel, row: pd.DataFrame) -> pd.DataFrame:
    columns = model.schema.inputs
    typical = pd.concat([row] * len(columns), ignore_index=True)
    lines = []
    for i, column in enumerate(columns):
        profile, value = model.training.profile(column.name), row[column.name].iloc[0]
        typical.loc[i, column.name] = _typical(profile)
        shown = _readable(row, (column,))[column.name].iloc[0]
        lines.append({"column": column.name, "value": shown, **_place(column, profile, value)})
    encoded = model.schema.encode(typical, "the row")
    readable = _readable(typical, columns)
    table = pd.DataFrame(lines)
    table["typical"] = pd.Series([readable[column.name].iloc[i] for i, column in enumerate(columns)], dtype=object)
    table["std_if_typical"] = model.regressor.predict_dist(encoded).epistemic_std
    return table.sort_values("outside", ascending=False, kind="stable", ignore_index=True)


def _typical(profile: Profile) -> Any:
    """Return the median, or the commonest level."""
    return max(profile.shares, key=lambda k: profile.shares[k]) if profile.shares else float(profile.quantiles[50])


def _place(column: Column, profile: Profile, value: Any) -> dict[str, float]:
    """Locate a value among the training rows; profiles do not count missing ones, so these have no place."""
    learned = column.kind != "category" or MISSING_LEVEL in column.levels
    if pd.isna(value) and learned:
        return {"percentile": np.nan, "share": np.nan, "outside": np.nan}
    if column.kind == "category":
        share = profile.shares.get(value, 0.0)
        return {"percentile": np.nan, "share": share, "outside": _TAIL / share if share else np.inf}
    q = profile.quantiles
    percentile = float((np.searchsorted(q, value, "left") + np.searchsorted(q, value, "right")) / 2 / len(q))
    low, middle, high = q[round(100 * _TAIL)], q[50], q[round(100 * (1 - _TAIL))]
    half = (high - middle or q[-1] - middle) if value > middle else (middle - low or middle - q[0])
    outside = 0.0 if value == middle else abs(value - middle) / half if half > 0 else np.inf
    return {"percentile": percentile, "share": np.nan, "outside": float(outside)}


def _nearest(model: TableModel, row: Encoded, n: int) -> pd.DataFrame | None:
    rows = model.training.rows
    if rows is None:
        return None
    encoded = model.schema.encode(rows, "the rows of the model")
    near, here = _features(model, encoded), _features(model, row)
    spread = near.std(axis=0)
    scaled = (near - here)[:, spread > 0] / spread[spread > 0]
    distance = np.sqrt(np.mean(scaled**2, axis=1)) if scaled.shape[1] else np.zeros(len(near))
    order = np.argsort(distance, kind="stable")[:n]
    table = rows.iloc[np.flatnonzero(encoded.usable)[order]].reset_index(drop=True)
    table = _readable(table, model.schema.inputs)
    table.insert(0, "distance", distance[order], allow_duplicates=True)
    return table


def _readable(rows: pd.DataFrame, columns: Sequence[Column]) -> pd.DataFrame:
    """Rows with their dates as text."""
    dates = {c.name: show_days(pd.Series(rows[c.name])) for c in columns if c.kind == "date"}
    return rows.assign(**dates)


def _features(model: TableModel, rows: Encoded) -> Float[np.ndarray, "n k"]:
    """Return what the last layer sees, or the inputs if there is no such layer."""
    if hasattr(model.regressor, "feature_matrix"):
        return model.regressor.feature_matrix(rows)[:, :-1]  # pyright: ignore[reportAttributeAccessIssue]
    return rows.X
