"""Why the model is unsure about one row: which training rows are nearest, and which inputs are unusual."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Float

from unabases.audit.rows import conformal_p_values
from unabases.tables import Column, Profile, TableModel, typed_columns

__all__ = ["Explanation", "explain"]

_TAIL = 0.05  # share of the training rows beyond which a value counts as unusual, on either side


class Explanation(NamedTuple):
    """What is known about one row."""

    mean: float
    epistemic_std: float
    noise_std: float
    relative: float  # epistemic std relative to rows like the training data, less 1
    p: float  # share of rows like the training data that are as unfamiliar
    inputs: pd.DataFrame
    """A line for each input, the furthest outside first: `value`, where it lies in training (`percentile`, or the
    `share` of rows with that category), `outside` (distance from the median, 1 at the 5 % and 95 % quantiles, or at
    the last value if these are the median too; for a category 5 % over its share; infinite where training has nothing
    on that side), and `std_if_typical`, the epistemic std were it the median or commonest value."""
    nearest: pd.DataFrame | None
    """The training rows nearest in the model's features, with their `distance`; None if the model holds no rows."""


def explain(model: TableModel, row: pd.DataFrame, n_nearest: int = 5) -> Explanation:
    """Say why a model is unsure about a row of a table.

    Distances are Euclidean in the features of the last layer, each divided by its standard deviation among the rows
    that the model holds; in the standardised inputs if it has no such layer.

    Parameters
    ----------
    model
        The model; it must have been allowed to keep rows for `nearest`.
    row
        A table with one row.
    n_nearest
        How many training rows to show.
    """
    if len(row) != 1:
        raise ValueError(f"`row` must be a table with one row, got {len(row)}; take one as `table.iloc[[i]]`.")
    encoded = model.schema.encode(row, "the row")
    if not encoded.usable.all():
        raise ValueError("the row has missing values, and the model leaves such rows out.")
    d = model.regressor.predict_dist(encoded.X)
    held = model.held_out.epistemic_std
    return Explanation(
        mean=float(d.mean[0]),
        epistemic_std=float(d.epistemic_std[0]),
        noise_std=float(d.noise_std[0]),
        relative=float(d.epistemic_std[0] / held.mean() - 1),
        p=float(conformal_p_values(d.epistemic_std, held)[0]),
        inputs=_inputs(model, typed_columns(row, model.schema.inputs)),
        nearest=_nearest(model, encoded.X, n_nearest),
    )


def _inputs(model: TableModel, row: pd.DataFrame) -> pd.DataFrame:
    columns = model.schema.inputs
    typical = pd.concat([row] * len(columns), ignore_index=True)
    lines = []
    for i, column in enumerate(columns):
        profile, value = model.training.profile(column.name), row[column.name].iloc[0]
        typical.loc[i, column.name] = _typical(profile)
        lines.append({"column": column.name, "value": value, **_place(column, profile, value)})
    encoded = model.schema.encode(typical, "the row")
    table = pd.DataFrame(lines)
    table["std_if_typical"] = model.regressor.predict_dist(encoded.X).epistemic_std
    return table.sort_values("outside", ascending=False, kind="stable", ignore_index=True)


def _typical(profile: Profile) -> Any:
    """Median, or the commonest level."""
    return max(profile.shares, key=lambda k: profile.shares[k]) if profile.shares else float(profile.quantiles[50])


def _place(column: Column, profile: Profile, value: Any) -> dict[str, float]:
    """Where a value lies among the training rows."""
    if column.kind == "category":
        share = profile.shares.get(value, 0.0)
        return {"percentile": np.nan, "share": share, "outside": _TAIL / share if share else np.inf}
    if pd.isna(value):
        return {"percentile": np.nan, "share": np.nan, "outside": np.nan}
    q = profile.quantiles
    percentile = float((np.searchsorted(q, value, "left") + np.searchsorted(q, value, "right")) / 2 / len(q))
    low, middle, high = q[round(100 * _TAIL)], q[50], q[round(100 * (1 - _TAIL))]
    half = (high - middle or q[-1] - middle) if value > middle else (middle - low or middle - q[0])
    outside = 0.0 if value == middle else abs(value - middle) / half if half > 0 else np.inf
    return {"percentile": percentile, "share": np.nan, "outside": float(outside)}


def _nearest(model: TableModel, X: Float[np.ndarray, "1 d"], n: int) -> pd.DataFrame | None:
    rows = model.training.rows
    if rows is None:
        return None
    encoded = model.schema.encode(rows, "the rows of the model")
    near, here = _features(model, encoded.X), _features(model, X)
    spread = near.std(axis=0)
    scaled = (near - here)[:, spread > 0] / spread[spread > 0]
    distance = np.sqrt(np.mean(scaled**2, axis=1)) if scaled.shape[1] else np.zeros(len(near))
    order = np.argsort(distance, kind="stable")[:n]
    table = rows.iloc[np.flatnonzero(encoded.usable)[order]].reset_index(drop=True)
    table.insert(0, "distance", distance[order], allow_duplicates=True)
    return table


def _features(model: TableModel, X: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n k"]:
    """What the last layer sees, or the inputs where there is none."""
    if hasattr(model.regressor, "feature_matrix"):
        return model.regressor.feature_matrix(X)[:, :-1]  # pyright: ignore[reportAttributeAccessIssue]
    return X
