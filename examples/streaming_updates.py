"""Streaming updates: rows arrive week by week, and the model learns them at once, without training again.

`update` adds rows to the exact last layer and `forget` takes them out: what you get is the posterior of the rows that
are in it. The features stay as they were trained. In week 10 rows begin to come from elsewhere; the epistemic std
says so before any outcome is known.
"""

import matplotlib.pyplot as plt
import numpy as np

from unabases import UNA

STEPS = 1500
WEEKS = 20

rng = np.random.default_rng(0)


def week(number):
    """Fifty rows; from week 10 on, half of them are from beyond x = 2."""
    x = rng.uniform(-2, 2, 50)
    if number >= 10:
        x[:25] = rng.uniform(2, 3, 25)
    return x[:, None], np.sin(2 * x) + 0.1 * rng.standard_normal(50)


model = UNA(max_steps=STEPS, random_state=0).fit(*week(0))
kept, unsure = [], []
for number in range(1, WEEKS):
    X, y = week(number)
    unsure.append(model.predict_dist(X).epistemic_std.mean())  # before the outcomes are known
    model.update(X, y)
    kept.append((X, y))
    if len(kept) > 8:  # keep two months
        model.forget(*kept.pop(0))
print(f"epistemic std in week 9: {unsure[8]:.3f}, in week 10: {unsure[9]:.3f}, in week {WEEKS - 1}: {unsure[-1]:.3f}")

figure, ax = plt.subplots(figsize=(6, 3.5), layout="constrained")
ax.plot(range(1, WEEKS), unsure, "o-", color="#2166ac")
ax.set_xlabel("week")
ax.set_ylabel("mean epistemic std of new rows")
ax.set_xticks(range(1, WEEKS, 3))
ax.set_ylim(bottom=0)
ax.spines[["top", "right"]].set_visible(False)
figure.savefig("streaming_updates.png", dpi=100)
