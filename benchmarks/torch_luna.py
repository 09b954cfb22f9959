"""The peer: LUNA's training step in eager PyTorch, as someone who knows PyTorch would write it.

All perturbed inputs go through the network with the data in one forward pass; the Gram matrix of the heads'
gradients goes through the features; Adam updates all tensors in one fused or `foreach` call; the random numbers of
100 steps are drawn at once, and nothing is read back from a tensor while training.
"""

from collections.abc import Callable
from types import ModuleType

import numpy as np
from benchmarks.problems import EPSILON, LEARNING_RATE, SIGMA2, Problem

FLAT = 1e-12  # squared norm below which a head counts as flat
CHUNK = 100


def import_torch() -> ModuleType:
    """PyTorch, or an error that says how to get it."""
    try:
        import torch
    except ImportError:
        raise ImportError(
            "this benchmark compares with PyTorch, which is not installed here: run it with `make bench`, which "
            "makes an environment that has it."
        ) from None
    return torch


class TorchLuna:
    """One model on one problem. `step` takes one training step and returns the loss and its terms, undetached."""

    def __init__(self, problem: Problem, weights: list[np.ndarray], *, lam: float, gamma: float, adam: str):
        torch = self.torch = import_torch()
        self.X, self.y = (torch.tensor(a, dtype=torch.float32) for a in (problem.X, problem.y))
        self.parameters = [torch.tensor(w, dtype=torch.float32, requires_grad=True) for w in weights]
        self.optimizer = torch.optim.Adam(self.parameters, lr=LEARNING_RATE, **{adam: True})
        self.lam, self.gamma = lam, gamma
        self.eye = torch.eye(problem.d)
        M = len(weights[-1])
        self.pairs = (1 - torch.eye(M)) / (M * (M - 1))
        self.constant = 0.5 * float(np.log(2 * np.pi * SIGMA2))

    def loss(self, z, annealed):
        """Loss per row of standard normal perturbations `z`, and its terms."""
        torch, X = self.torch, self.X
        W1, b1, W2, b2, V = self.parameters
        (n, d), k = X.shape, V.shape[1] - 1
        W, delta = V[:, :k], z * EPSILON
        moved = X + (self.eye * delta[:, None])[:, None, :]
        rows = torch.cat([X[None], moved]).reshape(-1, d)
        h = torch.relu(torch.addmm(b1, rows, W1.T))
        h = torch.relu(torch.addmm(b2, h, W2.T)).view(d + 1, n, k)
        f = torch.addmm(V[:, k], h[0], W.T)
        fit = torch.mean((f - self.y) ** 2) * (0.5 / SIGMA2) + self.constant
        decay = sum(torch.sum(p * p) for p in self.parameters) * (self.gamma / n)
        A = ((h[1:] - h[0]) / delta[:, None, None]).view(-1, k)
        K = W @ (A.T @ A) @ W.T
        scale = torch.rsqrt(torch.clamp(torch.diagonal(K), min=FLAT))
        diversity = torch.sum((K * scale[:, None] * scale) ** 2 * self.pairs)
        return fit + decay + self.lam * annealed * diversity, fit, decay, diversity

    def step(self, z, annealed):
        """One step of Adam."""
        terms = self.loss(z, annealed)
        self.optimizer.zero_grad(set_to_none=True)
        terms[0].backward()
        self.optimizer.step()
        return [term.detach() for term in terms]

    def train(self, draw: Callable[[int, int], tuple[np.ndarray, np.ndarray]], steps: int) -> np.ndarray:
        """Losses of `steps` steps; `draw(begin, count)` gives the perturbations and the annealed shares of some."""
        history = []
        for begin in range(0, steps, CHUNK):
            z, annealed = draw(begin, min(CHUNK, steps - begin))
            for row, share in zip(self.torch.from_numpy(z), annealed.tolist(), strict=True):
                history.append(self.step(row, share))
        return self.torch.stack([terms[0] for terms in history]).numpy()
