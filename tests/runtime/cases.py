"""Saved models with what they predict: files that were kept, and variants of them that no fit has to make."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.base import clone

from tests.saving.kept import NEW, kept_files
from unabases import Conformal, load
from unabases.predictive import Stretched
from unabases.predictive.curve import Curve
from unabases.predictive.stretched import core_of
from unabases.regressors.committee.heavy_tails import Tails
from unabases.regressors.shared.input_curve import InputCurve
from unabases.regressors.wrappers.conformal_widths import Widths
from unabases.runtime import SUPPORTED
from unabases.runtime import load as load_light
from unabases.saving.container import read_bytes, unpack

KEPT = {kept.name: kept for kept in kept_files()}
CLASSES = {name: unpack(read_bytes(kept.path), name).content.get("class") for name, kept in KEPT.items()}
READ = [name for name, regressor in CLASSES.items() if regressor in SUPPORTED]
NEED_JAX = [name for name, regressor in CLASSES.items() if regressor is not None and regressor not in SUPPORTED]
MOMENTS = ("mean", "epistemic_std", "noise_std")
ROWS = 2 * np.array([[-1.5, 0.1], [-1.2, 0.9], [-0.7, 0.3], [-0.2, 0.6], [0.3, 0.2]])  # those of the kept answers
OF_TABLES = ("LUNA-table", "TableModel", "TableModel-UNA", "TableRegressor")


class Case(NamedTuple):
    path: Any
    X: np.ndarray
    expected: dict[str, np.ndarray]


def kept_case(name: str) -> Case:
    """A kept file, and the answers that were written beside it."""
    kept = KEPT[name]
    expected = {key: np.array(values, dtype=float) for key, values in kept.expected.items()}
    if name in OF_TABLES:
        return Case(kept.path, numbers_of(load_light(kept.path).inputs, NEW), expected)
    return Case(kept.path, ROWS, expected)


def numbers_of(inputs: tuple[str, ...], table: pd.DataFrame) -> np.ndarray:
    """The numbers that a model takes of the rows of a table, by their names: NaN for all of what is missing."""
    found = []
    for name in inputs:
        column, of_category, level = name.partition("=")
        values = table[column]
        if of_category:
            numbers = (values.astype(str) == level).astype(float)
        elif pd.api.types.is_datetime64_any_dtype(values):
            numbers = (values - pd.Timestamp(0)) / pd.Timedelta(days=1)
        else:
            numbers = values
        found.append(np.where(values.isna(), np.nan, numbers))
    return np.stack(found, axis=1).astype(float)


def variant(name: str) -> Any:
    """A kept model with something changed that changes its predictions."""
    if name == "heavy tails":
        model = load(KEPT["UNA"].path)
        model.tails_ = Tails(np.array([4.0]), np.array([0.8]), np.array([4.0]))
    elif name == "heavier tails far away":
        model = load(KEPT["UNA"].path)
        model.tails_ = Tails(np.array([20.0]), np.array([0.8]), np.array([2.3]))
    elif name == "heavier tails far away on a curve":
        model = load(KEPT["UNA-skewed"].path)
        model.tails_ = Tails(np.array([1e6]), np.array([1.0]), np.array([3.0]))
    elif name == "heavy tails on a curve":
        model = load(KEPT["UNA-skewed"].path)
        model.tails_ = Tails(np.array([3.0]), np.array([0.8]), np.array([3.0]))
    elif name == "a power below zero":
        model = load(KEPT["UNA-skewed"].path)
        model.curve_ = Curve(*(np.array([value]) for value in (0.5, 1.0, 0.8, -1.2, 2.0)))
    elif name == "wider by far":
        model = load(KEPT["UNA"].path)
        model.variances_ = model.variances_._replace(factor=np.array([30.0]))
    elif name == "logarithms of inputs":
        model = load(KEPT["UNA"].path)
        ends = np.array([1.0, 0.0]), np.array([-2.0, 0.0]), np.array([0.0, 0.0]), np.array([0.5, 1.0])
        model.input_curve_ = InputCurve(*ends)  # some rows lie above the highest
    elif name == "calibrated":
        model = load(KEPT["GapCalibrated"].path)
        low = float(np.median(model.estimator_.predict_dist(ROWS).epistemic_std ** 2))
        model.scale_ = model.scale_._replace(epistemic=np.array([3.0]), noise=np.array([0.5]), level=np.array([low]))
    elif name.startswith("conformal, "):
        inside = variant(name.removeprefix("conformal, "))
        model = Conformal(clone(inside), held_out=0)
        usual = inside.predict_dist(ROWS)
        levels, after = np.array([0.5, 0.9]), np.array([[1.5], [2.0]])
        noise = np.atleast_1d(Stretched(core_of(usual), levels, after[:, 0]).factor ** 2)
        model.widths_ = Widths(levels, after, after, after, noise)
        model.explanation_, model._vector, model.estimator_ = "", True, inside
    else:
        raise LookupError(name)
    return model


_FAR = ("heavier tails far away", "heavier tails far away on a curve")
_PLAIN = (
    "heavy tails",
    "heavy tails on a curve",
    *_FAR,
    "a power below zero",
    "wider by far",
    "logarithms of inputs",
    "calibrated",
)
_WRAPPED = ("heavy tails", "heavy tails on a curve", *_FAR, "calibrated")
VARIANTS = (*_PLAIN, *(f"conformal, {name}" for name in _WRAPPED))
