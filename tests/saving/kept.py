"""Small files of every kind of model, kept for each version: `python -m tests.saving.kept` writes those of this one.

Files that are there are never written again: they are the proof that later versions read them.
"""

import json
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from unabases import (
    Conformal,
    GapCalibrated,
    GaussianProcess,
    NeuralLinear,
    TableRegressor,
    all_regressors,
    load,
    save,
)
from unabases.bayesopt import BayesOpt, Space
from unabases.saving.container import package_version
from unabases.tables import TableModel
from unabases.terms import Bounds, Periodic, Through

FOLDER = Path(__file__).parent / "files"
EXPECTED = "predictions.json"
STUDY = "study"
SMALL = {
    "hidden_layer_sizes": (4, 3),
    "max_steps": 3,
    "sigma2": 0.04,
    "n_heads": 2,
    "n_points": 4,
    "n_members": 2,
    "n_folds": 2,
    "n_slabs": 0,
    "n_chains": 1,
    "n_warmup": 3,
    "n_samples": 3,
    "max_depth": 2,
    "n_draws": 2,
    "n_passes": 4,
    "n_fourier": 6,
    "restarts": 1,
    "random_state": 0,
}
_OWN = {"SNGP": {"hidden_layer_sizes": (4, 4)}, "RandomFourierSNGP": {"hidden_layer_sizes": (4, 4)}}
_X = np.array([[-1.5, 0.1], [-1.2, 0.9], [-0.7, 0.3], [-0.2, 0.6], [0.3, 0.2], [0.6, 0.8], [1.1, 0.4], [1.6, 0.7]])
_Y = np.array([2.1, 1.6, 0.4, 0.1, 0.2, 0.5, 1.3, 2.4])
_TABLE = pd.DataFrame(
    {
        "rooms": [3.0, 4.0, np.nan, 2.0, 5.0, 6.0] * 4,
        "heating": ["oil", "gas", "oil", None, "gas", "coal"] * 4,
        "price": [210.0, 260.0, 230.0, 150.0, 330.0, 390.0] * 4,
    }
)
_DATED = _TABLE.assign(
    built=pd.to_datetime(["1990-05-01", "2003-11-17", "1978-02-28", None, "2015-07-30", "2021-01-01"] * 4),
    region=[1, 2, 3, 2] * 6,
)
NEW = pd.DataFrame(
    {
        "rooms": [3.5, 9.0, np.nan],
        "heating": ["gas", "wood", None],
        "built": pd.to_datetime(["1995-01-01", None, "2040-01-01"]),
        "region": [2, 5, 1],
    }
)


class Kept(NamedTuple):
    """A file, and what its model predicted when it was written."""

    version: str
    name: str
    path: Path
    expected: dict[str, list[float]]


def small(name: str, **more: Any) -> Any:
    """An unfitted regressor that makes a small file, fast."""
    cls = all_regressors()[name]
    given = {**SMALL, **_OWN.get(name, {}), **more}
    return cls(**{key: value for key, value in given.items() if key in cls().get_params()})


def _gap_calibrated() -> Any:
    return GapCalibrated(small("NeuralLinear"), n_slabs=0, n_folds=2, random_state=0).fit(_X, _Y)


def _conformal() -> Any:
    return Conformal(small("NeuralLinear"), held_out=0.5, random_state=0).fit(_X, _Y)


def _outputs() -> Any:
    return small("NeuralLinear", sigma2=[0.04, 0.09]).fit(pd.DataFrame(_X, columns=["a", "b"]), np.c_[_Y, _Y**2])


def _varying() -> Any:
    return small("UNA", sigma2="left-out", noise="varying").fit(_X, _Y)


def _skewed() -> Any:
    return small("UNA", sigma2="left-out", target="log").fit(_X, _Y)


def _told() -> Any:
    terms = [Periodic(1, 1.0), Bounds(lower=-1.0), Through([[3.0, 0.5]], 2.0, std=0.1)]
    return small("UNA", terms=terms).fit(_X, _Y)


def _table(regressor: Any) -> TableModel:
    return TableModel.fit(_TABLE, "price", regressor=regressor, missing="impute", random_state=0)


def _by_itself() -> Any:
    return small("LUNA").fit(_DATED.drop(columns="price"), _DATED["price"])


def _ruled() -> Any:
    ruled = TableRegressor(small("NeuralLinear"), categories=["region"], drop=["rooms"])
    return ruled.fit(_DATED.drop(columns="price"), _DATED["price"])


def _default_table() -> TableModel:
    frame = _DATED.assign(often=[1.0, 2.0] * 12)
    rules: Any = {"weight": "often", "categories": ["region"], "keep": ["rooms"], "missing": "impute"}
    return TableModel.fit(frame, "price", regressor=small("UNA"), random_state=0, **rules)


def makers() -> dict[str, Callable[[], Any]]:
    """How to make every model, by the name of its file."""
    regressors = {name: (lambda name=name: small(name).fit(_X, _Y)) for name in all_regressors()}
    return {
        **regressors,
        "Conformal": _conformal,
        "GapCalibrated": _gap_calibrated,
        "NeuralLinear-outputs": _outputs,
        "UNA-varying": _varying,
        "UNA-skewed": _skewed,
        "UNA-told": _told,
        "LUNA-table": _by_itself,
        "TableRegressor": _ruled,
        "TableModel-UNA": _default_table,
        "TableModel": lambda: _table(small("NeuralLinear")),
        "TableModel-GaussianProcess": lambda: _table(GaussianProcess(restarts=0, max_rows=100)),
    }


def questions(model: Any) -> Any:
    """Rows to predict, some of them far away."""
    if isinstance(model, TableModel) or "heating" in getattr(model, "feature_names_in_", ()):
        return NEW
    if hasattr(model, "feature_names_in_"):
        return pd.DataFrame(2 * _X[:5], columns=model.feature_names_in_)
    return 2 * _X[:5]


def answers(model: Any) -> dict[str, list[float]]:
    """What a model predicts for these rows."""
    if isinstance(model, BayesOpt):
        pending = [next(iter(x.values())) for x in model.pending_]
        return {"values": [value for _, value in model.evaluations_], "pending": pending}
    d = model.predict_dist(questions(model))
    return {name: np.ravel(getattr(d, name)).tolist() for name in ("mean", "epistemic_std", "noise_std")}


def kept_files() -> Iterator[Kept]:
    """All files of all versions."""
    for folder in sorted(path for path in FOLDER.iterdir() if path.is_dir()):
        for name, expected in json.loads((folder / EXPECTED).read_text()).items():
            yield Kept(folder.name, name, folder / f"{name}.una", expected)


def open_kept(path: Path) -> Any:
    """The model or study in a file."""
    return BayesOpt.load(path) if path.stem == STUDY else load(path)


def write_files(folder: Path) -> None:
    """Make all models that are not there yet, and keep them."""
    folder.mkdir(parents=True, exist_ok=True)
    said = folder / EXPECTED
    expected = json.loads(said.read_text()) if said.exists() else {}
    for name, make in makers().items():
        if name in expected:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = make()
        save(model, folder / f"{name}.una")
        expected[name] = answers(model)
    if STUDY not in expected:
        study = _study()
        study.save(folder / f"{STUDY}.una")
        expected[STUDY] = {"values": [0.0, None, 1.0], "pending": answers(study)["pending"]}
    said.write_text(json.dumps(expected, indent=1) + "\n")


def _study() -> BayesOpt:
    study = BayesOpt(
        Space(x=(-2.0, 2.0), n=(1, 50, "log-integer"), kind=["a", ("b", 2), None]),
        surrogate=NeuralLinear(hidden_layer_sizes=(4,), max_steps=3, sigma2=0.01),
        n_initial=4,
        random_state=0,
    )
    for i in range(3):
        study.tell(study.ask(), None if i == 1 else 0.5 * i)
    study.ask()
    return study


if __name__ == "__main__":
    write_files(FOLDER / package_version())
