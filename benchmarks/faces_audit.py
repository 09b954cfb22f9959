"""Audits of faces: gender should be named first where training had men only, and nothing where it had a random half.

LUNA with 50 units learns age from image features; gender, the year of the photograph, the detector's score and a
column that says nothing are offered to the audit. Trained on men, it audits other men and women, 5 seeds; "ours" is the
share of runs in which `gender = female` is named first. Trained on half of all people, it audits the other half, 20
splits at the level 5 %; "ours" is the share of runs in which anything is named. Needs the file of faces, see
docs/data.md.
"""

from typing import Any

import numpy as np
import pandas as pd

from benchmarks import row
from unabases import LUNA, audit
from unabases.audit import Reference
from unabases.datasets import load_faces
from unabases.paper.faces import SHARED, steps_of

LEVEL, HELD_OUT, TRAINED = 0.05, 2000, 17_694


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
    for share, runs in (("men only", 1 if quick else 5), ("a random half", 2 if quick else 20)):
        found = [one(X, faces.age.astype(np.float64), columns, share == "men only", seed) for seed in range(runs)]
        named = [" ".join(f"{c}={v}" for c, v in result.named[["column", "value"]].to_numpy()[:3]) for result in found]
        if share == "men only":
            first = [result.columns["column"].iloc[0] == "gender" and text.startswith("gender=female") for result, text in zip(found, named, strict=True)]  # fmt: skip  # noqa: E501
            rises = [result.named["relative"].iloc[0] for result in found if len(result.named)]
            what = f"trained on men, {runs} seeds: gender = female first ({100 * np.mean(rises):+.0f} %)"
            rows.append(row(what, float(np.mean(first)), unit="", least=1.0, named=named))
        else:
            alarms = float(np.mean([bool(text) for text in named]))
            chance = 2 * float(np.sqrt(LEVEL * (1 - LEVEL) / runs))
            what = f"trained on a random half, {runs} splits: anything named"
            rows.append(row(what, alarms, unit="", most=LEVEL + chance, named=named))
    return rows


def one(X: np.ndarray, y: np.ndarray, columns: pd.DataFrame, men_only: bool, seed: int) -> Any:
    """Train on some people, hold out others of their kind, and audit all the rest."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(X))
    if men_only:
        man = (columns["gender"] == "male").to_numpy()[order]
        order = np.concatenate([order[man], order[~man]])
    train, apart, rest = order[:TRAINED], order[TRAINED : TRAINED + HELD_OUT], order[TRAINED + HELD_OUT :]
    settings = {**SHARED, "hidden_layer_sizes": (50,), "n_points": 16, "sigma2": 134.0, "max_steps": steps_of(TRAINED)}
    model = LUNA(**settings, random_state=seed).fit(X[train], y[train])
    return audit(
        model,
        X[rest],
        columns.iloc[rest].to_dict("series"),
        reference=Reference(X[apart], by=columns.iloc[apart].to_dict("series")),
        level=LEVEL,
        random_state=seed,
    )
