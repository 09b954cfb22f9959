"""A picture of the uncertainty: the model's own, and the noise on top of it."""

import matplotlib.pyplot as plt
import numpy as np

from unabases import LUNA, NeuralLinear
from unabases.datasets import cubic_gap

STEPS = 2000

data = cubic_gap(random_state=0)
grid = np.linspace(-5, 5, 300)
models = {
    "NeuralLinear": NeuralLinear(sigma2=data.sigma2, max_steps=STEPS, random_state=0),
    "LUNA": LUNA(sigma2=data.sigma2, max_steps=STEPS, random_state=0),
}

figure, axes = plt.subplots(1, 2, figsize=(9, 4), sharey=True, layout="constrained")
for ax, (name, model) in zip(axes, models.items(), strict=True):
    prediction = model.fit(data.X_train, data.y_train).predict_dist(grid[:, None])
    for std, label, alpha in ((prediction.std, "with noise", 0.2), (prediction.epistemic_std, "epistemic", 0.5)):
        low, high = prediction.mean - 2 * std, prediction.mean + 2 * std
        ax.fill_between(grid, low, high, color="tab:blue", alpha=alpha, linewidth=0, label=f"{label}, ± 2 std")
    ax.plot(grid, prediction.mean, color="black", label="mean")
    ax.plot(data.X_train[:, 0], data.y_train, ".", color="tab:orange", label="data")
    ax.set_title(name)
axes[0].legend()
figure.savefig("uncertainty.png", dpi=150)
print("the picture is in uncertainty.png")
