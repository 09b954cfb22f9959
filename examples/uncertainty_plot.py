"""A picture of the uncertainty: the model's own, and the noise on top of it."""

import matplotlib.pyplot as plt
import numpy as np

from unabases import UNA, NeuralLinear
from unabases.datasets import cubic_gap

STEPS = 2000

data = cubic_gap(random_state=0)
grid = np.linspace(-5, 5, 300)
models = {
    "NeuralLinear": NeuralLinear(sigma2=data.sigma2, max_steps=STEPS, random_state=0),
    "UNA": UNA(max_steps=STEPS, random_state=0),
}

figure, axes = plt.subplots(1, 2, figsize=(9, 4), sharey=True, layout="constrained")
for ax, (name, model) in zip(axes, models.items(), strict=True):
    prediction = model.fit(data.X_train, data.y_train).predict_dist(grid[:, None])
    bands = ((prediction.std, "with noise", "#b9d3ea"), (prediction.epistemic_std, "epistemic", "#689ac9"))
    for std, label, colour in bands:
        low, high = prediction.mean - 2 * std, prediction.mean + 2 * std
        ax.fill_between(grid, low, high, color=colour, linewidth=0, label=f"{label}, ± 2 std")
    ax.plot(grid, prediction.mean, color="#08306b", label="mean")
    ax.plot(data.X_train[:, 0], data.y_train, ".", color="#222222", markersize=4, label="training data")
    ax.set_title(name)
    ax.set_xlabel("x")
    ax.spines[["top", "right"]].set_visible(False)
axes[0].set_ylabel("y")
axes[0].legend(frameon=False)
figure.savefig("uncertainty_plot.png", dpi=100)
print("the picture is in uncertainty_plot.png")
