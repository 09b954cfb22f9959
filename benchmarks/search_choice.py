"""What whole searches choose on the Cubic Gap data: likely and then diverse, beside likely alone.

Each run has its own data and seed; `LUNASearch` with the paper's ranges, 10 and 50 trials of 3 restarts, true noise.
Both choices are made from the same trials. The yardstick in the gap is a Gaussian process on the same data.
"""

import numpy as np
from sklearn.base import clone

from benchmarks import row
from unabases import LUNA, GaussianProcess
from unabases.datasets import cubic_gap
from unabases.metrics import epistemic, eurc, rmse
from unabases.selection import LUNASearch, likeliest


def run(quick: bool) -> list[dict]:
    rows = []
    for seed in range(1 if quick else 5):
        data = cubic_gap(random_state=seed)
        size = {"n_random": 4, "n_trials": 4, "batch": 4} if quick else {}
        search = LUNASearch(LUNA(sigma2=data.sigma2, random_state=seed), random_state=seed, **size)
        search.fit(data.X_train, data.y_train)
        yardstick = GaussianProcess(sigma2=data.sigma2, random_state=seed).fit(data.X_train, data.y_train)
        reference = epistemic(yardstick.predict_dist(data.gap_grid))
        complete = search.results_.loc[search.results_["state"] == "complete"]
        names = list(search.best_params_)
        alone = complete.loc[likeliest(complete), names].to_dict()
        likely = clone(search.best_estimator_).set_params(**alone).fit(data.X_train, data.y_train)
        for label, model in (("likely, then diverse", search.best_estimator_), ("likely alone", likely)):
            on_data, in_gap = model.predict_dist(data.X_test), model.predict_dist(data.gap_grid)
            chosen = ", ".join(f"{k} {v:.3g}" if isinstance(v, float | np.floating) else f"{k} {v}" for k, v in (
                (name, getattr(model, name)) for name in names))  # fmt: skip
            rows.append(
                row(f"run {seed}, {label}: {chosen}",
                    f"EURC {100 * eurc(in_gap, on_data):+.0f} %, RMSE {rmse(on_data, data.y_test):.2f}",
                    f"{epistemic(in_gap) / reference:.2f} of the GP's gap std")
            )  # fmt: skip
    return rows
