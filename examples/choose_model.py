"""Choosing a model for 300 rows: several regressors and scikit-learn's, by cross-validation.

RMSE says how good the means are, the log-likelihood how good the whole predictions are (higher is better).
"""

import numpy as np
import pandas as pd
from sklearn.datasets import load_diabetes
from sklearn.model_selection import KFold

from unabases import LUNA, UNA, GaussianProcess, NeuralLinear
from unabases.metrics import interval_coverage, log_likelihood, rmse

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
