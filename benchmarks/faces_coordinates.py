"""Faces: how much of what is found depends on the coordinates in which the features are stored.

The 256 stored columns are principal components of *all* faces, women included. A model trained on men that is sensitive
to these axes may therefore profit from women it has never been shown. Four sets of axes for the same 256 dimensions
tell whether it does: the stored columns; these rotated at random; the principal components of the training rows; and,
to see that the women are what matters, the components of everybody, computed anew.

First come yardsticks without a model of age: the AUROC of a logistic regression that is shown both groups, and of
distances from the mean of the training rows. In all 256 dimensions a distance does not depend on the axes; in the first
few it does, and in the first few stored columns it knows the women (a leak). "Ours" is the mean distance of people whom
training lacks relative to the training rows, "theirs" that of other test rows.

Then LUNA and a neural linear model trained by MAP on `faces-men`, with the settings of docs/faces.md, mean over five
splits: "one scale" is `standardize="common"`, "own scales" is `standardize=True`; "first 64" keeps only so many axes.
AUROC (± std over the splits) says how well the epistemic std tells women from other men; "ours" is the rise of the
epistemic std on women relative to the training rows, "theirs" that on other men. Needs the file of faces, see
docs/data.md.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks import row
from benchmarks.faces import fit
from unabases.datasets import FACES_SETS, load_faces
from unabases.paper.data import Rows, load_rows

SPLITS = 5
STORED, ROTATED = "stored columns", "stored columns rotated at random"
TRAINING, EVERYBODY = "components of the training rows", "components of everybody"
SCALES = {"common": "one scale", True: "own scales"}


class Model(NamedTuple):
    """A line of the tables in docs/faces.md."""

    label: str
    regressor: str
    settings: dict[str, Any]


class Inputs(NamedTuple):
    """Axes for the features, how many of them are kept, and how they are scaled."""

    axes: str
    standardize: str | bool = "common"
    kept: int = 256


MODELS = (
    Model("LUNA, 50 units", "LUNA", {}),
    Model("NLM, MAP, 50 units", "NeuralLinear", {}),
    Model("LUNA, 50 units, 200 heads", "LUNA", {"n_heads": 200}),
    Model("LUNA", "LUNA", {"hidden_layer_sizes": (500,)}),
    Model("NLM, MAP", "NeuralLinear", {"hidden_layer_sizes": (500,)}),
)
FEW = (Inputs(STORED), Inputs(ROTATED), Inputs(TRAINING), Inputs(TRAINING, True))
MANY = (
    *(Inputs(axes, scale) for scale in SCALES for axes in (STORED, EVERYBODY, ROTATED, TRAINING)),
    *(Inputs(axes, kept=kept) for kept in (64, 16) for axes in (STORED, TRAINING)),
)


def run(quick: bool) -> list[dict]:
    try:
        load_faces()
    except FileNotFoundError as error:
        raise ImportError(str(error)) from error  # what `run` reports and passes over
    lines = [line for dataset in FACES_SETS for line in yardsticks(dataset, load_rows("faces", dataset, 0))]
    for model in MODELS[:1] if quick else MODELS:
        study = MANY if model in MODELS[:2] else FEW
        for inputs in study[:1] if quick else study:
            found = [scores(model, inputs, split) for split in range(1 if quick else SPLITS)]
            lines.append(summary(model, inputs, found))
            print(lines[-1]["what"], lines[-1]["ours"], lines[-1]["theirs"], flush=True)
    return lines


def turned(rows: Rows, axes: str, kept: int = 256, seed: int = 0) -> Rows:
    """The same rows along the first `kept` of other axes."""
    assert rows.X_gap is not None
    everybody = np.concatenate([rows.X_train, rows.X_test, rows.X_gap])
    square = np.random.default_rng(seed).standard_normal((everybody.shape[1],) * 2)
    make: dict[str, Callable[[], np.ndarray]] = {
        STORED: lambda: np.eye(len(square)),
        ROTATED: lambda: np.linalg.qr(square)[0],
        TRAINING: lambda: components(rows.X_train),
        EVERYBODY: lambda: components(everybody),
    }
    turn = make[axes]()[:, :kept]
    return rows._replace(X_train=rows.X_train @ turn, X_test=rows.X_test @ turn, X_gap=rows.X_gap @ turn)


def components(X: np.ndarray) -> np.ndarray:
    """Principal axes of these rows as columns, by falling variance."""
    return np.linalg.eigh(np.cov(X.T))[1][:, ::-1]


def scores(model: Model, inputs: Inputs, split: int) -> dict[str, float]:
    """Scores of one fit."""
    rows = turned(load_rows("faces", "faces-men", split), inputs.axes, inputs.kept, split)
    return fit(model.regressor, {**model.settings, "standardize": inputs.standardize}, rows, "faces-men", split)


def summary(model: Model, inputs: Inputs, found: list[dict[str, float]]) -> dict:
    """A line of the table: means over the splits, with the spread of the AUROC."""
    mean = {key: float(np.mean([one[key] for one in found])) for key in found[0]}
    spread = float(np.std([one["auroc"] for one in found]))
    first = "" if inputs.kept == 256 else f"first {inputs.kept} "
    return row(
        f"faces-men: {model.label}, {first}{inputs.axes}, {SCALES[inputs.standardize]}: "
        f"error {mean['mae']:.2f} / {mean['mae_gap']:.2f}, AUROC {mean['auroc']:.3f} ± {spread:.3f}",
        f"{100 * mean['rise_gap']:+.1f} %",
        f"{100 * mean['rise']:+.1f} %",
        unit="",
        **mean,
    )


def yardsticks(dataset: str, rows: Rows) -> list[dict]:
    """How well people whom training lacks can be told from others without a model of age."""
    assert rows.X_gap is not None
    X = np.concatenate([rows.X_test, rows.X_gap])
    lacked = np.r_[np.zeros(len(rows.X_test)), np.ones(len(rows.X_gap))]
    order = np.random.default_rng(0).permutation(len(X))
    half, rest = order[::2], order[1::2]
    shown = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=500)).fit(X[half], lacked[half])
    area = float(roc_auc_score(lacked[rest], shown.decision_function(X[rest])))
    lines = [row(f"{dataset}: AUROC of a logistic regression that is shown both", area, unit="")]
    for kept in (16, 64):
        for axes in (TRAINING, STORED):
            what = f"Mahalanobis' distance, first {kept} {axes}" + " (a leak)" * (axes == STORED)
            lines.append(distance_line(f"{dataset}: {what}", turned(rows, axes, kept), whiten=True))
    lines.append(distance_line(f"{dataset}: Mahalanobis' distance, all 256 dimensions", rows, whiten=True))
    lines.append(distance_line(f"{dataset}: Euclidean distance, all 256 dimensions", rows, whiten=False))
    return lines


def distance_line(what: str, rows: Rows, *, whiten: bool) -> dict:
    """Distances from the mean of the training rows, whitened by their covariance or as they are."""
    assert rows.X_gap is not None
    parts = [part - rows.X_train.mean(axis=0) for part in (rows.X_train, rows.X_test, rows.X_gap)]
    L = np.linalg.cholesky(np.linalg.inv(np.cov(parts[0].T))) if whiten else np.eye(parts[0].shape[1])
    seen, like, unlike = (np.linalg.norm(part @ L, axis=1) for part in parts)
    lacked = np.r_[np.zeros(len(like)), np.ones(len(unlike))]
    area = float(roc_auc_score(lacked, np.r_[like, unlike]))
    rises = (f"{100 * (part.mean() / seen.mean() - 1):+.1f} %" for part in (unlike, like))
    return row(f"{what}, AUROC {area:.3f}", *rises, unit="", auroc=area)
