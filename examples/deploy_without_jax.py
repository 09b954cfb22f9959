"""Deploying: train here, predict on a machine that has neither JAX nor scikit-learn, by NumPy or by ONNX Runtime.

Needs `pip install 'unabases[onnx]'`.
"""

import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np

from unabases import UNA, runtime, save, to_onnx
from unabases.plotting import plain_axes

STEPS = 500

rng = np.random.default_rng(0)
X = rng.uniform(-1, 1, (200, 2))
y = np.sin(3 * X[:, 0]) * X[:, 1] + rng.normal(0, 0.1, 200)
model = UNA(max_steps=STEPS, random_state=0).fit(X, y)
save(model, "model.una")
to_onnx(model, "model.onnx")

# This part runs in another process, as it would on the server: it reads the file with NumPy alone.
SERVER = """
import sys
from unabases import runtime

model = runtime.load("model.una")
prediction = model.predict_dist([[0.0, 0.0], [3.0, 3.0]])
lower, upper = prediction.interval(0.9)
for row in range(2):
    print(f"mean {prediction.mean[row]:+.2f}, 90 % between {lower[row]:+.2f} and {upper[row]:+.2f}")
print("JAX imported:", "jax" in sys.modules)
"""
print(subprocess.run([sys.executable, "-c", SERVER], check=True, capture_output=True, text=True).stdout)

# ONNX Runtime does the same, in any language.
import onnxruntime  # noqa: E402

new = rng.uniform(-2, 2, (1000, 2))
mean, epistemic_std, noise_std = onnxruntime.InferenceSession("model.onnx").run(None, {"X": new})
known = model.predict_dist(new)
print(f"ONNX: largest relative difference {np.max(np.abs(epistemic_std / known.epistemic_std - 1)):.0e}")

# All three along the first input, with the second at 0.5.
line = np.column_stack([np.linspace(-3, 3, 61), np.full(61, 0.5)])
here, light = model.predict_dist(line), runtime.load("model.una").predict_dist(line)
mean, epistemic_std, _ = onnxruntime.InferenceSession("model.onnx").run(None, {"X": line})
figure, ax = plt.subplots(figsize=(8, 4), layout="constrained")
low, high = here.mean - 2 * here.epistemic_std, here.mean + 2 * here.epistemic_std
plain_axes(ax).fill_between(line[:, 0], low, high, color="#b9d3ea", linewidth=0, label="unabases")
for sign in (-2, 2):
    light_end, onnx_end = light.mean + sign * light.epistemic_std, mean + sign * epistemic_std
    ax.plot(line[:, 0], light_end, color="#08306b", linewidth=1, label="NumPy alone" if sign > 0 else None)
    ax.plot(line[:, 0], onnx_end, "o", color="#d6604d", markersize=3, label="ONNX Runtime" if sign > 0 else None)
ax.set_xlabel("first input; training data end at ± 1")
ax.set_ylabel("mean ± 2 epistemic std")
ax.legend(frameon=False)
figure.savefig("deploy_without_jax.png", dpi=100)
