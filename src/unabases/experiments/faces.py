"""Sampling bias in faces: a model of age that has seen no women, or nobody in their thirties.

The paper's section on image data. `"faces-men"` trains on men and tests on other men and on women; `"faces-ages"`
trains on ages below 30 and above 40 and tests on others of these and on ages from 30 to 40.
"""

from typing import Any

import numpy as np

from unabases.datasets.faces import load_faces
from unabases.experiments.data import Rows
from unabases.experiments.spec import Trial
from unabases.experiments.trials import Outcome
from unabases.metrics.detection import auroc
from unabases.metrics.scores import epistemic, eurc, log_likelihood, mae
from unabases.regressors.base import AbstractRegressor

DATASETS = ("faces-men", "faces-ages")
TRAINED = {"faces-men": 21_000, "faces-ages": 23_000}  # rows, of 29,678 men and of 30,713 not in their thirties
EPOCHS, BATCH = 10, 1024
SHARED: dict[str, Any] = {
    **{"hidden": (500,), "activation": "relu", "batch_size": BATCH},  # as in the paper
    **{"learning_rate": 1e-3, "standardize": "common"},  # chosen: see docs/faces.md
}
_LUNA = {"n_points": 16}

# Label, class, settings.
METHODS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("LUNA", "LUNA", _LUNA),
    ("LUNA, 50 units", "LUNA", {**_LUNA, "hidden": (50,)}),
    ("NLM, MAP", "NeuralLinear", {"objective": "map"}),
    ("NLM, MAP, 50 units", "NeuralLinear", {"objective": "map", "hidden": (50,)}),
    ("RFF SNGP", "RandomFourierSNGP", {}),
    ("MC dropout", "MCDropout", {}),
    ("Mean-field VI", "MeanFieldVI", {}),
    ("Vanilla ensemble", "VanillaEnsemble", {"n_members": 5}),
    ("Bootstrap ensemble", "BootstrapEnsemble", {"n_members": 5}),
    ("Anchored ensemble", "AnchoredEnsemble", {"n_members": 5}),
)


def faces_rows(dataset: str, split: int) -> Rows:
    """Rows of one of `DATASETS`; the split is the seed by which rows are trained on or tested."""
    if dataset not in DATASETS:
        raise ValueError(f"unknown data set {dataset!r}; known ones are {', '.join(DATASETS)}.")
    faces = load_faces()
    X, y = faces.features.astype(np.float64), faces.age.astype(np.float64)
    outside = faces.gender == 0 if dataset == "faces-men" else (y >= 30) & (y <= 40)
    order = np.random.default_rng(split).permutation(np.flatnonzero(~outside))
    train, test = order[: TRAINED[dataset]], order[TRAINED[dataset] :]
    return Rows(X[train], y[train], X[train], y[train], X[test], y[test], X[outside], y[outside])


def steps_of(rows: int, epochs: int = EPOCHS) -> int:
    """Steps of so many passes over the rows."""
    return epochs * -(-rows // BATCH)


def faces_scores(trial: Trial | None, rows: Rows, model: AbstractRegressor) -> Outcome:
    """Error and epistemic std on training rows, on rows like them, and on those that training lacks (`_gap`).

    `rise` is the epistemic std relative to the training rows, less 1, as the paper gives it; `eurc` is that of the rows
    that training lacks relative to the other test rows.
    """
    assert rows.X_gap is not None
    assert rows.y_gap is not None
    seen, like, unlike = (model.predict_dist(X) for X in (rows.X_train, rows.X_test, rows.X_gap))
    scores = {
        "mae_train": mae(seen, rows.y_train),
        "mae": mae(like, rows.y_test),
        "mae_gap": mae(unlike, rows.y_gap),
        "log_likelihood": log_likelihood(like, rows.y_test),
        "log_likelihood_gap": log_likelihood(unlike, rows.y_gap),
        "epistemic_train": epistemic(seen),
        "epistemic": epistemic(like),
        "epistemic_gap": epistemic(unlike),
        "rise": eurc(like, seen),
        "rise_gap": eurc(unlike, seen),
        "eurc": eurc(unlike, like),
        "auroc": auroc(unlike, like),
    }
    keep = trial is None or trial.seed == 0
    quantiles = np.linspace(0, 1, 201)
    curves = {
        name: np.quantile(part.epistemic_std, quantiles).tolist()
        for name, part in (("train", seen), ("test", like), ("gap", unlike))
    }
    return Outcome(scores, curves if keep else {})
