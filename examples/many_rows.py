"""A hundred million rows: a stream in bounded memory.

The chunks here are made up on the way; `chunks_of("big.parquet", "price")` reads them from a file. They are read
twice: once for a sample, from which the features are learned, and once for the last layer, which learns all rows
exactly. Set ROWS to 100_000_000 and wait a few minutes.
"""

import matplotlib.pyplot as plt
import numpy as np

from unabases import LUNA
from unabases.plotting import plain_axes, shade_gap

ROWS = 2_000_000
CHUNK = 50_000
STEPS = 1000


class Chunks:
    """Pairs (X, y). Each pass gives the same rows: the seed is the chunk's number."""

    def __iter__(self):
        for number in range(ROWS // CHUNK):
            rng = np.random.default_rng(number)
            X = rng.uniform(-1, 1, (CHUNK, 10)).astype(np.float32)
            yield X, np.sin(3 * X[:, 0]) * X[:, 1] + 0.1 * rng.standard_normal(CHUNK)


model = LUNA(max_steps=STEPS, random_state=0).fit_stream(Chunks(), sample_rows=10_000)
inside, outside = model.predict_dist(np.zeros((1, 10))), model.predict_dist(np.full((1, 10), 3.0))
print(f"{model.rows_seen:,} rows seen, noise std {inside.noise_std[0]:.3f}")
print(f"epistemic std {inside.epistemic_std[0]:.4f} on the data, {outside.epistemic_std[0]:.4f} far beyond them")

line = np.zeros((200, 10))
line[:, :2] = np.linspace(-3, 3, 200)[:, None]  # from corner to corner of the first two inputs
figure, ax = plt.subplots(figsize=(8, 3.6), layout="constrained")
for end in ((-3.0, -1.0), (1.0, 3.0)):
    shade_gap(plain_axes(ax), end)
ax.plot(line[:, 0], model.predict_dist(line).epistemic_std, color="#2166ac")
ax.set_xlim(-3, 3)
ax.set_ylim(bottom=0)
ax.set_xlabel("first two inputs; hatched: no rows")
ax.set_ylabel(f"epistemic std after {ROWS:,} rows")
figure.savefig("many_rows.png", dpi=100)
