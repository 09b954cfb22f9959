"""Many LUNA models, each with its own λ and γ: one call of ours compared with eager PyTorch, one model after another.

PyTorch trains one model for a few hundred steps; the others would take equally long.
"""

from functools import partial

import numpy as np

from benchmarks import median_seconds, row, seconds
from benchmarks.luna_step import CHUNK, SHAPES, fastest_torch, make_data, objective, start, train_ours
from unabases.objectives import AtData
from unabases.training import make_batch

TARGETS = {"100×1": 6.0, "270×13": 2.5}


def run(quick: bool) -> list[dict]:
    members, steps, torch_steps, repeats = (16, 100, 100, 3) if quick else (64, 500, 500, 3)
    rows = []
    for name, (n, d) in SHAPES.items():
        X, y = make_data(n, d)
        batch, params = make_batch(X, y), start(d, members)
        torch_run = fastest_torch(X, y, start(d), torch_steps)
        side = int(np.sqrt(members))
        grid = [(lam, gamma) for lam in np.geomspace(0.1, 10, side) for gamma in np.geomspace(1e-3, 1, side)]
        for where, target in ((AtData(), TARGETS[name]), (AtData(n_points=32), None)):
            models = [objective(params, lam, gamma, where) for lam, gamma in grid]
            ours = partial(train_ours, models, params, batch)
            first, again = (seconds(partial(ours, CHUNK)) for _ in range(2))
            mine, other = median_seconds(repeats, partial(ours, steps), torch_run)
            mine, other = mine / members / steps, other / torch_steps
            points = "" if where.n_points is None else f", penalty at {where.n_points} rows (PyTorch: at all)"
            rows.append(
                row(
                    f"{name}, {len(models)} models: one step of one{points}",
                    mine,
                    other,
                    ratio=other / mine,
                    least=target,
                    compiling=first - again,
                    torch=torch_run.choice,
                    torch_steps_measured=torch_steps,
                )
            )
    return rows
