"""Gap and tail: what would the model say where my table has no rows? Hold a region out and see.

Hold out the middle of one column (a gap) and its ends (tails), train without them, and compare errors and intervals
there with those on rows like the training rows.
"""

import numpy as np
from sklearn.datasets import load_diabetes

from unabases import UNA
from unabases.datasets import make_gap, make_tail
from unabases.metrics import epistemic, interval_coverage, rmse

STEPS = 1500
COLUMN = 2  # body mass index

X, y = load_diabetes(return_X_y=True)
gap, tail = make_gap(X, y, COLUMN), make_tail(X, y, COLUMN)
for name, kept, held_out in (("gap", gap.not_gap, gap.gap), ("tails", tail.not_tail, tail.tail)):
    kept = np.random.default_rng(0).permutation(kept)
    train, test = kept[:250], kept[250:]
    model = UNA(max_steps=STEPS, random_state=0).fit(X[train], y[train])
    for place, rows in (("on the data", test), (f"in the {name}", held_out)):
        prediction = model.predict_dist(X[rows])
        print(
            f"{place:<12} RMSE {rmse(prediction, y[rows]):5.1f}, epistemic std {epistemic(prediction):5.1f}, "
            f"{interval_coverage(prediction, y[rows], 0.9):.0%} inside 90 % intervals"
        )
