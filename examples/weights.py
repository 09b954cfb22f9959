"""Row weights: two instruments measure the same curve, and one of them is five times as noisy."""

import matplotlib.pyplot as plt
import numpy as np

from unabases import UNA
from unabases.metrics import rmse
from unabases.plotting import legend_below, plain_axes

STEPS = 1500


def truth(X):
    """The curve."""
    return np.sin(2 * X[:, 0])


rng = np.random.default_rng(0)
X = rng.uniform(-2, 2, (80, 1))
variance = np.where(rng.uniform(size=80) < 0.5, 0.1**2, 0.5**2)  # of the instrument that each row comes from
y = truth(X) + np.sqrt(variance) * rng.standard_normal(80)
grid = np.linspace(-2, 2, 200)[:, None]

# A row counts the more, the less noise it has; the mean of the weights says how many rows there are.
weight = variance.mean() / variance
settings = {"max_steps": STEPS, "noise": "constant", "random_state": 0}
models = {
    "all rows alike": UNA(**settings).fit(X, y),
    "by their noise": UNA(**settings).fit(X, y, sample_weight=weight / weight.mean()),
}

figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
for ax, (name, model) in zip(axes, models.items(), strict=True):
    prediction = model.predict_dist(grid)
    print(f"{name}: RMSE {rmse(prediction, truth(grid)):.3f}, epistemic std {prediction.epistemic_std.mean():.3f}")
    low, high = prediction.mean - 2 * prediction.epistemic_std, prediction.mean + 2 * prediction.epistemic_std
    ax.fill_between(grid[:, 0], low, high, color="#689ac9", linewidth=0, label="epistemic ± 2 std")
    ax.plot(grid, prediction.mean, color="#08306b", label="mean")
    ax.plot(grid, truth(grid), "--", color="#d6604d", label="truth")
    ax.scatter(X, y, s=4 + 20 * (variance < 0.1), color="#222222", label="rows; large: less noise")
    ax.set_title(name)
    plain_axes(ax).set_xlabel("x")
axes[0].set_ylabel("y")
legend_below(figure, axes[0])
figure.savefig("weights.png", dpi=100)
