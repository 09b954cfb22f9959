"""A convolutional feature map: images as rows, reshaped inside the module.

The task is to say how far to the right of the middle the ink of a handwritten digit lies; training has no images of the
digit 8. An 8 has its ink where other digits have theirs, so the model is right to be about as sure of it. A feature map
is an Equinox module that takes one row, which arrives standardised.
"""

import equinox as eqx
import jax
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from unabases import LUNA
from unabases.metrics import epistemic, rmse

STEPS = 600


class Convolution(eqx.Module):
    """Two convolutions with four and eight channels, and twenty features of what they give."""

    first: eqx.nn.Conv2d
    second: eqx.nn.Conv2d
    last: eqx.nn.Linear

    def __init__(self, d, *, key):
        assert d == 64, "rows are images of 8 × 8 pixels"
        keys = jax.random.split(key, 3)
        self.first = eqx.nn.Conv2d(1, 4, 3, padding=1, key=keys[0])
        self.second = eqx.nn.Conv2d(4, 8, 3, stride=2, padding=1, key=keys[1])
        self.last = eqx.nn.Linear(8 * 4 * 4, 20, key=keys[2])

    def __call__(self, row):
        """Features of one row of 64 pixels."""
        image = jax.nn.relu(self.first(row.reshape(1, 8, 8)))
        return jax.nn.relu(self.last(jax.nn.relu(self.second(image)).ravel()))


digits = load_digits()
X, seen = digits.data, digits.target != 8
columns = np.tile(np.arange(8), 8)
y = X @ (columns - 3.5) / X.sum(axis=1)  # centre of the ink, in pixels right of the middle

train, test = np.flatnonzero(seen)[:1000], np.flatnonzero(seen)[1000:]
model = LUNA(
    features=Convolution,
    standardize="common",  # pixels share a unit
    n_directions=2,  # heads disagree along two random directions a step, not along all 64 pixels
    sigma2=0.01,
    batch_size=64,
    max_steps=STEPS,
    random_state=0,
).fit(X[train], y[train])
unsure = {}
for name, rows in (("digits as in training", test), ("the digit 8", np.flatnonzero(~seen))):
    prediction = model.predict_dist(X[rows])
    unsure[name] = prediction.epistemic_std
    print(f"{name}: RMSE {rmse(prediction, y[rows]):.3f}, epistemic std {epistemic(prediction):.3f} pixels")

figure, ax = plt.subplots(figsize=(6, 3.5), layout="constrained")
edges = np.linspace(0, max(map(np.max, unsure.values())), 30)
for (name, values), colour in zip(unsure.items(), ("#8c8c8c", "#2166ac"), strict=True):
    ax.hist(values, edges, density=True, histtype="step", lw=2, color=colour, label=name)
ax.set_xlabel("epistemic std, in pixels")
ax.set_yticks([])
ax.set_ylabel("images")
ax.legend(frameon=False)
ax.spines[["top", "right", "left"]].set_visible(False)
figure.savefig("convolution.png", dpi=100)
