"""A LUNA search of 60 trials × 3 restarts on Boston-LSTAT, compared with the same 180 fits one after the other.

Both get the same noise variance. The fits in turn use our own estimator, compiled once; a sample of them is timed, and
so is a sample of eager PyTorch steps. The choices with and without pruning are compared by validation log-likelihood
and diversity.
"""

from functools import partial

import numpy as np

from benchmarks import row, seconds
from benchmarks.luna_step import fastest_torch, start
from unabases import LUNA
from unabases.datasets import load_gap
from unabases.selection import LUNASearch

TRIALS, RESTARTS = 60, 3


def run(quick: bool) -> list[dict]:
    trials, steps, sample = (12, 300, 4) if quick else (TRIALS, 2000, 12)
    data = load_gap("boston-lstat", 0)
    X, y, held_out = data.X_train, data.y_train, (data.X_val, data.y_val)
    base = LUNA(sigma2=9.0, max_steps=steps, random_state=0)
    make = partial(
        LUNASearch, base, n_random=10, n_trials=trials - 10, restarts=RESTARTS, validation=held_out, refit=False,
        random_state=0,
    )  # fmt: skip
    make(n_random=10, n_trials=0).fit(X, y)
    base.fit(X, y)
    whole, pruned = make(), make(prune=True)
    together = seconds(lambda: whole.fit(X, y))
    with_pruning = seconds(lambda: pruned.fit(X, y))
    one = seconds(lambda: [LUNA(**{**base.get_params(), "random_state": i}).fit(X, y) for i in range(sample)]) / sample
    in_turn = one * trials * RESTARTS
    torch_steps = 100 if quick else 300
    Z, t = (X - X.mean(0)) / X.std(0), ((y - y.mean()) / y.std())[:, None]
    eager = fastest_torch(Z, t, start(X.shape[1]), torch_steps)
    eager()
    torch_time = seconds(eager) / torch_steps * steps * trials * RESTARTS
    rows = [
        row(
            f"{trials} trials × {RESTARTS}, beside fits in turn", together, in_turn, ratio=in_turn / together, least=1.4
        ),
        row("the same, beside eager PyTorch", together, torch_time, ratio=torch_time / together, least=3.0),
        row("with pruning, beside fits in turn", with_pruning, in_turn, ratio=in_turn / with_pruning, least=2.5),
        row("with pruning, beside eager PyTorch", with_pruning, torch_time, ratio=torch_time / with_pruning, least=5.0),
    ]
    for label, search in (("all trials", whole), ("with pruning", pruned)):
        taken = search.results_.loc[search.best_index_]
        rows.append(
            row(f"the choice, {label}: log-likelihood, squared cosine",
                f"{taken['log_likelihood']:.3f}, {taken['diversity']:.3f}")
        )  # fmt: skip
    for n_trials in (10, 20) if quick else (10, 20, 40):
        rows.append(row(f"{n_trials} trials", seconds(lambda: make(n_trials=n_trials - 10).fit(X, y))))  # noqa: B023
    for share in (0.5, 1.0):
        part = np.arange(int(share * len(X)))
        for columns in (6, X.shape[1]):
            few = make(n_trials=0, validation=(held_out[0][:, :columns], held_out[1]))
            few.fit(X[part][:, :columns], y[part])
            taken = seconds(lambda: few.fit(X[part][:, :columns], y[part]))  # noqa: B023
            rows.append(row(f"10 trials, {len(part)} rows × {columns} columns", taken))
    return rows
