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
_LUNA = {"n_points": 16}
STUDY: tuple[tuple[str, str, dict[str, Any]], ...] = (
    *(
        (f"{label}{what}", name, {**base, **own})
        for label, name, base in (("LUNA", "LUNA", _LUNA), ("NLM, MAP", "NeuralLinear", {}))
        for what, own in (
            ("", {}),
            (", each input by its own spread", {"standardize": True}),
            (", rate 0.01", {"learning_rate": 1e-2}),
            (", rate 0.0003", {"learning_rate": 3e-4}),
            (", α = 0.001", {"alpha": 1e-3}),
            (", 100 units", {"hidden": (100,)}),
            (", 50 units", {"hidden": (50,)}),
            (", 30 units", {"hidden": (30,)}),
            (", 500 and 50 units", {"hidden": (500, 50)}),
            (", γ = 10", {"gamma": 10.0}),
        )
    ),
    *(
        (f"LUNA, {what}", "LUNA", {**_LUNA, **own})
        for what, own in (
            ("λ = 0.1", {"lam": 0.1}),
            ("λ = 30", {"lam": 30.0}),
            ("ε = 2", {"epsilon": 2.0}),
            ("pointwise", {"similarity": "pointwise"}),
            ("at the data", {"where": "data"}),
            ("64 points a step", {"n_points": 64}),
        )
    ),
)


def run(quick: bool) -> list[dict]:
    try:
        load_faces()
    except FileNotFoundError as error:
        raise ImportError(str(error)) from error  # what `run` reports and passes over
    lines = []
    rows = faces_rows("faces-men", 0)
    if quick:
        rows = rows._replace(X_train=rows.X_train[:2000], y_train=rows.y_train[:2000])
    for label, name, own in STUDY[:2] if quick else STUDY:
        lines.append(line(f"faces-men: {label}", fit(name, own, rows, "faces-men")))
    for label, name, own in METHODS[:2] if quick else METHODS:
        seeds = 1 if quick or name not in ("LUNA", "NeuralLinear") else 5
        for dataset in DATASETS:
            found = [fit(name, own, faces_rows(dataset, seed), dataset, seed) for seed in range(seeds)]
            lines.append(line(f"{dataset}, seeds {seeds}: {label}", *found))
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
