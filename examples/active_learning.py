"""Active learning: which row to label next? The one that the model is least sure about, beside random rows.

Labels are dear and rows are cheap: 400 rows lie ready, most of them in the middle, and 10 have a label. Each new label
is learned at once by `update`, which is exact for the last layer; after ten of them the networks train again.
"""

import matplotlib.pyplot as plt
import numpy as np

from unabases import UNA

STEPS = 1000
ROUNDS = 4  # of ten labels each

rng = np.random.default_rng(0)


def outcome(X):
    """What a label says: costly to ask for."""
    return np.sin(2 * X[:, 0]) + 0.5 * X[:, 1] ** 2 + 0.1 * rng.standard_normal(len(X))


pool = np.vstack([rng.normal(0, 0.4, (380, 2)), rng.uniform(-2, 2, (20, 2))])
labels = outcome(pool)
test = rng.uniform(-2, 2, (500, 2))  # what matters is the whole square
truth = np.sin(2 * test[:, 0]) + 0.5 * test[:, 1] ** 2


def learn(choose):
    """Label row after row, each chosen from those that have no label yet, and note the error."""
    known, errors = list(range(10)), []
    for _ in range(ROUNDS):
        model = UNA(max_steps=STEPS, random_state=0).fit(pool[known], labels[known])
        errors.append(np.sqrt(np.mean((model.predict(test) - truth) ** 2)))
        for _ in range(10):
            rest = np.setdiff1d(np.arange(len(pool)), known)
            row = rest[choose(model, pool[rest])]
            model.update(pool[[row]], labels[[row]])
            known.append(row)
    model = UNA(max_steps=STEPS, random_state=0).fit(pool[known], labels[known])
    return known, [*errors, np.sqrt(np.mean((model.predict(test) - truth) ** 2))]


ways = {
    "least sure": lambda model, rows: np.argmax(model.predict_dist(rows).epistemic_std),
    "random": lambda model, rows: rng.integers(len(rows)),
}
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
left.scatter(*pool.T, s=6, color="#c8c8c8", label="no label")
for (name, choose), colour in zip(ways.items(), ("#2166ac", "#8c8c8c"), strict=True):
    known, errors = learn(choose)
    print(f"{name}: RMSE {errors[0]:.2f} with 10 labels, {errors[-1]:.2f} with {len(known)}")
    counts = 10 + 10 * np.arange(len(errors))
    right.plot(counts, errors, "o-", color=colour)
    right.annotate(name, (counts[-1], errors[-1]), (6, 0), textcoords="offset points", va="center", color=colour)
    if name == "least sure":
        left.scatter(*pool[known].T, s=18, color=colour, label=f"labelled, {name} first")
left.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=2, frameon=False)
left.set_aspect("equal")
right.set_xlabel("rows with a label")
right.set_ylabel("RMSE over the whole square")
right.set_ylim(bottom=0)
right.margins(x=0.15)
right.spines[["top", "right"]].set_visible(False)
figure.savefig("active_learning.png", dpi=100)
