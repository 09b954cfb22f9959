"""The two problems that training is timed on, and our side of them."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import jax
import numpy as np

from unabases.features import MLP
from unabases.objectives import AtData, Batch, Una, luna_objective
from unabases.regressors.step_one import init_starts
from unabases.training import Schedule, Trained, make_batch, train

WIDTHS, M = (50, 20), 20
LEARNING_RATE = 1e-2
SIGMA2, GAMMA, LAM, EPSILON = 0.1, 0.01, 1.0, 0.5


class Problem(NamedTuple):
    """Standardised rows of some size; what they say is made up and does not change the time of a step."""

    name: str
    X: np.ndarray
    y: np.ndarray
    batch: Batch

    @property
    def d(self) -> int:
        """Number of inputs."""
        return self.X.shape[1]


def make_problem(name: str, n: int, d: int) -> Problem:
    """`n` rows with `d` inputs."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    y = np.sin(2 * X @ rng.standard_normal((d, 1)) / np.sqrt(d)) + 0.3 * rng.standard_normal((n, 1))
    X, y = (X - X.mean(axis=0)) / X.std(axis=0), (y - y.mean()) / y.std()
    return Problem(name, X, y, make_batch(X, y))


CUBIC = make_problem("cubic", n=100, d=1)
BOSTON = make_problem("boston", n=270, d=13)


def make_objective(d: int, lam: float = LAM, gamma: float = GAMMA, n_points: int | None = None) -> Una:
    """LUNA at the data, at all rows or at `n_points` of them, with finite differences."""
    return luna_objective(
        sigma2=np.array([SIGMA2]),
        gamma=np.float64(gamma),
        lam=np.float64(lam),
        epsilon=np.float64(EPSILON),
        spread=np.ones(d),
        n_heads=M,
        where=AtData(n_points),
    )


def make_params(objective: Una, d: int, models: int = 1):
    """Random starts, stacked."""
    rng = np.random.default_rng(1)
    return init_starts(objective, lambda d, *, key: MLP(d, WIDTHS, key=key), d, 1, models, rng)


def member(params, index: int) -> list[np.ndarray]:
    """θ and the heads of one model: W1, b1, W2, b2, heads (M, k + 1)."""
    phi = jax.tree.map(lambda leaf: leaf[index], params.phi)
    return [*(a for pair in zip(phi.weights, phi.biases, strict=True) for a in pair), params.W[index, :, 0, :]]


def our_training(problem: Problem, objectives: Sequence[Una], steps: int) -> Callable[[], Trained]:
    """A call that trains one model for each objective, from the same starts each time."""
    params = make_params(objectives[0], problem.d, len(objectives))

    def run() -> Trained:
        rngs = [np.random.default_rng(i) for i in range(len(objectives))]
        schedule = Schedule(steps=steps, learning_rate=LEARNING_RATE)
        return train(objectives, params, problem.batch, rngs=rngs, schedule=schedule)

    return run
