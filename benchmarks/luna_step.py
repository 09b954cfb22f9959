"""A training step of LUNA: our compiled loop compared with eager PyTorch.

Both train a 50-20 ReLU network with 20 heads by Adam, with the diversity penalty at all rows by finite differences.
PyTorch gets every advantage: its perturbations are drawn beforehand, all perturbed rows go through the network in one
pass, Adam applies the weight penalty, and it uses the fastest number of threads, kind of Adam and order of products.
"""

import itertools
from collections.abc import Sequence
from functools import partial
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from benchmarks import median_seconds, row, seconds
from unabases.features import MLP
from unabases.objectives import AbstractPlaces, AtData, Batch, Heads, Una, luna_objective
from unabases.training import Recipe, Trained, make_batch, train

SHAPES = {"100×1": (100, 1), "270×13": (270, 13)}
TARGETS = {"100×1": 4.0, "270×13": 2.0}
WIDTHS, M = (50, 20), 20
LAM, GAMMA, EPSILON, SIGMA2, RATE = 1.0, 0.01, 0.5, 0.1, 1e-2
CHUNK = Recipe().chunk


def run(quick: bool) -> list[dict]:
    steps, repeats = (300, 3) if quick else (2000, 5)
    rows = []
    for name, (n, d) in SHAPES.items():
        X, y = make_data(n, d)
        params, batch = start(d), make_batch(X, y)
        ours = partial(train_ours, [objective(params)], params, batch)
        first, again = (seconds(partial(ours, CHUNK)) for _ in range(2))
        check_same(X, y, params)
        torch_run = fastest_torch(X, y, params, steps)
        mine, other = (total / steps for total in median_seconds(repeats, partial(ours, steps), torch_run))
        rows.append(
            row(f"{name}: one step", mine, other, ratio=other / mine, least=TARGETS[name], torch=torch_run.choice)
        )
        rows.append(row(f"{name}: compilation, once", first - again))
    gflop = 2 * multiply_adds(n, d) / 1e9
    peak = matmul_rate()
    rows.append(row(f"{name}: multiply-adds of a step", multiply_adds(n, d) / 1e6, unit="million"))
    rows.append(row("float32 matrix product of this machine", peak, unit="GFLOP/s"))
    rows.append(row(f"{name}: achieved in a step", gflop / mine, gflop / other, unit="GFLOP/s"))
    rows.append(row(f"{name}: share of the matrix product's rate", gflop / mine / peak, gflop / other / peak, unit=""))
    return rows


def make_data(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Standardised rows of a smooth function with noise."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    y = np.sin(2 * X[:, :1]) + 0.5 * X[:, -1:] + 0.3 * rng.standard_normal((n, 1))
    return X, (y - y.mean()) / y.std()


def objective(params: Heads, lam: float = LAM, gamma: float = GAMMA, where: AbstractPlaces | None = None) -> Una:
    """LUNA's objective for the network in `params`."""
    return luna_objective(
        sigma2=np.array([SIGMA2]),
        gamma=gamma,
        lam=lam,
        epsilon=EPSILON,
        spread=np.ones(params.phi.weights[0].shape[-1]),
        n_heads=M,
        where=AtData() if where is None else where,
        schedule="sqrt",
    )


def start(d: int, members: int = 1) -> Heads:
    """Initial weights of some models, stacked."""
    wanted = Una(sigma2=SIGMA2, gamma=GAMMA, n_heads=M)
    keys = [jax.random.split(jax.random.key(i)) for i in range(members)]
    starts = [wanted.init(MLP(d, WIDTHS, key=a), WIDTHS[-1], 1, key=b) for a, b in keys]
    return jax.tree.map(lambda *leaves: np.stack(leaves) if eqx.is_array(leaves[0]) else leaves[0], *starts)


def train_ours(objectives: Sequence[Una], params: Heads, batch: Batch, steps: int) -> Trained:
    """Train all models at once; the first draws its perturbations with seed 0."""
    rngs = [np.random.default_rng(i) for i in range(len(objectives))]
    return train(objectives, params, batch, rngs=rngs, recipe=Recipe(steps=steps, learning_rate=RATE))


def multiply_adds(n: int, d: int) -> int:
    """Multiply-adds of a step, forward and backward, of real rows only; elementwise work is not counted.

    For 270×13: the network 16.25 million, the heads 0.32, the Gram matrix 4.26, together 20.8 million.
    """
    (h, k), passed = WIDTHS, (d + 1) * n  # every row as it is and moved along each input
    network = passed * ((d * h + h * k) + (d * h + h * k) + h * k)  # forward; gradients of weights; of layer 2's inputs
    heads = 3 * n * k * M  # values; gradients of weights and of features
    gram = 3 * (d * n * k**2 + M * k**2 + M**2 * k)  # AᵀA and W(AᵀA)Wᵀ; two products back for each one forward
    return network + heads + gram


def matmul_rate(size: int = 1024, repeats: int = 10) -> float:
    """GFLOP/s of the better of XLA's and NumPy's float32 matrix product."""
    A = np.random.default_rng(0).standard_normal((size, size)).astype(np.float32)
    B, product = jnp.asarray(A), jax.jit(jnp.matmul)
    ways = (lambda: product(B, B).block_until_ready(), lambda: A @ A)
    best = min(seconds(way) for way in ways for _ in range(repeats))
    return 2 * size**3 / best / 1e9


# ---------------------------------------------------------------------------------------------------- PyTorch


def import_torch() -> Any:
    try:
        import torch
    except ImportError as error:
        raise ImportError("this benchmark needs PyTorch; run `make bench`, which sets it up.") from error
    return torch


class TorchRun:
    """LUNA's steps in eager PyTorch, from the same weights and perturbations as `train_ours`."""

    def __init__(
        self,
        X: np.ndarray,
        y: np.ndarray,
        params: Heads,
        steps: int,
        *,
        threads: int = 1,
        fused: bool = False,
        through_features: bool = True,
    ):
        self.torch = torch = import_torch()
        self.threads, self.fused, self.through_features, self.steps = threads, fused, through_features, steps
        n, d = X.shape
        tensor = lambda array: torch.tensor(np.asarray(array), dtype=torch.float32)  # noqa: E731
        W = params.W[0, :, 0]
        phi = [leaf[0] for pair in zip(params.phi.weights, params.phi.biases, strict=True) for leaf in pair]
        self.initial = [tensor(leaf) for leaf in (*phi, W[:, :-1], W[:, -1])]
        self.X, self.y = tensor(X), tensor(y).expand(n, M).contiguous()
        noise = objective(params).draw(np.random.default_rng(0), np.arange(1, steps + 1) / steps, np.arange(n), d)
        annealed, _, z = noise[0]
        delta = EPSILON * z
        offsets = np.zeros((steps, d + 1, 1, d))
        offsets[:, 1 + np.arange(d), 0, np.arange(d)] = delta
        self.offsets, self.per_length = tensor(offsets), tensor(1 / delta[:, :, None, None])
        self.strength = (LAM * annealed).tolist()
        self.constant = 0.5 * float(np.log(2 * np.pi * SIGMA2))

    @property
    def choice(self) -> str:
        """How it runs, in words."""
        kind, order = "fused" if self.fused else "foreach", "features" if self.through_features else "heads"
        return f"{self.threads} threads, {kind} Adam, Gram of {order}"

    def __call__(self, losses: list[float] | None = None) -> None:
        """Train from the start; the losses, if asked for, include the weight penalty."""
        torch, n = self.torch, len(self.X)
        torch.set_num_threads(self.threads)
        weights = [leaf.clone().requires_grad_() for leaf in self.initial]
        kind = {"fused": True} if self.fused else {"foreach": True}
        adam = torch.optim.Adam(weights, lr=RATE, weight_decay=2 * GAMMA / n, **kind)  # gradient of γ‖Ψ‖²/n
        for i in range(self.steps):
            adam.zero_grad(set_to_none=True)
            loss = self.loss(weights, i)
            if losses is not None:
                losses.append(
                    float(loss.detach()) + GAMMA / n * sum(float(leaf.detach().square().sum()) for leaf in weights)
                )
            loss.backward()
            adam.step()

    def loss(self, weights: list, i: int) -> Any:
        """Loss per row of step i without the weight penalty."""
        torch = self.torch
        W1, b1, W2, b2, W, b = weights
        n, d = self.X.shape
        k = WIDTHS[-1]
        h = (self.X + self.offsets[i]).view(-1, d)
        h = torch.relu(torch.addmm(b1, h, W1.T))
        h = torch.relu(torch.addmm(b2, h, W2.T)).view(d + 1, n, k)
        fit = torch.nn.functional.mse_loss(torch.addmm(b, h[0], W.T), self.y) * (0.5 / SIGMA2) + self.constant
        A = ((h[1:] - h[0]) * self.per_length[i]).view(d * n, k)
        if self.through_features:
            K = W @ (A.T @ A) @ W.T
        else:
            slopes = A @ W.T
            K = slopes.T @ slopes
        norm2 = K.diagonal()
        diversity = ((K.square() / torch.outer(norm2, norm2)).sum() - M) / (M * (M - 1))
        return fit + self.strength[i] * diversity


def fastest_torch(X: np.ndarray, y: np.ndarray, params: Heads, steps: int) -> TorchRun:
    """A run of `steps` steps in whichever way short runs found fastest."""
    ways = [
        {"threads": threads, "fused": fused, "through_features": through}
        for threads, fused, through in itertools.product((1, 2), (False, True), (False, True))
    ]
    trials = [TorchRun(X, y, params, 50, **way) for way in ways]
    for trial in trials:
        trial()
    times = median_seconds(3, *trials)
    return TorchRun(X, y, params, steps, **ways[int(np.argmin(times))])


def check_same(X: np.ndarray, y: np.ndarray, params: Heads, steps: int = 5) -> None:
    """Both ways have the same loss at the start and after a few steps of Adam; later, rounding parts them."""
    ours = train_ours([objective(params)], params, make_batch(X, y), steps).history["loss"][0]
    for fused, through in itertools.product((False, True), (False, True)):
        theirs: list[float] = []
        TorchRun(X, y, params, steps, fused=fused, through_features=through)(theirs)
        np.testing.assert_allclose(ours, theirs, rtol=1e-4)
