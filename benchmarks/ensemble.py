"""An ensemble of 50 networks in one program, compared with a pair of ours and with eager PyTorch, one by one.

Cubic Gap data, 50-50 ReLU networks, Adam on all rows. PyTorch trains one network for a few hundred steps, with the
fastest number of threads and kind of Adam; 50 would take 50 times as long.
"""

import itertools
from functools import partial
from typing import Any

import numpy as np

from benchmarks import median_seconds, row, seconds
from benchmarks.luna_step import import_torch
from unabases import VanillaEnsemble
from unabases.datasets import cubic_gap
from unabases.training import loop

MEMBERS, WIDTHS = 50, (50, 50)


def run(quick: bool) -> list[dict]:
    steps, torch_steps, repeats = (300, 200, 3) if quick else (2000, 500, 3)
    data = cubic_gap(random_state=0)
    X, y = (data.X_train - data.X_train.mean()) / data.X_train.std(), (data.y_train - data.y_train.mean())
    y = y / y.std()
    settings = {
        "hidden_layer_sizes": WIDTHS,
        "sigma2": 0.02,
        "gamma": 0.0,
        "max_steps": steps,
        "standardize": False,
        "random_state": 0,
    }
    before = compilations()
    first = seconds(lambda: VanillaEnsemble(n_members=MEMBERS, **settings).fit(X, y))
    compiled = compilations() - before
    fit = lambda members: VanillaEnsemble(n_members=members, **settings).fit(X, y)  # noqa: E731
    fit(2)
    many, two = median_seconds(repeats, partial(fit, MEMBERS), partial(fit, 2))
    torch_run = fastest_torch(X, y, torch_steps)
    (other,) = median_seconds(repeats, torch_run)
    per_member, alone = many / MEMBERS / steps, two / 2 / steps
    return [
        row("one step of one member, beside eager PyTorch", per_member, other / torch_steps,
            ratio=other / torch_steps / per_member, least=8.0, torch=torch_run.choice),
        row("one step of one member: of 50, beside of 2 (one for each core)", per_member, alone,
            ratio=alone / per_member, least=1.0),
        row("compilations of the loop for 50 members", compiled, unit="", most=1),
        row("first fit, with its compilation", first),
    ]  # fmt: skip


def compilations() -> int:
    """How many programs the training loop has compiled in this process."""
    return loop._run_chunk._cached._cache_size()


class TorchRun:
    """One network trained in eager PyTorch."""

    def __init__(self, X: np.ndarray, y: np.ndarray, steps: int, *, threads: int, fused: bool):
        self.torch = import_torch()
        self.steps, self.threads, self.fused = steps, threads, fused
        self.X, self.y = (self.torch.tensor(a, dtype=self.torch.float32) for a in (X, y[:, None]))

    @property
    def choice(self) -> str:
        """How it runs, in words."""
        return f"{self.threads} threads, {'fused' if self.fused else 'foreach'} Adam"

    def __call__(self) -> None:
        """Train from a random start."""
        torch, nn = self.torch, self.torch.nn
        torch.set_num_threads(self.threads)
        sizes = [self.X.shape[1], *WIDTHS]
        layers: list[Any] = []
        for a, b in itertools.pairwise(sizes):
            layers += [nn.Linear(a, b), nn.ReLU()]
        network = nn.Sequential(*layers, nn.Linear(sizes[-1], 1))
        adam = torch.optim.Adam(network.parameters(), lr=1e-2, **({"fused": True} if self.fused else {"foreach": True}))
        for _ in range(self.steps):
            adam.zero_grad(set_to_none=True)
            nn.functional.mse_loss(network(self.X), self.y).backward()
            adam.step()


def fastest_torch(X: np.ndarray, y: np.ndarray, steps: int) -> TorchRun:
    """A run in whichever way short runs found fastest."""
    ways = [{"threads": threads, "fused": fused} for threads, fused in itertools.product((1, 2), (False, True))]
    trials = [TorchRun(X, y, 50, **way) for way in ways]
    for trial in trials:
        trial()
    return TorchRun(X, y, steps, **ways[int(np.argmin(median_seconds(3, *trials)))])
