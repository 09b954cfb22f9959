"""A regressor together with the table that it was trained on."""

import warnings
from typing import Any, NamedTuple, Unpack

import numpy as np
import pandas as pd

from unabases.datasets.column_values import as_numbers, name_cells
from unabases.datasets.encoder import Encoded, check_missing, columns_from, describe_columns
from unabases.datasets.schema import ColumnRules, Schema, TrainingRows, count_rows, learn_schema
from unabases.datasets.user_text import how_many
from unabases.metrics import calibration_curve, score
from unabases.predictive import AbstractPredictive
from unabases.regressors import LUNA, UNA, AbstractRegressor
from unabases.regressors.shared.base import check_count
from unabases.regressors.shared.rows import as_pandas, is_polars, labels_of
from unabases.regressors.shared.saved_state import SavedState, StateError
from unabases.regressors.shared.weights import as_keyword, part_of
from unabases.tables.record import (
    HeldOut,
    TrainingRecord,
    frame_from,
    frame_state,
    profile_columns,
    profiles_from,
    typed_columns,
)
from unabases.tables.row_weights import take_weights

__all__ = ["TableModel", "default_regressor", "feature_regressor"]

LEAST_ROWS = 20  # of a training table
LEAST_TRAINED = 10  # rows left to train on
MOST_HELD_OUT = 2000
BEYOND = 1e30  # times the range of a number in training: no regressor computes with such an input
_BATCH = 1024
_NAMED = ("drop", "keep", "categories", "numbers")  # rules that name columns
_EPOCHS, _LEAST_STEPS = 10, 200  # for features of another network


class TableModel:
    """A fitted regressor that knows the columns of its table and remembers some of its rows.

    Make one with `TableModel.fit`; keep it in one file with `unabases.save` and `unabases.load`. Some rows are held
    out from training. The model is scored on them, and `unabases.audit` and `DeferralPolicy` compare new rows with
    them.

    Parameters
    ----------
    regressor : AbstractRegressor
        A fitted regressor with one output.
    schema : Schema
        Names, types and levels of the columns.
    training : TrainingRecord
        What is remembered of the rows trained on.
    held_out : HeldOut
        The rows held out, and what the model predicted for them.

    See Also
    --------
    unabases.audit.audit : Find what the training table lacks.

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
        frame: Any,
        target: str,
        *,
        weight: str | None = None,
        regressor: AbstractRegressor | Any = None,
        holdout: float = 0.2,
        keep_rows: int = 1000,
        random_state: int | None = None,
        source: str = "the table",
        **rules: Unpack[ColumnRules],
    ) -> "TableModel":
        """Learn the columns of a table and train a regressor on most of its rows.

        Parameters
        ----------
        frame : DataFrame of pandas or Polars
            The training table.
        target : str
            Name of the numeric column to predict.
        weight : str, optional
            Name of a column that says how often each row counts; it is no input. A row of weight 0 is left out. In
            training and in the scores of rows that are held out; in audits and deferral each row counts once.
        regressor : AbstractRegressor, optional
            An unfitted regressor; by default `UNA`.
        holdout : float
            Share of the rows to hold out from training; at most 2000 rows are.
        keep_rows : int
            How many training rows the model may store, for `explain` to show. With 0 it stores none, and no inputs of
            the rows held out either; audits then cannot compare values of columns with the training data.
        random_state : int, optional
            Seed for the choice of rows.
        source : str
            What errors call the table.
        **rules
            How to read the columns. `drop`: columns to leave out. `keep`: columns kept for audits but not used as
            inputs. `categories`: numeric columns to treat as categories, such as codes of regions. `numbers`: columns
            of numbers in which other text, such as "unknown", counts as missing. `missing`: what to do with missing
            inputs, now and in later tables. `"refuse"`, the default, raises an error; `"drop"` leaves such rows out,
            and later gives them no prediction; `"impute"` fills numbers with their median, says so in a column of its
            own, and gives categories a level `missing`. Rows without a target are refused, or left out with `"drop"`.
            `max_levels`: how many levels of a category have a number of their own (50 by default); others share one.

        Returns
        -------
        TableModel
            The fitted model.
        """
        check_count("keep_rows", keep_rows, least=0)
        check_holdout(holdout)
        refuse_two_roles(weight, target, rules)
        table = take_weights(count_rows(as_pandas(frame)), weight, source)
        schema = learn_schema(table.frame, target, source=source, **rules)
        encoded, y, frame = schema.encode_training(table.frame, source)
        n = len(y)
        if n < LEAST_ROWS:
            raise ValueError(
                f"{source} has {how_many(n, 'usable row')}; at least {LEAST_ROWS} are needed to train and to test."
            )
        cut = held_out_count(n, holdout)
        if n - cut < LEAST_TRAINED:
            raise ValueError(
                f"`holdout` = {holdout:g} leaves {n - cut} of {n} rows to train on; at least {LEAST_TRAINED} are "
                f"needed, so choose at most {np.floor(100 * (n - LEAST_TRAINED) / n) / 100:g}."
            )
        warn_if_constant(y, target, source)
        order = np.random.default_rng(random_state).permutation(n)
        apart, rest = order[:cut], order[cut:]
        model = default_regressor(random_state) if regressor is None else refuse_class(regressor)
        model.fit(encoded.take(rest), y[rest], **as_keyword(part_of(table.of(frame), rest)))
        weights = part_of(table.of(frame), apart)
        rows = TrainingRows(encoded, y, frame)
        return cls(model, schema, *remember(model, schema, rows, apart, rest, keep_rows, weights))

    def encode(self, frame: Any, source: str = "the table") -> Encoded:
        """Turn rows into the numbers that the regressor takes; refuse numbers that nothing can be computed with.

        Parameters
        ----------
        frame : DataFrame of pandas or Polars
            A table with the model's inputs, in any order.
        source : str
            What errors call the table.

        Returns
        -------
        Encoded
            What `Schema.encode` returns.
        """
        encoded = self.schema.encode(frame := as_pandas(frame), source)
        place = {name: i for i, name in enumerate(self.schema.columns)}
        for profile in self.training.profiles:
            if len(profile.quantiles) == 0 or profile.name not in place:
                continue
            low, middle, high = profile.quantiles[[0, 50, -1]]
            far = np.abs(encoded.X[:, place[profile.name]] - middle) > BEYOND * (high - low)
            if high > low and far.any():
                cells = pd.Series(encoded.X[:, place[profile.name]], index=frame.index[encoded.usable])
                raise ValueError(
                    f"column {profile.name!r} of {source} lies between {low:g} and {high:g} in training, but "
                    f"{name_cells(cells, far)}: nothing can be computed with that. Correct it."
                )
        return encoded

    def predict_dist(self, frame: Any, source: str = "the table") -> AbstractPredictive:
        """Predict the distribution of the target in each row; refuse rows with missing values that are not imputed."""
        encoded = self.encode(frame, source)
        if not encoded.usable.all():
            raise ValueError(
                f"{source} has {how_many(int((~encoded.usable).sum()), 'row')} with missing values, for which there is "
                "no distribution; drop them, or use `predict`, which leaves them empty."
            )
        return self.regressor.predict_dist(encoded).labelled(labels_of(frame))

    def predict(self, frame: Any, level: float = 0.9, source: str = "the table") -> Any:
        """Predict every row of a table.

        Parameters
        ----------
        frame : DataFrame of pandas or Polars
            A table with the model's inputs, in any order.
        level : float
            Probability of the interval.
        source : str
            What errors call the table.

        Returns
        -------
        DataFrame of pandas, or of Polars if `frame` is one
            `mean`, `epistemic_std`, `noise_std`, the interval from `lower` to `upper`, and `unknown`: whether the row
            has a category that training did not have. Rows that the model leaves out for missing values are empty.
        """
        rows = as_pandas(frame)
        table = self.predict_encoded(self.encode(rows, source), rows.index, level)
        if is_polars(frame):
            return type(frame)({name: column.to_numpy() for name, column in table.items()})
        return table

    def predict_encoded(self, encoded: Encoded, index: pd.Index, level: float = 0.9) -> pd.DataFrame:
        """Return the table of `predict` for rows that are encoded already."""
        values = np.full((len(index), 5), np.nan)
        unknown = np.zeros(len(index), dtype=bool)
        if encoded.usable.any():
            d = self.regressor.predict_dist(encoded)
            values[encoded.usable] = np.stack([d.mean, d.epistemic_std, d.noise_std, *d.interval(level)], axis=1)
            unknown[encoded.usable] = encoded.unknown
        names = ["mean", "epistemic_std", "noise_std", "lower", "upper"]
        return pd.DataFrame(values, columns=names, index=index).assign(unknown=unknown)

    def targets(self, frame: pd.DataFrame, source: str = "the table") -> np.ndarray | None:
        """Return the observed targets, NaN where they are missing; None if the table has no target column."""
        if self.schema.target not in frame:
            return None
        return as_numbers(pd.Series(frame[self.schema.target]), source).to_numpy()

    def __repr__(self) -> str:
        return (
            f"TableModel({type(self.regressor).__name__} of {self.schema.target}: {len(self.schema.inputs)} columns, "
            f"{self.training.n} rows trained on, {len(self.held_out.y)} held out)"
        )

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Return everything but the regressor, as named arrays and as values that JSON can hold."""
        held, schema = self.held_out, self.schema
        arrays = {f"held_out.{name}": getattr(held, name) for name in _ARRAYS}
        arrays |= {f"quantiles.{i}": profile.quantiles for i, profile in enumerate(self.training.profiles)}
        described = {}
        for name, frame in (("rows", self.training.rows), ("columns", held.columns)):
            parts, described[name] = frame_state(frame)
            arrays |= {f"{name}.{i}": part for i, part in parts.items()}
        values = {
            "inputs": describe_columns(schema.inputs),
            "kept": describe_columns(schema.kept),
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
        """Rebuild the model that `get_state` took apart."""
        saved = SavedState(arrays, values)
        inputs, kept = (columns_from(saved.value(name, list)) for name in ("inputs", "kept"))
        schema = Schema(inputs, saved.value("target", str), check_missing(saved.value("missing", str)), kept)
        _check_agreement(regressor, schema)
        held = {name: saved.array(f"held_out.{name}", letter, sign) for name, (letter, sign) in _ARRAYS.items()}
        rows = frame_from(saved.below("rows."), saved.value("rows", (list, type(None))))
        columns = frame_from(saved.below("columns."), saved.value("columns", (list, type(None))), len(held["y"]))
        profiles = profiles_from(saved.below("quantiles."), saved.value("profiles", list))
        scores = saved.value("scores", dict)
        if saved.value("n", int) < 1 or not all(type(score) is float for score in scores.values()):
            raise StateError("the number of rows has to be positive, and scores have to be numbers")
        training = TrainingRecord(values["n"], profiles, rows)
        return cls(regressor, schema, training, HeldOut(columns=columns, scores=scores, **held))


_ARRAYS = {  # of what was held out, with their sizes and signs
    "mean": ("n", "any"),
    "epistemic_std": ("n", "not negative"),
    "noise_std": ("n", "not negative"),
    "y": ("n", "any"),
    "expected": ("levels", "not negative"),
    "observed": ("levels", "not negative"),
}


def refuse_class(regressor: Any) -> Any:
    """Refuse a class where a regressor is expected, and say how to make one."""
    if isinstance(regressor, type):
        name = regressor.__name__
        raise TypeError(f"`regressor` is the class {name}; expected a regressor made with it: regressor={name}().")
    return regressor


def default_regressor(random_state: int | None = None, verbose: bool = False) -> UNA:
    """Make the regressor that `TableModel.fit` uses: `UNA` with its defaults."""
    return UNA(random_state=random_state, verbose=verbose)


def feature_regressor(n: int, random_state: int | None = None, verbose: bool = False) -> LUNA:
    """Make a `LUNA` for inputs that are features of another network.

    It has one narrow layer and one scale for all inputs, and trains for ten epochs at a low rate. More layers, units
    and steps make it no better, and less aware of what the training rows lack. The page "Faces" has the figures.
    """
    one_scale: Any = "common"
    return LUNA(
        hidden_layer_sizes=(50,),
        standardize=one_scale,
        learning_rate=1e-3,
        n_points=16,
        n_directions=None,
        batch_size=_BATCH if n > _BATCH else None,
        max_steps=max(_LEAST_STEPS, _EPOCHS * -(-n // _BATCH)),
        random_state=random_state,
        verbose=verbose,
    )


class Remembered(NamedTuple):
    """What a model keeps of its table beside its columns."""

    training: TrainingRecord
    held_out: HeldOut


def remember(
    model: AbstractRegressor,
    schema: Schema,
    rows: TrainingRows,
    apart: np.ndarray,
    rest: np.ndarray,
    keep_rows: int,
    weights: np.ndarray | None = None,
) -> Remembered:
    """Keep a record of the rows that a model was trained on, and how it does on those held out.

    Parameters
    ----------
    model, schema
        The fitted regressor and the columns of its table.
    rows : TrainingRows
        The usable rows.
    apart, rest : array of int
        Places of the rows held out, and of the others, in a random order.
    keep_rows : int
        How many training rows to store; with 0, no inputs of the rows held out either.
    weights : array, optional
        How often each row that is held out counts in scores.
    """
    typed = typed_columns(rows.frame, (*schema.inputs, *schema.kept))
    sample = typed.iloc[rest[:keep_rows]].reset_index(drop=True) if keep_rows else None
    columns = typed.iloc[apart].reset_index(drop=True) if keep_rows else None
    return Remembered(
        TrainingRecord(len(rest), profile_columns(typed.iloc[rest]), sample),
        _judge(model, rows.encoded.take(apart), rows.y[apart], columns, weights),
    )


def refuse_two_roles(weight: str | None, target: str, rules: ColumnRules) -> None:
    """Refuse a column of weights that is also something else."""
    named = {"the target": [target], **{f"in `{rule}`": rules.get(rule, ()) for rule in _NAMED}}
    for role, names in named.items():
        if weight is not None and weight in names:
            raise ValueError(f"{weight!r} holds the weights, so it cannot be {role} too.")


def warn_if_constant(y: np.ndarray, target: str, source: str) -> None:
    """Warn of a target that is the same in all rows."""
    if np.ptp(y) == 0:
        warnings.warn(
            f"the target {target!r} of {source} is {y[0]:g} in all rows, so there is nothing to learn.", stacklevel=3
        )


def check_holdout(holdout: float) -> None:
    """Refuse what is no share of the rows."""
    if not 0 < holdout < 1:
        raise ValueError(f"`holdout` must be a share between 0 and 1, got {holdout!r}.")


def held_out_count(n: int, holdout: float) -> int:
    """How many of n rows to hold out for a share of them."""
    return min(max(2, round(holdout * n)), MOST_HELD_OUT)


def _judge(
    model: AbstractRegressor, X: Encoded, y: np.ndarray, columns: pd.DataFrame | None, weights: np.ndarray | None
) -> HeldOut:
    d = model.predict_dist(X)
    curve = calibration_curve(d, y, sample_weight=weights)
    return HeldOut(
        mean=d.mean,
        epistemic_std=d.epistemic_std,
        noise_std=d.noise_std,
        y=y,
        columns=columns,
        scores=score(model, X, y, sample_weight=weights),
        expected=curve.expected,
        observed=curve.observed,
    )


def _check_agreement(regressor: Any, schema: Schema) -> None:
    """Refuse a regressor that was trained on other numbers than the columns of the table become."""
    inner = getattr(regressor, "estimator_", regressor)
    if inner.x_scale_.center.shape != (len(schema.columns),) or not inner.vector_output_:
        raise StateError(
            f"the columns of the table become {len(schema.columns)} numbers for one target, but the regressor takes "
            f"{len(inner.x_scale_.center)} for {len(inner.y_scale_.center)}"
        )
