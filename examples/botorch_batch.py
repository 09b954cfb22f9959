"""Batches with BoTorch, which chooses four points at once by LUNA's posterior; needs `pip install 'unabases[botorch]'`.

The last batch is chosen without it, by Thompson sampling: each point is the minimum of a function that LUNA holds
possible.
"""

import numpy as np
import torch
from botorch.acquisition.logei import qLogExpectedImprovement
from botorch.optim import optimize_acqf

from unabases import LUNA
from unabases.bayesopt import BayesOpt
from unabases.bayesopt.botorch_model import botorch_model
from unabases.bayesopt.problems import branin_task

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
for point in study.ask(n=BATCH):
    print(f"Thompson: {', '.join(f'{name} = {value:.2f}' for name, value in point.items())}")
