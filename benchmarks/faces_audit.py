"""Audits of faces: gender should be named first where training had men only, and nothing where it had a random half.

LUNA with 50 units learns age from image features; gender, the year of the photograph, the detector's score and a
column that says nothing are offered to the audit. Trained on men, it audits other men and women, 5 seeds; "ours" is the
share of runs in which `gender = female` is named first. The stored columns are axes found with everybody's faces, women
included, so the same is done with the principal components of the training rows as inputs. Trained on half of all
people, it audits the other half, 20 splits at the level 5 %; "ours" is the share of runs in which anything is named.
Needs the file of faces, see docs/data.md.
"""

from typing import Any

import numpy as np
import pandas as pd

from benchmarks import row
from benchmarks.faces_coordinates import STORED, TRAINING, components
from unabases import LUNA, audit
from unabases.audit import Reference
from unabases.datasets import load_faces
from unabases.paper.faces import SHARED, steps_of

LEVEL, HELD_OUT, TRAINED = 0.05, 2000, 17_694
MEN, HALF = "men", "a random half"
STUDY = ((MEN, STORED, 5), (MEN, TRAINING, 5), (HALF, STORED, 20))  # who trains, in which axes, how often


def run(quick: bool) -> list[dict]:
    try:
        faces = load_faces()
    except FileNotFoundError as error:
        raise ImportError(str(error)) from error  # what `run` reports and passes over
    X = faces.features.astype(np.float64)
    columns = pd.DataFrame(
        {
            "gender": pd.Series(np.where(faces.gender == 1, "male", "female"), dtype=object),
            "photo_year": faces.photo_year.astype(np.float64),
            "face_score": faces.face_score.astype(np.float64),
            "letter": pd.Series(np.random.default_rng(0).choice(list("abcde"), len(X)), dtype=object),
        }
    )
    rows = []
    for share, axes, runs in STUDY:
        runs = min(runs, 2) if quick else runs
        found = [one(X, faces.age.astype(np.float64), columns, share, axes, seed) for seed in range(runs)]
        named = [" ".join(f"{c}={v}" for c, v in result.named[["column", "value"]].to_numpy()[:3]) for result in found]
        if share == MEN:
            first = [
                result.columns["column"].iloc[0] == "gender" and text.startswith("gender=female")
                for result, text in zip(found, named, strict=True)
            ]
            rises = [result.named["relative"].iloc[0] for result in found if len(result.named)]
            rise = f" ({100 * np.mean(rises):+.0f} %)" if rises else ""
            what = f"trained on {share}, {axes}, {runs} seeds: gender = female first{rise}"
            least = 1.0 if axes == STORED else None
            rows.append(row(what, float(np.mean(first)), unit="", least=least, named=named))
        else:
            alarms = float(np.mean([bool(text) for text in named]))
            chance = 2 * float(np.sqrt(LEVEL * (1 - LEVEL) / runs))
            what = f"trained on {share}, {axes}, {runs} splits: anything named"
            rows.append(row(what, alarms, unit="", most=LEVEL + chance, named=named))
    return rows


def one(X: np.ndarray, y: np.ndarray, columns: pd.DataFrame, share: str, axes: str, seed: int) -> Any:
    """Train on some people, hold out others of their kind, and audit all the rest."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(X))
    if share == MEN:
        man = (columns["gender"] == "male").to_numpy()[order]
        order = np.concatenate([order[man], order[~man]])
    train, apart, rest = order[:TRAINED], order[TRAINED : TRAINED + HELD_OUT], order[TRAINED + HELD_OUT :]
    X = X if axes == STORED else X @ components(X[train])
    settings = {**SHARED, "hidden_layer_sizes": (50,), "n_points": 16, "sigma2": 134.0, "max_steps": steps_of(TRAINED)}
    model = LUNA.as_in_paper(where="between", **settings, random_state=seed).fit(X[train], y[train])
    return audit(
        model,
        X[rest],
        columns.iloc[rest].to_dict("series"),
        reference=Reference(X[apart], by=columns.iloc[apart].to_dict("series")),
        level=LEVEL,
        random_state=seed,
    )
