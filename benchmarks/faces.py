"""Faces: what raises the epistemic std of a model of age on people whom its training data lacks.

Trained on men, tested on other men and on women; trained on ages below 30 and above 40, tested inside and in between
(`unabases.experiments.faces`). Each row is a setting: "ours" is the epistemic std on the people that training lacks
relative to the training rows, and "theirs" that on other test rows. The error is that of rows like the training data
and of those it lacks. Needs the file of faces, see docs/data.md; docs/faces.md says what was seen.
"""

import time
from typing import Any

import numpy as np

from benchmarks import row
from unabases.datasets import load_faces
from unabases.experiments.faces import DATASETS, METHODS, SHARED, faces_rows, faces_scores, steps_of
from unabases.regressors import all_regressors

SIGMA2 = {"faces-men": 134.0, "faces-ages": 150.0}  # about the squared error of ridge regression on rows held out
_EACH = {"standardize": True}
STUDY: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("NLM, MAP", "NeuralLinear", {}),
    ("NLM, MAP, each input by its own spread", "NeuralLinear", _EACH),
    ("NLM, MAP, 20 features on top", "NeuralLinear", {"hidden": (500, 20)}),
    ("LUNA", "LUNA", {}),
    ("LUNA, each input by its own spread", "LUNA", _EACH),
    ("LUNA, λ = 30", "LUNA", {"lam": 30.0}),
    ("LUNA, λ = 30, at the data", "LUNA", {"lam": 30.0, "where": "data"}),
    ("LUNA, γ = 0.01", "LUNA", {"gamma": 0.01}),
    ("LUNA, γ = 10", "LUNA", {"gamma": 10.0}),
    ("LUNA, ε = 2", "LUNA", {"epsilon": 2.0}),
    ("LUNA, pointwise", "LUNA", {"similarity": "pointwise"}),
    ("LUNA, α = 0.001", "LUNA", {"alpha": 1e-3}),
    ("LUNA, 50 units", "LUNA", {"hidden": (50,)}),
    ("LUNA, 20 features on top", "LUNA", {"hidden": (500, 20)}),
)


def run(quick: bool) -> list[dict]:
    try:
        load_faces()
    except FileNotFoundError as error:
        raise ImportError(str(error)) from error  # what `run` reports and passes over
    lines = []
    for dataset in DATASETS:
        rows = faces_rows(dataset, 0)
        if quick:
            rows = rows._replace(X_train=rows.X_train[:2000], y_train=rows.y_train[:2000])
        lines += [line(f"{dataset}: {label}", fit(name, own, rows, dataset)) for label, name, own in STUDY]
    for label, name, own in METHODS:
        for dataset in DATASETS:
            found = [fit(name, own, faces_rows(dataset, seed), dataset, seed) for seed in range(1 if quick else 5)]
            lines.append(line(f"{dataset}, {len(found)} seeds: {label}", *found))
    return lines


def fit(name: str, own: dict[str, Any], rows: Any, dataset: str, seed: int = 0) -> dict[str, float]:
    """Scores of one fit."""
    cls = all_regressors()[name]
    settings = {**SHARED, "sigma2": SIGMA2[dataset], "steps": steps_of(len(rows.y_train)), **own, "random_state": seed}
    begin = time.perf_counter()
    model = cls(**{key: value for key, value in settings.items() if key in cls().get_params()})
    model.fit(rows.X_train, rows.y_train)
    return {**faces_scores(None, rows, model).scores, "fit_seconds": time.perf_counter() - begin}


def line(what: str, *found: dict[str, float]) -> dict:
    """Mean over seeds, and of what else is worth knowing the text."""
    mean = {name: float(np.mean([scores[name] for scores in found])) for name in found[0]}
    spread = f" ± {100 * np.std([scores['rise_gap'] for scores in found]):.1f}" if len(found) > 1 else ""
    return row(
        f"{what}: error {mean['mae']:.2f} / {mean['mae_gap']:.2f}, AUROC {mean['auroc']:.3f}",
        f"{100 * mean['rise_gap']:+.1f}{spread} %",
        f"{100 * mean['rise']:+.1f} %",
        unit="",
        **mean,
    )
