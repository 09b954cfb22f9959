"""Choosing a model for 300 rows: several regressors and scikit-learn's, by cross-validation.

RMSE says how good the means are, the log-likelihood how good the whole predictions are (higher is better).
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.datasets import load_diabetes
from sklearn.model_selection import KFold

from unabases import LUNA, UNA, GaussianProcess, NeuralLinear
from unabases.metrics import interval_coverage, log_likelihood, rmse
from unabases.plotting import plain_axes

STEPS = 1500
FOLDS = 3

X, y = load_diabetes(return_X_y=True)
X, y = X[:300], y[:300]
models = {
    "UNA": UNA(max_steps=STEPS, random_state=0),
    "LUNA": LUNA(max_steps=STEPS, sigma2="left-out", random_state=0),
    "NeuralLinear": NeuralLinear(max_steps=STEPS, sigma2="left-out", random_state=0),
    "GaussianProcess": GaussianProcess(restarts=0, random_state=0),
}
lines = []
for name, model in models.items():
    for train, test in KFold(FOLDS, shuffle=True, random_state=0).split(X):
        prediction = model.fit(X[train], y[train]).predict_dist(X[test])
        scores = (
            rmse(prediction, y[test]),
            log_likelihood(prediction, y[test]),
            interval_coverage(prediction, y[test], 0.9),
        )
        lines.append((name, *scores))
table = pd.DataFrame(lines, columns=["model", "RMSE", "log-likelihood", "inside 90 %"])
print(table.groupby("model", sort=False).mean().round(2).to_string())
print(f"\nalways the mean: RMSE {np.std(y):.2f}")

figure, axes = plt.subplots(1, 3, figsize=(9, 3), sharey=True, layout="constrained")
for ax, score in zip(axes, ("RMSE", "log-likelihood", "inside 90 %"), strict=True):
    plain_axes(ax).plot(table[score], table["model"], "o", color="#8c8c8c", markersize=4)
    mean = table.groupby("model", sort=False)[score].mean()
    ax.plot(mean, mean.index, "|", color="#2166ac", markersize=18, markeredgewidth=3)
    ax.set_xlabel(score)
axes[2].axvline(0.9, color="#777777", linewidth=1, zorder=0)
axes[0].invert_yaxis()
figure.suptitle("a point for each fold, a bar for their mean", fontsize=10)
figure.savefig("choose_model.png", dpi=100)
