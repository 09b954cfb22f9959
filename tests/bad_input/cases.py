"""The table of bad input: what is given to every regressor that takes it, and the words that the answer holds."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from scipy import sparse

X = np.linspace(-1.0, 1.0, 24).reshape(12, 2)
Y = X[:, 0] + X[:, 1] ** 2
DECIMALS = [*map(Decimal, range(11)), None]
NAN, INF = float("nan"), float("inf")
FINE = ""  # no error


class Rows(NamedTuple):
    """Rows and targets to learn from, and words that the error has (a regular expression), or `FINE`."""

    X: Any
    y: Any
    answer: str


class Setting(NamedTuple):
    """A value that a parameter cannot have; the error names the parameter, or says what `WORDS` does."""

    name: str
    value: Any


def changed(array: Any, value: Any, dtype: Any = np.float64) -> np.ndarray:
    """The array with another value in one place."""
    array = np.array(array, dtype=dtype)
    array.flat[3] = value
    return array


ROWS = {
    "X has a NaN, which is a missing value": Rows(changed(X, NAN), Y, FINE),
    "X has an infinity": Rows(changed(X, INF), Y, "infinity"),
    "X has minus infinity": Rows(changed(X, -INF), Y, "infinity"),
    "X has None, which is one too": Rows(changed(X, None, object), Y, FINE),
    "X has text": Rows(changed(X, "three", object), Y, "could not convert|three"),
    "X is complex": Rows(X + 1j, Y, "[Cc]omplex"),
    "X is text": Rows(X.astype(str) + "x", Y, "could not convert|dtype"),
    "X is dates": Rows(np.full((12, 2), datetime(2020, 1, 1), dtype=object), Y, "float|datetime"),
    "X is datetime64, which counts days": Rows((100 * X).astype("datetime64[D]"), Y, FINE),
    "X is sparse": Rows(sparse.csr_matrix(X), Y, FINE),
    "X is sparse, as a dictionary": Rows(sparse.dok_array(X), Y, FINE),
    "X is None": Rows(None, Y, "[Nn]one|NoneType|scalar"),
    "X is a number": Rows(3.0, Y, "scalar|2D"),
    "X is a name": Rows("rows.csv", Y, "2D|scalar|could not"),
    "X is a vector": Rows(X[:, 0], Y, "2D array"),
    "X has three axes": Rows(X[:, :, None], Y, "dim"),
    "X has no rows": Rows(X[:0], Y[:0], "0 sample"),
    "X has no columns": Rows(X[:, :0], Y, "0 feature"),
    "X is a table without columns": Rows(pd.DataFrame(index=range(12)), Y, "table without columns"),
    "X has one row": Rows(X[:1], Y[:1], "1 sample|minimum of 2"),
    "X is an array of arrays": Rows(np.array([*X, None], dtype=object)[:-1], Y, r"np.stack\(X\)"),
    "X is ragged": Rows([[1.0, 2.0], [3.0]], [1.0, 2.0], "inhomogeneous|sequence"),
    "X is dictionaries": Rows([{"a": 1.0}] * 12, Y, "dict|float|number"),
    "X has names and numbers of columns": Rows(pd.DataFrame(X).assign(c="red"), Y, "string names"),
    "X is a table with text": Rows(pd.DataFrame(X, columns=["a", "b"]).assign(c="red"), Y, FINE),
    "X is a table with a hole": Rows(pd.DataFrame(X).mask(X > 0.9), Y, FINE),
    "y is None": Rows(X, None, "y"),
    "y is short": Rows(X, Y[:-1], "inconsistent"),
    "y is long": Rows(X, np.append(Y, 0.0), "inconsistent"),
    "y is a number": Rows(X, 3.0, "y|scalar|1d|array"),
    "y has a NaN": Rows(X, changed(Y, NAN), "NaN"),
    "y has an infinity": Rows(X, changed(Y, INF), "infinity"),
    "y has None": Rows(X, changed(Y, None, object), "NaN|None|NoneType"),
    "y is text": Rows(X, np.full(12, "a"), "text, such as 'a', but numbers.*classifies"),
    "y is a list of words": Rows(X, ["cheap"] * 12, "text, such as 'cheap'"),
    "y is the name of a column": Rows(X, "price", r"the text 'price'.*table\['price'\]"),
    "y is complex": Rows(X, Y + 1j, "[Cc]omplex"),
    "y has three axes": Rows(X, Y[:, None, None], "dim|shape|1d|2D"),
    "y has no columns": Rows(X, np.empty((12, 0)), "feature|column|output|0"),
    "y is beyond 1e150": Rows(X, Y * 1e160, "1e\\+?150|unit"),
    "y has one number of 1e300": Rows(X, changed(Y, 1e300), "1e\\+?150|unit"),
    "y is below 1e-150": Rows(X, Y * 1e-170, "1e-150|unit"),
    "y is sparse": Rows(X, sparse.csr_matrix(Y[:, None]), "[Ss]parse|sequence"),
    "y is dates": Rows(X, pd.date_range("2026-01-01", periods=12), "dates or times"),
    "y is dates in a zone": Rows(X, pd.Series(pd.date_range("2026-01-01", periods=12, tz="UTC")), "dates or times"),
    "y is lengths of time": Rows(X, np.arange(12).astype("timedelta64[h]"), "dates or times"),
    "y is a list of dates": Rows(X, [datetime(2020, 1, 1)] * 12, "dates or times"),
    "y is months": Rows(X, pd.Series(pd.period_range("2026-01", periods=12, freq="M")), "dates or times"),
    "y is ranges": Rows(X, pd.Series(pd.cut(Y, 3)), "ranges, such as"),
    "y is ranges without order": Rows(X, pd.arrays.IntervalArray.from_breaks(range(13)), "ranges, such as"),
    "y has one date": Rows(X, [*Y[1:], date(2026, 1, 1)], "dates or times"),
    "y has one word": Rows(X, [*Y[1:].astype(str), "cheap"], "text, such as 'cheap'"),
    "y has one word in the second output": Rows(X, [[0.0, 1.0]] * 11 + [[0.0, "cheap"]], "text, such as 'cheap'"),
    "y is words of pandas": Rows(X, pd.array(["cheap"] * 12, dtype="string"), "text, such as 'cheap'"),
    "y is words of Polars": Rows(X, pl.Series(["cheap"] * 12), "text, such as 'cheap'"),
    "y is dates of Polars": Rows(X, pl.Series([date(2026, 1, 1 + i) for i in range(12)]), "dates or times"),
    "y is a Polars table of dates": Rows(X, pl.DataFrame({"y": [date(2026, 1, 1)] * 12}), "dates or times"),
    "y is lengths of time of Polars": Rows(X, pl.Series([timedelta(i) for i in range(12)]), "dates or times"),
    "y is dates of Arrow": Rows(X, pa.array([date(2026, 1, 1)] * 12), "dates or times"),
    "y is numbers of Polars": Rows(X, pl.Series(Y), FINE),
    "y is numbers of Arrow": Rows(X, pa.array(Y), FINE),
    "y has a masked value": Rows(X, np.ma.masked_array(Y, Y > 0.9), "NaN"),
    "y has pandas' NA": Rows(X, changed(Y, pd.NA, object), "NaN"),
    "y is whole numbers beyond all floats": Rows(X, [10**400] * 12, "unit"),
    "y is a dictionary": Rows(X, dict(enumerate(Y)), "`y` must be an array"),
    "y is the values of a dictionary": Rows(X, dict(enumerate(Y)).values(), "`y` must be an array.*`list"),
    "X is a dictionary": Rows({"a": X[:, 0], "b": X[:, 1]}, Y, "DataFrame"),
    "X is a generator": Rows((row for row in X), Y, "list"),
    "X has fields with names": Rows(np.zeros(12, dtype=[("a", "f8"), ("b", "f8")]), Y, "DataFrame"),
    "X is whole numbers": Rows(np.arange(24).reshape(12, 2), Y, FINE),
    "X is truth values": Rows(X > 0, Y, FINE),
    "X is float16": Rows(X.astype(np.float16), Y.astype(np.float16), FINE),
    "X is lists": Rows(X.tolist(), Y.tolist(), FINE),
    "X is whole numbers as objects": Rows(np.arange(24).reshape(12, 2).astype(object), Y, FINE),
    "X is in Fortran's order": Rows(np.asfortranarray(X), Y, FINE),
    "X has strides": Rows(np.repeat(X, 2, axis=0)[::2], np.repeat(Y, 2)[::2], FINE),
    "X cannot be written to": Rows(np.frombuffer(X.tobytes()).reshape(12, 2), Y, FINE),
    "X is big-endian": Rows(X.astype(">f8"), Y.astype(">f8"), FINE),
    "X is a table of Int64": Rows(pd.DataFrame(np.arange(24).reshape(12, 2), dtype="Int64"), pd.Series(Y), FINE),
    "y is numbers as text": Rows(X, Y.astype(str), FINE),
    "y is whole numbers": Rows(X, np.arange(12), FINE),
    "X is int8": Rows((100 * X).astype(np.int8), Y, FINE),
    "X is uint8, backwards": Rows((50 * (X + 1)).astype(np.uint8)[::-1], Y[::-1], FINE),
    "X is long doubles": Rows(X.astype(np.longdouble), Y.astype(np.longdouble), FINE),
    "X has masked values": Rows(np.ma.masked_array(X, X > 0.9), Y, FINE),
    "X is a series": Rows(pd.Series(X[:, 0]), Y, "2-dimensional|2D"),
    "X has two columns of one name": Rows(pd.DataFrame(X, columns=["a", "a"]), Y, "unique|several columns"),
    "X has lists in cells": Rows(pd.DataFrame({"a": [[1.0]] * 12}), Y, "one value in each cell"),
    "X has lengths of time": Rows(pd.DataFrame({"a": pd.to_timedelta(np.arange(12), "h")}), Y, "must hold numbers"),
    "X is timedelta64": Rows(X.astype("timedelta64[h]"), Y, r"'x0' .* such as .table\['x0'\] / "),
    "X has lengths of time, as objects": Rows(
        pd.DataFrame({"a": pd.Series([timedelta(hours=i) for i in range(12)], dtype=object)}),
        Y,
        r"must hold numbers.*Say in which unit, such as .table\['a'\] / .*, or leave the column out",
    ),
    "X has months, as objects": Rows(
        pd.DataFrame({"a": pd.Series(list(pd.period_range("2026-01", periods=12, freq="M")), dtype=object)}),
        Y,
        "must hold numbers.*leave the column out with `drop`. `unabases.TableRegressor` takes such rules",
    ),
    "X has times of a day": Rows(pd.DataFrame({"a": [time(i) for i in range(12)]}), Y, "must hold numbers"),
    "X has times of a day, of Polars": Rows(pl.DataFrame({"a": [time(i) for i in range(12)]}), Y, "must hold numbers"),
    "X has months": Rows(pd.DataFrame({"a": pd.period_range("2026-01", periods=12, freq="M")}), Y, "must hold numbers"),
    "X has objects without text": Rows(pd.DataFrame({"a": [object()] * 12}), Y, "one value in each cell"),
    "X has functions": Rows(pd.DataFrame({"a": [lambda: 1] * 12}), Y, "one value in each cell"),
    "X is a table of Arrow": Rows(pa.table({"a": X[:, 0], "b": ["red", "blue"] * 6}), Y, FINE),
    "X is rows of Arrow": Rows(pa.record_batch({"a": pa.array(DECIMALS)}), Y, FINE),
    "X has decimals of Arrow": Rows(
        pd.DataFrame({"a": pd.Series(DECIMALS, dtype=pd.ArrowDtype(pa.decimal128(9, 2)))}), Y, FINE
    ),
    "X has two columns of one number": Rows(pd.DataFrame(X, columns=[1, 1]), Y, "unique|several columns"),
    "y is lists": Rows(X, pd.Series([[value] for value in Y]), "holds a list in each row"),
    "X has ranges": Rows(pd.DataFrame({"a": pd.arrays.IntervalArray.from_breaks(range(13))}), Y, "must hold numbers"),
    "X is one row twelve times": Rows(np.ones((12, 2)), Y, FINE),
    "X is around 1e9": Rows(X + 1e9, Y, FINE),
    "X is of sizes 1e-100 and 1e100": Rows(X * [1e-100, 1e100], Y, FINE),
    "y is around 1e12": Rows(X, Y + 1e12, FINE),
    "y is one column": Rows(X, Y[:, None], FINE),
    "y is constant but for one row": Rows(X, np.arange(12) == 3, FINE),
    "y is Int64": Rows(X, pd.Series(np.arange(12), dtype="Int64"), FINE),
    "y is Int64 with a hole": Rows(X, pd.Series([None, *range(11)], dtype="Int64"), "NaN"),
    "y is 0-dimensional": Rows(X, np.array(3.0), "scalar|1 dimension"),
}
"""Given to `fit`."""

QUESTIONS = {
    "a NaN": (changed(X, NAN), "NaN"),
    "an infinity": (changed(X, INF), "infinity"),
    "too few columns": (X[:, :1], "1 features.*2 features"),
    "too many columns": (np.hstack([X, X]), "4 features.*2 features"),
    "no rows": (X[:0], "0 sample"),
    "a vector": (X[:, 0], "2D array"),
    "three axes": (X[:, :, None], "dim"),
    "text": (X.astype(str) + "x", "could not convert|dtype"),
    "complex numbers": (X + 1j, "[Cc]omplex"),
    "a sparse matrix": (sparse.coo_array(X), FINE),
    "None": (None, "[Nn]one|NoneType|scalar"),
    "ragged lists": ([[1.0, 2.0], [3.0]], "inhomogeneous|sequence"),
    "one row": (X[:1], FINE),
    "float16": (X.astype(np.float16), FINE),
    "lists": (X.tolist(), FINE),
}
"""Given to `predict`, and the answer."""

_NOT_A_COUNT = (0, -1, 1.5, "three", None, [], True, NAN)
_NOT_POSITIVE = (0.0, -1.0, NAN, INF, "large", [], {}, 1j)
_SETTINGS: dict[str, tuple[Any, ...]] = {
    "max_steps": _NOT_A_COUNT,
    "n_heads": _NOT_A_COUNT,
    "n_points": (0, -1, 1.5, "three", [], True, NAN),
    "n_members": _NOT_A_COUNT,
    "n_chains": _NOT_A_COUNT,
    "n_warmup": _NOT_A_COUNT,
    "n_samples": _NOT_A_COUNT,
    "max_depth": _NOT_A_COUNT,
    "n_passes": _NOT_A_COUNT,
    "n_draws": _NOT_A_COUNT,
    "n_fourier": _NOT_A_COUNT,
    "max_rows": (-1, 1.5, "three", None, []),
    "n_folds": (*_NOT_A_COUNT, 1),
    "n_slabs": (-1, 1.5, "three", None, []),
    "restarts": (-1, 1.5, "three", None, []),
    "hidden_layer_sizes": ((0,), (-3,), (2.5,), ("wide",), "wide", None, ((3,),), {}, 1.5),
    "learning_rate": _NOT_POSITIVE,
    "sigma2": (0.0, -1.0, NAN, INF, "nonsense", [1.0, 2.0, 3.0], {}),
    "gamma": (-1.0, NAN, INF, "large", []),
    "lam": (-1.0, NAN, "large", []),
    "strength": (-1.0, NAN, "large", []),
    "epsilon": _NOT_POSITIVE,
    "rate": (-0.1, 1.0, 2.0, NAN, "large"),
    "prior_variance": (0.0, -1.0, NAN, INF, "nonsense", []),
    "prior_precision": (0.0, -1.0, NAN, INF, "nonsense", []),
    "length_scale": (0.0, -1.0, NAN, "long"),
    "norm_bound": (0.0, -1.0, NAN, "tight"),
    "target_accept": (0.0, 1.0, 2.0, NAN, "often"),
    "activation": ("sigmoidal", 3, [], {}),
    "optimizer": ("newton", 3, [], {}),
    "decay": ("slow", 3, [], {}),
    "schedule": ("now", 3, [], {}),
    "objective": ("best", 3, [], None),
    "kernel": ("linear", 3, [], None),
    "sampler": ("gibbs", 3, [], None),
    "penalty": ("square", 3, []),
    "similarity": ("like", 3, []),
    "where": ("there", 3, []),
    "gradient": ("steep", 3, []),
    "noise": ("loud", 3, []),
    "tails": ("long", 3, []),
    "target": ("cube", 3, []),
    "inputs": ("square", 3, []),
    "terms": ("rising", 3, [3]),
    "batch_size": (0, -1, 1.5, "few", []),
    "patience": (0, -1, 1.5, "long", None),
    "validation_fraction": (0.0, 1.0, -0.1, NAN, "half"),
    "standardize": (7, "yes", None, []),
    "early_stopping": (7, "yes", None, []),
    "warm_start": (7, "yes", []),
    "verbose": ("loud", []),
    "random_state": (-1, 1.5, "seed", 2**40, [], np.random.default_rng(0)),
}

WORDS = {"hidden_layer_sizes": "hidden", "random_state": "random_state|Seed"}
"""What errors call a parameter, if not by its name."""


def settings() -> Iterator[Setting]:
    """Every value that a parameter cannot have."""
    for name, values in _SETTINGS.items():
        yield from (Setting(name, value) for value in values)
