"""Tables that come with other packages, each with a target that is worth predicting. Nothing is downloaded."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

__all__ = ["PACKAGED", "Table", "load_packaged"]


class Table(NamedTuple):
    """Inputs and target."""

    X: Float[np.ndarray, "n d"]
    y: Float[np.ndarray, " n"]


def load_packaged(name: str) -> Table:
    """Load a table that comes with scikit-learn or statsmodels.

    Parameters
    ----------
    name
        One of `PACKAGED`.

    Examples
    --------
    >>> load_packaged("diabetes").X.shape
    (442, 10)
    """
    if name not in PACKAGED:
        raise ValueError(f"unknown table {name!r}; known ones are {', '.join(PACKAGED)}.")
    return PACKAGED[name]()


def _sklearn(loader: str) -> Any:
    from sklearn import datasets

    return getattr(datasets, f"load_{loader}")()


def _statsmodels(module: str) -> Any:
    """A table of statsmodels as a DataFrame."""
    try:
        import statsmodels.datasets as source  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise FileNotFoundError("The table comes with statsmodels: pip install statsmodels.") from error
    return getattr(source, module).load_pandas().data


def _column(loader: str, column: str) -> Callable[[], Table]:
    """One column of a table of scikit-learn is predicted from the others; its own target, a class, is left out."""

    def load() -> Table:
        source = _sklearn(loader)
        place = [str(name) for name in source.feature_names].index(column)
        values = np.asarray(source.data, dtype=np.float64)
        return Table(np.delete(values, place, axis=1), values[:, place].copy())

    return load


def _diabetes() -> Table:
    source = _sklearn("diabetes")
    return Table(source.data, source.target)


def _linnerud() -> Table:
    """Weight of twenty men in a fitness club, from how much they exercise."""
    source = _sklearn("linnerud")
    return Table(source.data, source.target[:, list(source.target_names).index("Weight")])


def _engel() -> Table:
    """What households spend on food, from their income; the richer, the more it varies."""
    frame = _statsmodels("engel")
    return Table(frame[["income"]].to_numpy(np.float64), frame["foodexp"].to_numpy(np.float64))


def _ccard() -> Table:
    """What people spend by credit card in a month: few rows, and skewed."""
    frame = _statsmodels("ccard")
    return Table(frame[["AGE", "INCOME", "OWNRENT"]].to_numpy(np.float64), frame["AVGEXP"].to_numpy(np.float64))


def _star98() -> Table:
    """The share of pupils above the median in mathematics, in the school districts of California."""
    frame = _statsmodels("star98")
    inputs = frame.drop(columns=["NABOVE", "NBELOW"])
    inputs = inputs[[name for name in inputs if "_" not in name]]  # without the products that the source adds
    share = frame["NABOVE"] / (frame["NABOVE"] + frame["NBELOW"])
    return Table(inputs.to_numpy(np.float64), share.to_numpy(np.float64))


PACKAGED: dict[str, Callable[[], Table]] = {
    "diabetes": _diabetes,
    "wine": _column("wine", "alcohol"),
    "breast-cancer": _column("breast_cancer", "mean smoothness"),
    "iris": _column("iris", "petal width (cm)"),
    "linnerud": _linnerud,
    "digits": _column("digits", "pixel_3_4"),
    "engel": _engel,
    "ccard": _ccard,
    "star98": _star98,
}
"""Every table by name; the last three come with statsmodels, which is optional."""
