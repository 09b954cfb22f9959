"""A feature map of your own: one small network for each input, so that the inputs never interact."""

import equinox as eqx
import jax
import matplotlib.pyplot as plt
import numpy as np

from unabases import LUNA
from unabases.metrics import epistemic, rmse

STEPS = 2000


class Additive(eqx.Module):
    """Ten features of each input on its own: the prediction is a sum of functions of one input."""

    networks: eqx.nn.MLP  # one for each input, their weights stacked

    def __init__(self, d, *, key):
        def make(key):
            return eqx.nn.MLP(1, 10, width_size=30, depth=1, final_activation=jax.nn.relu, key=key)

        self.networks = eqx.filter_vmap(make)(jax.random.split(key, d))

    def __call__(self, x):
        """Features of one input row of shape (d,), which arrives standardised."""
        return eqx.filter_vmap(lambda network, value: network(value[None]))(self.networks, x).ravel()


rng = np.random.default_rng(0)
X = rng.uniform(-1, 1, (600, 2))
y = np.sin(3 * X[:, 0]) + X[:, 1] ** 2 + 0.1 * rng.standard_normal(len(X))  # a sum, indeed
corner = (X > 0).all(axis=1)  # no training rows where both inputs are positive

ticks = np.linspace(-1, 1, 60)
square = np.stack(np.meshgrid(ticks, ticks), axis=-1)
figure, axes = plt.subplots(1, 2, figsize=(9, 4), sharey=True, layout="constrained")
for ax, (name, features) in zip(axes, (("default network", None), ("additive", Additive)), strict=True):
    model = LUNA(features=features, max_steps=STEPS, random_state=0).fit(X[~corner], y[~corner])
    prediction = model.predict_dist(X[corner])
    print(f"{name}: in the corner, RMSE {rmse(prediction, y[corner]):.2f}, epistemic std {epistemic(prediction):.2f}")
    unsure = model.predict_dist(square.reshape(-1, 2)).epistemic_std.reshape(60, 60)
    image = ax.pcolormesh(ticks, ticks, unsure, cmap="Blues", vmin=0, vmax=0.5, rasterized=True)
    ax.plot(*X[~corner].T, ".", color="#222222", markersize=2)
    ax.set_title(name)
    ax.set_xlabel("first input")
    ax.set_aspect("equal")
axes[0].set_ylabel("second input")
figure.colorbar(image, ax=axes, label="epistemic std")
figure.savefig("custom_features.png", dpi=100)
