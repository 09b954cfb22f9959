"""Faces: what raises the epistemic std of a model of age on people whom its training data lacks.

Trained on men, tested on other men and on women (`faces-men` of `unabases.datasets.load_faces_split`); the last lines
are trained on ages below 30 and above 40 and tested on these and between (`faces-ages`). A line is a setting: a change
from LUNA, or from a neural linear model trained by MAP, with one layer of 50 units as in
`unabases.paper.faces`. "Ours" is the mean epistemic std on people whom training lacks relative to the training
rows, "theirs" that on other test rows; the errors are mean absolute ones in years, on the other test rows and on people
whom training lacks. AUROC says how well the epistemic std tells the two apart. All of this is in the stored columns,
whose axes were found with everybody's faces: `faces_coordinates` shows what that does. Needs the file of faces, see
docs/data.md; docs/faces.md says what was found.
"""

import time
from typing import Any

import jax
import numpy as np

from benchmarks import row
from unabases.datasets import load_faces
from unabases.paper.data import Rows, load_rows
from unabases.paper.faces import SHARED, faces_scores, steps_of
from unabases.regressors import all_regressors
from unabases.regressors.luna import AS_IN_PAPER

SIGMA2 = {"faces-men": 134.0, "faces-ages": 150.0}  # about the squared error of ridge regression on rows held out
_BASE: dict[str, dict[str, Any]] = {
    "LUNA": {**AS_IN_PAPER, "where": "between", "n_points": 16},
    "NeuralLinear": {},
}


def beyond(X: Any, key: Any) -> Any:
    """Points as far outside the data as another row is on the other side."""
    return 2 * X - X[jax.random.permutation(key, len(X))]


_BOTH: tuple[tuple[str, dict[str, Any]], ...] = (
    ("as it is", {}),
    ("each input by its own spread", {"standardize": True}),
    ("rate 0.01", {"learning_rate": 1e-2}),
    ("rate 0.0003", {"learning_rate": 3e-4}),
    ("30 epochs", {"epochs": 30}),
    ("20 units", {"hidden_layer_sizes": (20,)}),
    ("100 units", {"hidden_layer_sizes": (100,)}),
    ("500 units", {"hidden_layer_sizes": (500,)}),
    ("50 and 50 units", {"hidden_layer_sizes": (50, 50)}),
    ("500 and 50 units", {"hidden_layer_sizes": (500, 50)}),
    ("γ = 10", {"gamma": 10.0}),
    ("γ = 100", {"gamma": 100.0}),
    ("α = 0.001", {"prior_variance": 1e-3}),
    ("α = 100", {"prior_variance": 100.0}),
)
_LUNA: tuple[tuple[str, dict[str, Any]], ...] = (
    ("λ = 0", {"lam": 0.0}),
    ("λ = 0.1", {"lam": 0.1}),
    ("λ = 30", {"lam": 30.0}),
    ("λ = 300", {"lam": 300.0}),
    ("ε = 0.03", {"epsilon": 0.03}),
    ("ε = 2", {"epsilon": 2.0}),
    ("pointwise", {"similarity": "pointwise"}),
    ("at the data", {"where": "data"}),
    ("beyond the data", {"where": beyond, "n_points": None}),
    ("64 points a step", {"n_points": 64}),
    ("5 heads", {"n_heads": 5}),
    ("50 heads", {"n_heads": 50}),
    ("200 heads", {"n_heads": 200}),
    (
        "the paper's settings",
        {"hidden_layer_sizes": (500,), "gamma": 0.1, "lam": 0.01, "prior_variance": 1e6, "where": "data"},
    ),
)
STUDY = (
    *(("LUNA", what, own) for what, own in (*_BOTH, *_LUNA)),
    *(("NeuralLinear", what, own) for what, own in _BOTH),
)
AGES = tuple(one for one in STUDY if one[1] in ("as it is", "500 units", "λ = 30", "beyond the data"))


def run(quick: bool) -> list[dict]:
    try:
        load_faces()
    except FileNotFoundError as error:
        raise ImportError(str(error)) from error  # what `run` reports and passes over
    lines = []
    for dataset, study in (("faces-men", STUDY), ("faces-ages", AGES)):
        for name, what, own in study[:1] if quick else study:
            seeds = 3 if what == "as it is" and not quick else 1
            found = [fit(name, own, load_rows("faces", dataset, seed), dataset, seed) for seed in range(seeds)]
            lines.append(line(f"{dataset}: {'LUNA' if name == 'LUNA' else 'NLM, MAP'}, {what}", *found))
            print(lines[-1]["what"], lines[-1]["ours"], lines[-1]["theirs"], flush=True)
    return lines


def fit(name: str, own: dict[str, Any], rows: Rows, dataset: str, seed: int = 0) -> dict[str, float]:
    """Scores of one fit."""
    steps = steps_of(len(rows.y_train), own.get("epochs", 10))
    own = {name: value for name, value in own.items() if name != "epochs"}
    begin = time.perf_counter()
    model = all_regressors()[name](
        **{
            **_BASE[name],
            **SHARED,
            "hidden_layer_sizes": (50,),
            "sigma2": SIGMA2[dataset],
            "max_steps": steps,
            **own,
            "random_state": seed,
        }
    ).fit(rows.X_train, rows.y_train)
    seconds = time.perf_counter() - begin
    return {**faces_scores(None, rows, model).scores, "fit_seconds": seconds}


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
