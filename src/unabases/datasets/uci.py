"""The UCI regression tables, read from the data directory and checked against their sha256."""

import hashlib
import io
import os
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from unabases.datasets.base import Dataset
from unabases.datasets.directory import DATA_DIR_VARIABLE, data_dir

__all__ = ["UCI", "UciTable", "load_uci"]

_CC_BY = "CC BY 4.0"


class UciTable(NamedTuple):
    """Facts about one table; its column names are the header of the file, the target is the last."""

    sha256: str
    units: Mapping[str, str]
    source: str
    licence: str
    citation: str


UCI: dict[str, UciTable] = {
    "boston": UciTable(
        sha256="79ac716620024011b03c0c44d2bf99069b8173649181926d9109c25475a3804c",
        units={
            "ZN": "%",
            "INDUS": "%",
            "NOX": "parts per 10 million",
            "RM": "rooms",
            "AGE": "%",
            "TAX": "USD per 10,000 USD",
            "LSTAT": "%",
            "MEDV": "1000 USD",
        },
        source="StatLib, formerly UCI",
        licence="none stated; freely redistributed",
        citation="Harrison, D. and Rubinfeld, D. L. (1978). Hedonic housing prices and the demand for clean "
        "air. Journal of Environmental Economics and Management 5, 81-102.",
    ),
    "concrete": UciTable(
        sha256="d0282e7eec33fa9fc0cef0bc0fd3d2bd3eec112d2178d660b6e0b1ba4b96c541",
        units={
            "cement": "kg/m³",
            "slag": "kg/m³",
            "fly_ash": "kg/m³",
            "water": "kg/m³",
            "superplasticizer": "kg/m³",
            "coarse_aggregate": "kg/m³",
            "fine_aggregate": "kg/m³",
            "age": "days",
            "strength": "MPa",
        },
        source="https://archive.ics.uci.edu/dataset/165",
        licence=_CC_BY,
        citation="Yeh, I.-C. (1998). Modeling of strength of high-performance concrete using artificial "
        "neural networks. Cement and Concrete Research 28, 1797-1808.",
    ),
    "yacht": UciTable(
        sha256="865590603d30b0fe9bf5fb87ce13ef6a265e13e65802885a097e67940f67f2c6",
        units={},
        source="https://archive.ics.uci.edu/dataset/243",
        licence=_CC_BY,
        citation="Gerritsma, J., Onnink, R. and Versluis, A. (1981). Geometry, resistance and stability of "
        "the Delft systematic yacht hull series. International Shipbuilding Progress 28, 276-297.",
    ),
    "energy": UciTable(
        sha256="c302983736e4fcd5dea54f60dbbf104719486fb209b7fc1f6f41963ac10fb490",
        units={"surface_area": "m²", "wall_area": "m²", "roof_area": "m²", "overall_height": "m"},
        source="https://archive.ics.uci.edu/dataset/242",
        licence=_CC_BY,
        citation="Tsanas, A. and Xifara, A. (2012). Accurate quantitative estimation of energy "
        "performance of residential buildings using statistical machine learning tools. Energy and "
        "Buildings 49, 560-567.",
    ),
    "kin8nm": UciTable(
        sha256="e74acfb93744b300a8bca76890a2a4a2f3dedf0ea6a76a7fb353da44ee91c773",
        units={},
        source="DELVE, University of Toronto; https://www.openml.org/d/189",
        licence="public",
        citation="Rasmussen, C. E. et al. (1996). The DELVE manual. University of Toronto.",
    ),
    "wine_red": UciTable(
        sha256="b51c8ee6ca1f66473bd98042780da9ce3eceaf6fe113441e8f2c3ee593b02318",
        units={
            "fixed_acidity": "g/dm³",
            "volatile_acidity": "g/dm³",
            "citric_acid": "g/dm³",
            "residual_sugar": "g/dm³",
            "chlorides": "g/dm³",
            "free_sulfur_dioxide": "mg/dm³",
            "total_sulfur_dioxide": "mg/dm³",
            "density": "g/cm³",
            "sulphates": "g/dm³",
            "alcohol": "% vol.",
        },
        source="https://archive.ics.uci.edu/dataset/186",
        licence=_CC_BY,
        citation="Cortez, P., Cerdeira, A., Almeida, F., Matos, T. and Reis, J. (2009). Modeling wine "
        "preferences by data mining from physicochemical properties. Decision Support Systems 47, 547-553.",
    ),
}


def load_uci(name: str, directory: str | os.PathLike[str] | None = None) -> Dataset:
    """Load a table of `UCI`, unscaled and in the order of its file, `uci/<name>.csv`.

    Parameters
    ----------
    directory
        As in `data_dir`.
    """
    if name not in UCI:
        raise ValueError(f"unknown UCI table {name!r}; known are {', '.join(UCI)}.")
    table = UCI[name]
    path = data_dir(directory) / "uci" / f"{name}.csv"
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise FileNotFoundError(
            f"the table {name!r} is not there: put it at {path}, or name the directory that holds "
            f"`uci/{name}.csv` with the environment variable {DATA_DIR_VARIABLE} or the argument "
            f"`directory`. Its origin: {table.source}."
        ) from None
    if (found := hashlib.sha256(content).hexdigest()) != table.sha256:
        raise ValueError(
            f"{path} ({len(content)} bytes) is not the expected table: its sha256 is {found}, not "
            f"{table.sha256}. It was edited, cut short or saved with other line endings; replace it."
        )
    header, _, rows = content.decode().partition("\n")
    *columns, target = header.split(",")
    values = np.loadtxt(io.StringIO(rows), delimiter=",", ndmin=2)  # exact to the last bit
    return Dataset(
        name=name,
        X=values[:, :-1].copy(),
        y=values[:, -1].copy(),
        columns=tuple(columns),
        target=target,
        units=table.units,
        source=table.source,
        licence=table.licence,
        citation=table.citation,
    )
