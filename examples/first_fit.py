"""A first fit: train UNA on data with a gap, and see that it is unsure there."""

import matplotlib.pyplot as plt
import numpy as np

from unabases import UNA
from unabases.plotting import GapData, draw_gap, gap_panel, legend_below

STEPS = 1500

rng = np.random.default_rng(0)
x = np.concatenate([rng.uniform(-4, -2, 60), rng.uniform(2, 4, 60)])  # no data between -2 and 2
y = np.sin(x) + 0.1 * rng.standard_normal(len(x))

model = UNA(max_steps=STEPS, random_state=0)
model.fit(x[:, None], y)

for place in (-3.0, 0.0, 3.0):
    prediction = model.predict_dist([[place]])
    low, high = prediction.interval(0.9)
    print(
        f"x = {place:+.0f}: mean {prediction.mean[0]:+.2f}, epistemic std {prediction.epistemic_std[0]:.2f}, "
        f"noise std {prediction.noise_std[0]:.2f}, 90 % interval {low[0]:+.2f} to {high[0]:+.2f}"
    )

figure, ax = plt.subplots(figsize=(8, 4), layout="constrained")
grid = np.linspace(-5, 5, 300)[:, None]
data = GapData(x[:, None], y, gap=(-2.0, 2.0), truth=np.sin(grid[:, 0]))
draw_gap(ax, gap_panel("UNA", grid, model.predict_dist(grid)), data)
legend_below(figure, ax)
figure.savefig("first_fit.png", dpi=100)
