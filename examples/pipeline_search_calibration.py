"""Pipeline, search and calibration in one: choose the steps by cross-validation, then set the intervals.

Three parts of the table have three jobs, so that nothing is judged by what chose it: the search sees the first,
`Conformal` sets the intervals by the second, and the third shows what came of it. The score of the search
is the log-likelihood, which asks for a good mean and an honest width alike. The model is told that measurements are
good to ± 0.1, as the instrument's data sheet says; in truth their noise is three times as large.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.feature_selection import SelectKBest, f_regression
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import Pipeline

from unabases import Conformal, NeuralLinear
from unabases.metrics import calibration_curve, score
from unabases.metrics.scorers import log_likelihood
from unabases.plotting import draw_calibration

STEPS = 1000

rng = np.random.default_rng(0)
X = pd.DataFrame(rng.uniform(-2, 2, (700, 8)), columns=list("abcdefgh"))
y = 2 * np.sin(X["a"]) + 2 * np.tanh(2 * X["b"]) + 0.5 * X["c"] + 0.3 * rng.standard_normal(700)
X_rest, X_test, y_rest, y_test = train_test_split(X, y, test_size=200, random_state=0)
X_train, X_held_out, y_train, y_held_out = train_test_split(X_rest, y_rest, test_size=200, random_state=0)

steps = [
    ("columns", SelectKBest(f_regression)),
    ("model", NeuralLinear(sigma2=0.1**2, max_steps=STEPS, random_state=0)),
]
grid = {"columns__k": [3, 8], "model__gamma": [1.0, 100.0]}
search = GridSearchCV(Pipeline(steps), grid, cv=3, scoring=log_likelihood).fit(X_train, y_train)
print("chosen:", search.best_params_)

model = Conformal(search.best_estimator_, held_out=0).fit(X_train, y_train)  # intervals as the network has them
figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained", sharey=True)
for ax, name in zip(axes, ("as fitted", "calibrated"), strict=True):
    if name == "calibrated":
        model.calibrate(X_held_out, y_held_out)
        print(model.explanation_)
        print(model.levels_.round(2).to_string(index=False))
    scores = score(model, X_test, y_test, level=0.9)
    print(
        f"{name}: RMSE {scores['rmse']:.2f}, {scores['interval_coverage']:.0%} in their 90 % interval, "
        f"log-likelihood {scores['log_likelihood']:.2f}"
    )
    draw_calibration(ax, calibration_curve(model.predict_dist(X_test), y_test.to_numpy()), n_rows=len(y_test))
    ax.set_title(name)
figure.savefig("pipeline_search_calibration.png", dpi=100)
