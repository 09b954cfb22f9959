"""Settings the paper prints that do not train, and those used instead: RMSE outside the gap on the UCI gap sets.

Uses the first split of each set, and the noise from NeuralLinear's residuals. Needs the data directory.
"""

import warnings

import numpy as np

from benchmarks import row
from unabases import AnchoredEnsemble, NeuralLinear
from unabases.datasets import load_gap
from unabases.paper.methods import ANCHORED
from unabases.paper.presets import preset_settings

SETS = ("yacht-froude", "concrete-cement", "boston-lstat")


def run(quick: bool) -> list[dict]:
    rows = []
    for name in SETS[:1] if quick else SETS:
        data = load_gap(name, 0)
        linear = NeuralLinear(random_state=0).fit(data.X_train, data.y_train)
        more = {"sigma2": linear.sigma2_, "random_state": 0}
        models = [
            AnchoredEnsemble(**preset_settings("uci-gap", ANCHORED, as_printed=printed), **more)
            for printed in (False, True)
        ]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            used, printed = (error(model.fit(data.X_train, data.y_train), data) for model in models)
        rows.append(row(f"AnchoredEnsemble on {name}: RMSE (theirs: as printed)", used, printed, unit=""))
        rows.append(row(f"NeuralLinear on {name}: RMSE", error(linear, data), unit=""))
    return rows


def error(model, data) -> float:
    return float(np.sqrt(np.mean((model.predict(data.X_test) - data.y_test) ** 2)))
