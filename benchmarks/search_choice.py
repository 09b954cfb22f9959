"""What whole searches choose on the Cubic Gap data: the most diverse of the likely trials, and the likeliest.

Each run has its own data and seed: `LUNASearch` with the paper's ranges for γ, λ and the schedule, 10 and 50 trials,
validation by five folds, the true noise, a prior variance of 0.1, and five starts of the chosen settings. Three rules
choose from the same trials: the most diverse of the likeliest tenth (the default, and the paper's rule), the most
diverse of all within a standard error of the likeliest, and the likeliest. The yardstick is a Gaussian process on the
same rows; RMSE is on 10,000 other rows, so its own noise is 0.02. The prior variance scales the std in the gap, where
no validation row is; it, the sampler and the rule were chosen on runs 0 to 14, and runs 15 to 19 are shown.
"""

from functools import partial

import numpy as np
from sklearn.base import clone

from benchmarks import row
from unabases import LUNA, GaussianProcess
from unabases.datasets import cubic_gap
from unabases.metrics import epistemic, eurc, rmse
from unabases.selection import LUNASearch, likeliest, most_diverse
from unabases.selection.rules import sound_trials


def run(quick: bool) -> list[dict]:
    rows = []
    for seed in range(15, 16 if quick else 20):
        data, further = cubic_gap(random_state=seed), cubic_gap(n=10_000, random_state=1000 + seed)
        size = {"n_random": 4, "n_trials": 4, "batch": 4} if quick else {}
        base = LUNA(sigma2=data.sigma2, prior_variance=0.1, restarts=5, random_state=seed)
        search = LUNASearch(base, random_state=seed, **size).fit(data.X_train, data.y_train)
        yardstick = GaussianProcess(sigma2=data.sigma2, random_state=seed).fit(data.X_train, data.y_train)
        reference = epistemic(yardstick.predict_dist(data.gap_grid))
        beside = rmse(yardstick.predict_dist(further.X_test), further.y_test)
        models = {"of the tenth": search.best_estimator_}
        names = list(search.best_params_)
        for label, rule in (
            ("within an error", partial(most_diverse, keep="standard-error")),
            ("likeliest", likeliest),
        ):
            taken = search.results_.loc[rule(sound_trials(search.results_)), names].to_dict()
            models[label] = clone(search.best_estimator_).set_params(**taken).fit(data.X_train, data.y_train)
        for label, model in models.items():
            on_data, in_gap = model.predict_dist(further.X_test), model.predict_dist(data.gap_grid)
            change, error, share = eurc(in_gap, on_data), rmse(on_data, further.y_test), epistemic(in_gap) / reference
            chosen = ", ".join(f"{name} {_plain(getattr(model, name))}" for name in names)
            good = bool(change > 1 and 0.5 <= share <= 4 and error <= 3.4)
            target = {"target": "EURC > 100 %, std 0.5 to 4, RMSE ≤ 3.4", "met": good}
            what, ours = f"run {seed}, {label}: {chosen}", f"EURC {100 * change:+.0f} %, RMSE {error:.2f}"
            theirs = f"{share:.2f} of the GP's gap std, whose RMSE is {beside:.2f}"
            rows.append(row(what, ours, theirs) | (target if label == "of the tenth" else {}))
    return rows


def _plain(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float | np.floating) else str(value)
