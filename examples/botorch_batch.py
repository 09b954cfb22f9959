"""Batches with BoTorch: four points at once, chosen by LUNA's posterior; needs `pip install 'unabases[botorch]'`.

The last batch is chosen without it, by Thompson sampling: each point is the minimum of a function that LUNA holds
possible.
"""

import matplotlib.pyplot as plt
import numpy as np
import torch
from botorch.acquisition.logei import qLogExpectedImprovement
from botorch.optim import optimize_acqf

from unabases import LUNA
from unabases.bayesopt import BayesOpt
from unabases.bayesopt.botorch_model import botorch_model
from unabases.bayesopt.problems import branin_task
from unabases.plotting import plain_axes

ROUNDS = 3
STEPS = 500
BATCH = 4

luna = LUNA(hidden_layer_sizes=(20, 20), activation="tanh", n_heads=5, sigma2=1e-3, max_steps=STEPS, random_state=0)
task = branin_task()
space = task.space
points = space.decode(space.sobol(8, 0))  # a start that covers the space
values = np.array([task.function(point) for point in points])

for _ in range(ROUNDS):
    scale = values.mean(), values.std()
    rows, t = space.encode(points), (values - scale[0]) / scale[1]
    acquisition = qLogExpectedImprovement(botorch_model(luna.fit(rows, t), negate=True), best_f=-t.min())
    bounds = torch.tensor([[0.0] * rows.shape[1], [1.0] * rows.shape[1]], dtype=torch.double)
    chosen, _ = optimize_acqf(acquisition, bounds=bounds, q=BATCH, num_restarts=2, raw_samples=32, sequential=True)
    batch = space.decode(chosen.numpy())
    points, values = points + batch, np.append(values, [task.function(point) for point in batch])
    print(f"{len(values)} evaluations: regret {task.regret(values.min()):.4f}")

study = BayesOpt(space, surrogate=luna, acquisition="thompson", n_initial=len(points), random_state=0)
study.tell(points, values)
last = study.ask(n=BATCH)
for point in last:
    print(f"Thompson: {', '.join(f'{name} = {value:.2f}' for name, value in point.items())}")

figure, ax = plt.subplots(figsize=(6, 4.5), layout="constrained")
plain_axes(ax)
names = ["start", *(f"batch {number + 1}, BoTorch" for number in range(ROUNDS)), "last batch, Thompson"]
groups = [points[:8], *(points[8 + BATCH * n : 8 + BATCH * (n + 1)] for n in range(ROUNDS)), last]
colours = ["#c8c8c8", *plt.get_cmap("Blues")(np.linspace(0.4, 0.9, ROUNDS)), "#d6604d"]
for name, group, colour in zip(names, groups, colours, strict=True):
    ax.plot([p["x1"] for p in group], [p["x2"] for p in group], "o", color=colour, label=name)
ax.plot([-np.pi, np.pi, 3 * np.pi], [12.275, 2.275, 2.475], "x", color="#222222", markersize=10, label="minima")
ax.set_xlabel("x1")
ax.set_ylabel("x2")
ax.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
figure.savefig("botorch_batch.png", dpi=100)
