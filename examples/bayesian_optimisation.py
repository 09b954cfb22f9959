"""Bayesian optimisation: tune a classifier with few evaluations of an expensive function."""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.model_selection import KFold, cross_val_score
from sklearn.svm import SVC

from unabases.bayesopt import BayesOpt, Space
from unabases.plotting import draw_best, draw_map, map_over

EVALUATIONS = 20

X, y = load_digits(return_X_y=True)


def error(point):
    """Share of digits that a support vector machine with these settings gets wrong."""
    folds = KFold(3, shuffle=True, random_state=0)
    return 1 - cross_val_score(SVC(**point), X[:600], y[:600], cv=folds).mean()


space = Space(C=(1e-2, 1e3, "log"), gamma=(1e-6, 1e-1, "log"), kernel=["rbf", "poly"])
opt = BayesOpt(space, random_state=0)
for _ in range(EVALUATIONS):  # or opt.minimize(error, n=EVALUATIONS)
    point = opt.ask()
    opt.tell(point, error(point))

print(opt.history_.round(5).to_string())
print(f"\nbest: {100 * opt.best_.value:.1f} % wrong, with {opt.best_.x}")

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
draw_best(left, opt).set_ylabel("share of digits that are wrong")
draw_map(right, map_over(opt, ("C", "gamma")))
figure.savefig("bayesian_optimisation.png", dpi=100)
