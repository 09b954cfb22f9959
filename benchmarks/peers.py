"""Two alternatives from other packages, last-layer Laplace (laplace-torch) and VBLL, against LUNA on Cubic Gap.

All have the same widths (50-20; the others with ELU units, see `unabases.paper.torch_rivals`) and as many steps on all
rows. LUNA and Laplace know the noise; VBLL learns it. Laplace chooses its prior precision by evidence. Times are of
second fits, so that they do not include our compilation.
"""

import numpy as np

from benchmarks import row, seconds
from benchmarks.luna_step import import_torch
from unabases import LUNA
from unabases.datasets import cubic_gap
from unabases.paper.torch_rivals import LaplaceNetwork, VariationalNetwork

STEPS = 2000
Outcome = tuple[float, float, float]  # RMSE, epistemic std on the data and in the gap


def run(quick: bool) -> list[dict]:
    import_torch()
    steps, seeds = (300, 1) if quick else (STEPS, 5)
    found: dict[str, list[tuple[float, Outcome]]] = {}
    for name, method in (("LUNA", fit_luna), ("last-layer Laplace", fit_laplace), ("VBLL", fit_vbll)):
        method(0, steps)
        for seed in range(seeds):
            outcome: list[Outcome] = []
            taken = seconds(lambda: outcome.append(method(seed, steps)))  # noqa: B023
            found.setdefault(name, []).append((taken, outcome[0]))
    rows = []
    reference = np.median([taken for taken, _ in found["LUNA"]])
    for name, results in found.items():
        taken = float(np.median([t for t, _ in results]))
        error, on_data, in_gap = (float(np.mean([o[i] for _, o in results])) for i in range(3))
        least = min(o[2] / o[1] - 1 for _, o in results)
        text = f"RMSE {error:.2f}, std {on_data:.2f} on data, {in_gap:.2f} in gap, least EURC {100 * least:+.0f} %"
        rows.append(row(f"{name}: {text}", taken, None, ratio=None if name == "LUNA" else taken / reference))
    return rows


def fit_luna(seed: int, steps: int) -> Outcome:
    data = cubic_gap(random_state=seed)
    model = LUNA(sigma2=data.sigma2, max_steps=steps, random_state=seed).fit(data.X_train, data.y_train)
    on_data, in_gap = model.predict_dist(data.X_test), model.predict_dist(data.gap_grid)
    return _outcome(on_data.mean, on_data.epistemic_std, in_gap.epistemic_std, data)


def fit_laplace(seed: int, steps: int) -> Outcome:
    data, Z, t, scale = _standardised(seed)
    noise = float(np.sqrt(data.sigma2) / scale)
    return _of(LaplaceNetwork(seed, steps, noise).fit(Z, t), data, scale)


def fit_vbll(seed: int, steps: int) -> Outcome:
    data, Z, t, scale = _standardised(seed)
    return _of(VariationalNetwork(seed, steps).fit(Z, t), data, scale)


def _standardised(seed: int) -> tuple:
    data = cubic_gap(random_state=seed)
    scale = float(data.y_train.std())
    return data, _rows(data, data.X_train), (data.y_train - data.y_train.mean()) / scale, scale


def _rows(data, rows: np.ndarray) -> np.ndarray:
    return (rows - data.X_train.mean()) / data.X_train.std()


def _of(model, data, scale: float) -> Outcome:
    mean, on_data = model.predict(_rows(data, data.X_test))
    in_gap = model.predict(_rows(data, data.gap_grid))[1]
    return _outcome(mean * scale + data.y_train.mean(), on_data * scale, in_gap * scale, data)


def _outcome(mean: np.ndarray, on_data: np.ndarray, in_gap: np.ndarray, data) -> Outcome:
    error = float(np.sqrt(np.mean((mean - data.y_test) ** 2)))
    return error, float(np.mean(on_data)), float(np.mean(in_gap))
