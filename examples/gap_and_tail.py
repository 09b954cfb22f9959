"""Gap and tail: what would the model say where my table has no rows? Hold a region out and see.

Hold out the middle of one column (a gap) and its ends (tails), train without them, and compare errors and intervals
there with those on rows like the training rows.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes

from unabases import UNA
from unabases.datasets import make_gap, make_tail
from unabases.metrics import epistemic, interval_coverage, rmse
from unabases.plotting import plain_axes

STEPS = 1500
COLUMN = 2  # body mass index

X, y = load_diabetes(return_X_y=True)
gap, tail = make_gap(X, y, COLUMN), make_tail(X, y, COLUMN)
figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
parts = (("gap", gap.not_gap, gap.gap), ("tails", tail.not_tail, tail.tail))
for ax, (name, kept, held_out) in zip(axes, parts, strict=True):
    kept = np.random.default_rng(0).permutation(kept)
    train, test = kept[:250], kept[250:]
    model = UNA(max_steps=STEPS, random_state=0).fit(X[train], y[train])
    places = (("on the data", test, "#8c8c8c"), (f"in the {name}", held_out, "#2166ac"))
    for place, rows, colour in places:
        prediction = model.predict_dist(X[rows])
        plain_axes(ax).plot(X[rows, COLUMN], prediction.epistemic_std, ".", color=colour, label=place)
        print(
            f"{place:<12} RMSE {rmse(prediction, y[rows]):5.1f}, epistemic std {epistemic(prediction):5.1f}, "
            f"{interval_coverage(prediction, y[rows], 0.9):.0%} inside 90 % intervals"
        )
    ax.set_title(f"trained without the {name}")
    ax.set_xlabel("body mass index, scaled")
    ax.locator_params(axis="x", nbins=5)
    ax.legend(frameon=False)
axes[0].set_ylabel("epistemic std of a row")
axes[0].set_ylim(bottom=0)
figure.savefig("gap_and_tail.png", dpi=100)
