"""A regressor together with the table that it was trained on."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from unabases.metrics import calibration_curve, score
from unabases.predictive import AbstractPredictive
from unabases.regressors import LUNA, AbstractRegressor
from unabases.regressors.base import check_count
from unabases.tables.record import (
    HeldOut,
    Profile,
    TrainingRecord,
    frame_from,
    frame_state,
    profile_columns,
    typed_columns,
)
from unabases.tables.schema import Column, Encoded, Schema, as_numbers, learn_schema

__all__ = ["TableModel", "default_regressor", "feature_regressor"]

LEAST_ROWS = 20  # of a training table
MOST_HELD_OUT = 2000
_MANY_ROWS, _BATCH = 8192, 1024
_EPOCHS, _LEAST_STEPS = 10, 200  # on features of another network


class TableModel:
    """A fitted regressor, the columns of its table, and what it remembers of its rows.

    `fit` makes one, `unabases.save` and `unabases.load` keep it in one file. A part of the rows is held out from
    training: on them the model is scored, and with them `unabases.audit` and `DeferralPolicy` compare new rows.

    Parameters
    ----------
    regressor
        A fitted regressor with one output.
    schema
        Names, types and levels of the columns.
    training, held_out
        What is remembered of the rows trained on, and of those held out.

    Examples
    --------
    >>> from unabases import GaussianProcess
    >>> rng = np.random.default_rng(0)
    >>> homes = pd.DataFrame({"rooms": rng.integers(1, 7, 60), "heating": rng.choice(["oil", "gas"], 60)})
    >>> homes["price"] = 50.0 * homes["rooms"] + rng.normal(size=60)
    >>> model = TableModel.fit(homes, "price", regressor=GaussianProcess(restarts=0), random_state=0)
    >>> model.predict(pd.DataFrame({"heating": ["gas", "coal"], "rooms": [3, 3]}))[["mean", "unknown"]].round()
        mean  unknown
    0  150.0    False
    1  150.0     True
    """

    def __init__(self, regressor: AbstractRegressor, schema: Schema, training: TrainingRecord, held_out: HeldOut):
        self.regressor = regressor
        self.schema = schema
        self.training = training
        self.held_out = held_out

    @classmethod
    def fit(
        cls,
        frame: pd.DataFrame,
        target: str,
        *,
        regressor: AbstractRegressor | None = None,
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categories: Sequence[str] = (),
        missing: str = "refuse",
        max_levels: int = 50,
        holdout: float = 0.2,
        keep_rows: int = 1000,
        random_state: int | None = None,
        source: str = "the table",
    ) -> "TableModel":
        """Learn the columns of a table and train a regressor on most of its rows.

        Parameters
        ----------
        frame, target
            The table, and the name of its numeric column to predict.
        regressor
            Not fitted; `LUNA` by default, in mini batches if there are many rows.
        drop, keep
            Columns to leave out; columns that are no inputs but remembered, so that audits can go by them.
        categories
            Columns of numbers that are names, such as codes of regions.
        missing
            What to do with missing values in inputs, now and in each table later: `"refuse"` them; `"drop"` their rows,
            which get no prediction; `"impute"` medians, and a level of its own in categories. Rows without target are
            refused, or dropped.
        max_levels
            A category with more levels is refused.
        holdout
            Share of the rows that are not trained on, of which there are at most 2000.
        keep_rows
            How many rows of the training data the model may hold, as `explain` shows them. With 0 it holds none, nor
            the inputs of rows held out, of which audits by column then know nothing.
        random_state
            Seed of the choice of rows.
        source
            What errors call the table.
        """
        check_count("keep_rows", keep_rows, least=0)
        if not 0 < holdout < 1:
            raise ValueError(f"`holdout` must be a share between 0 and 1, got {holdout!r}.")
        frame = frame.set_axis([str(name) for name in frame.columns], axis="columns").reset_index(drop=True)
        schema = learn_schema(
            frame,
            target,
            drop=drop,
            keep=keep,
            categories=categories,
            missing=missing,
            max_levels=max_levels,
            source=source,
        )
        y = as_numbers(pd.Series(frame[target]), source)
        if y.isna().any() and missing != "drop":
            raise ValueError(
                f"the target {target!r} of {source} is missing in {int(y.isna().sum())} rows, first in row "
                f'{int(np.argmax(y.isna())) + 1}; leave them out, for example with missing="drop".'
            )
        frame, y = pd.DataFrame(frame[y.notna()]), y.to_numpy()[y.notna()]
        encoded = schema.encode(frame, source)
        frame, y = pd.DataFrame(frame[encoded.usable]), y[encoded.usable]
        n = len(y)
        if n < LEAST_ROWS:
            raise ValueError(f"{source} has {n} usable rows; at least {LEAST_ROWS} are needed to train and to test.")
        rng = np.random.default_rng(random_state)
        order, cut = rng.permutation(n), min(max(2, round(holdout * n)), MOST_HELD_OUT)
        apart, rest = order[:cut], order[cut:]
        model = default_regressor(len(rest), random_state) if regressor is None else regressor
        model.fit(encoded.X[rest], y[rest])
        typed = typed_columns(frame, (*schema.inputs, *schema.kept), source)
        sample = typed.iloc[rest[:keep_rows]].reset_index(drop=True) if keep_rows else None
        training = TrainingRecord(len(rest), profile_columns(typed.iloc[rest]), sample)
        columns = typed.iloc[apart].reset_index(drop=True) if keep_rows else None
        return cls(model, schema, training, _judge(model, encoded.X[apart], y[apart], columns))

    def predict_dist(self, frame: pd.DataFrame, source: str = "the table") -> AbstractPredictive:
        """Distribution of the target at each row, all of which must have the values that the model needs."""
        encoded = self.schema.encode(frame, source)
        if not encoded.usable.all():
            raise ValueError(
                f"{source} has {int((~encoded.usable).sum())} rows with missing values; `predict` leaves them empty."
            )
        return self.regressor.predict_dist(encoded.X)

    def predict(self, frame: pd.DataFrame, level: float = 0.9, source: str = "the table") -> pd.DataFrame:
        """Mean, epistemic and noise std, the ends of the interval at `level`, and whether a category was unknown.

        Rows with missing values, where the model leaves them out, are empty.
        """
        return self.predict_encoded(self.schema.encode(frame, source), frame.index, level)

    def predict_encoded(self, encoded: Encoded, index: pd.Index, level: float = 0.9) -> pd.DataFrame:
        """The table of `predict` for rows that were encoded before."""
        values = np.full((len(index), 5), np.nan)
        unknown = np.zeros(len(index), dtype=bool)
        if encoded.usable.any():
            d = self.regressor.predict_dist(encoded.X)
            values[encoded.usable] = np.stack([d.mean, d.epistemic_std, d.noise_std, *d.interval(level)], axis=1)
            unknown[encoded.usable] = encoded.unknown
        names = ["mean", "epistemic_std", "noise_std", "lower", "upper"]
        return pd.DataFrame(values, columns=names, index=index).assign(unknown=unknown)

    def targets(self, frame: pd.DataFrame, source: str = "the table") -> np.ndarray | None:
        """What was observed, NaN where it is missing; None if the table has no target."""
        if self.schema.target not in frame:
            return None
        return as_numbers(pd.Series(frame[self.schema.target]), source).to_numpy()

    def __repr__(self) -> str:
        return (
            f"TableModel({type(self.regressor).__name__} of {self.schema.target}: {len(self.schema.inputs)} columns, "
            f"{self.training.n} rows trained on, {len(self.held_out.y)} held out)"
        )

    # ------------------------------------------------------------------------------------------------ saving

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Everything but the regressor, as named arrays and as values that JSON can hold."""
        held, schema = self.held_out, self.schema
        arrays = {f"held_out.{name}": getattr(held, name) for name in _ARRAYS}
        arrays |= {f"quantiles.{i}": profile.quantiles for i, profile in enumerate(self.training.profiles)}
        described = {}
        for name, frame in (("rows", self.training.rows), ("columns", held.columns)):
            parts, described[name] = frame_state(frame)
            arrays |= {f"{name}.{i}": part for i, part in parts.items()}
        values = {
            "inputs": [_plain(column) for column in schema.inputs],
            "kept": [_plain(column) for column in schema.kept],
            "target": schema.target,
            "missing": schema.missing,
            "n": self.training.n,
            "profiles": [[profile.name, profile.shares] for profile in self.training.profiles],
            "scores": held.scores,
            **described,
        }
        return arrays, values

    @classmethod
    def from_state(
        cls, regressor: AbstractRegressor, arrays: dict[str, np.ndarray], values: dict[str, Any]
    ) -> "TableModel":
        """The model that `get_state` took apart."""
        inputs, kept = (tuple(_column(item) for item in values[name]) for name in ("inputs", "kept"))
        frames = {name: frame_from(_below(arrays, f"{name}."), values[name]) for name in ("rows", "columns")}
        profiles = tuple(
            Profile(name, arrays[f"quantiles.{i}"], shares) for i, (name, shares) in enumerate(values["profiles"])
        )
        held = {name: arrays[f"held_out.{name}"] for name in _ARRAYS}
        return cls(
            regressor,
            Schema(inputs, values["target"], values["missing"], kept),
            TrainingRecord(values["n"], profiles, frames["rows"]),
            HeldOut(columns=frames["columns"], scores=values["scores"], **held),
        )


_ARRAYS = ("mean", "epistemic_std", "noise_std", "y", "expected", "observed")


def default_regressor(n: int, random_state: int | None = None, verbose: bool = False) -> LUNA:
    """LUNA with its defaults, in mini batches if the rows are many."""
    return LUNA(batch_size=_BATCH if n > _MANY_ROWS else None, random_state=random_state, verbose=verbose)


def feature_regressor(n: int, random_state: int | None = None, verbose: bool = False) -> LUNA:
    """LUNA for features of another network: one narrow layer, one scale for all inputs, ten epochs at a low rate.

    More layers, units and steps make it no better, and less aware of what the rows lack: see docs/faces.md.
    """
    settings: dict[str, Any] = {
        "hidden_layer_sizes": (50,),
        "standardize": "common",
        "learning_rate": 1e-3,
        "n_points": 16,
    }
    settings |= {
        "batch_size": _BATCH if n > _BATCH else None,
        "max_steps": max(_LEAST_STEPS, _EPOCHS * -(-n // _BATCH)),
    }
    return LUNA(**settings, random_state=random_state, verbose=verbose)


def _judge(model: AbstractRegressor, X: np.ndarray, y: np.ndarray, columns: pd.DataFrame | None) -> HeldOut:
    d = model.predict_dist(X)
    curve = calibration_curve(d, y)
    return HeldOut(
        mean=d.mean,
        epistemic_std=d.epistemic_std,
        noise_std=d.noise_std,
        y=y,
        columns=columns,
        scores=score(model, X, y),
        expected=curve.expected,
        observed=curve.observed,
    )


def _plain(column: Column) -> dict[str, Any]:
    return {"name": column.name, "kind": column.kind, "levels": list(column.levels), "fill": float(column.fill)}


def _column(item: dict[str, Any]) -> Column:
    return Column(item["name"], item["kind"], tuple(item["levels"]), item["fill"])


def _below(arrays: dict[str, np.ndarray], prefix: str) -> dict[str, np.ndarray]:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
