"""A first fit: train LUNA on data with a gap, and see that it is unsure there."""

import numpy as np

from unabases import LUNA

STEPS = 2000

rng = np.random.default_rng(0)
x = np.concatenate([rng.uniform(-4, -2, 60), rng.uniform(2, 4, 60)])  # no data between -2 and 2
y = np.sin(x) + 0.1 * rng.standard_normal(len(x))

model = LUNA(max_steps=STEPS, random_state=0)  # the noise is estimated; give sigma2=0.01 if you know it
model.fit(x[:, None], y)

for place in (-3.0, 0.0, 3.0):
    prediction = model.predict_dist([[place]])
    low, high = prediction.interval(0.9)
    print(
        f"x = {place:+.0f}: mean {prediction.mean[0]:+.2f}, epistemic std {prediction.epistemic_std[0]:.2f}, "
        f"noise std {prediction.noise_std[0]:.2f}, 90 % interval {low[0]:+.2f} to {high[0]:+.2f}"
    )
