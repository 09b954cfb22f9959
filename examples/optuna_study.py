"""Bayesian optimisation of a real model with Optuna: gradient boosting, tuned by our sampler.

`UnabasesSampler` is a sampler like Optuna's own: pruning, storage and dashboards work with it.
"""

import matplotlib.pyplot as plt
import numpy as np
import optuna
from sklearn.datasets import load_diabetes
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.model_selection import cross_val_score

from unabases import GaussianProcess
from unabases.bayesopt.optuna_sampler import UnabasesSampler
from unabases.plotting import plain_axes

EVALUATIONS = 30

X, y = load_diabetes(return_X_y=True)


def error(trial):
    """Cross-validated RMSE of gradient boosting with the settings of a trial."""
    model = GradientBoostingRegressor(
        learning_rate=trial.suggest_float("learning_rate", 0.01, 0.5, log=True),
        n_estimators=trial.suggest_int("n_estimators", 20, 200, log=True),
        max_depth=trial.suggest_int("max_depth", 1, 6),
        subsample=trial.suggest_float("subsample", 0.3, 1.0),
        random_state=0,
    )
    return -cross_val_score(model, X, y, cv=3, scoring="neg_root_mean_squared_error").mean()


optuna.logging.set_verbosity(optuna.logging.WARNING)
sampler = UnabasesSampler(surrogate=GaussianProcess(restarts=1), n_startup_trials=6, seed=0)
study = optuna.create_study(sampler=sampler)
study.enqueue_trial({"learning_rate": 0.1, "n_estimators": 100, "max_depth": 3, "subsample": 1.0})
study.optimize(error, n_trials=EVALUATIONS)
print(f"RMSE {study.trials[0].value:.1f} with scikit-learn's defaults, {study.best_value:.1f} with {study.best_params}")

values = [trial.value for trial in study.trials]
figure, ax = plt.subplots(figsize=(8, 3.6), layout="constrained")
plain_axes(ax).plot(range(1, len(values) + 1), values, ".", color="#222222", label="a trial")
ax.step(range(1, len(values) + 1), np.minimum.accumulate(values), where="post", color="#2166ac", label="best so far")
ax.axhline(values[0], color="#8c8c8c", linestyle="--", label="scikit-learn's defaults")
ax.set_xlabel("trial")
ax.set_ylabel("RMSE of gradient boosting")
ax.legend(frameon=False)
figure.savefig("optuna_study.png", dpi=100)
