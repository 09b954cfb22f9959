"""Linear problems, whose trained weights are known."""

import equinox as eqx
import jax
import numpy as np
import optax
from sklearn.linear_model import Ridge

from unabases.objectives import Heads, Una
from unabases.training import Recipe, make_batch, train

N, D = 20, 2


class Identity(eqx.Module):
    """A feature map without weights: the inputs themselves."""

    def __call__(self, x):
        return x


def linear_data(n=N, seed=0, noise=0.3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, D))
    return X, X @ [[1.5], [-0.7]] + 0.4 + noise * rng.normal(size=(n, 1))


def ridge(X, y, gamma, sigma2=1.0):
    """Minimum of Σ (y − f)² / (2 sigma2) + gamma ‖w‖², the intercept penalised too."""
    design = np.column_stack([X, np.ones(len(X))])
    return Ridge(alpha=2 * sigma2 * gamma, fit_intercept=False, tol=1e-12).fit(design, y[:, 0]).coef_


def ridge_objective(gamma=0.5, sigma2=1.0):
    return Una(sigma2=np.array([sigma2]), gamma=np.float64(gamma), dtype="float64")


def starts(B, M=1, seed=None):
    """Stacked heads on the identity, at zero or at random."""
    W = np.zeros((B, M, 1, D + 1)) if seed is None else np.random.default_rng(seed).normal(size=(B, M, 1, D + 1))
    return jax.tree.map(lambda leaf: W, Heads(Identity(), jax.numpy.zeros((M, 1, D + 1))))


def generators(B, seed=0):
    return [np.random.default_rng([seed, i]) for i in range(B)]


def fit_ridge(gammas=(0.5,), data=None, *, steps=500, learning_rate=0.4, params=None, seed=0, **options):
    """Train ridge regressions by gradient descent."""
    recipe_options = {name: options.pop(name) for name in tuple(options) if name in Recipe._fields}
    return train(
        [ridge_objective(gamma) for gamma in gammas],
        starts(len(gammas)) if params is None else params,
        make_batch(*linear_data(), "float64") if data is None else data,
        rngs=generators(len(gammas), seed),
        recipe=Recipe(steps=steps, learning_rate=learning_rate, **recipe_options),
        optimizer=options.pop("optimizer", optax.sgd),
        **options,
    )


def weights(trained):
    return trained.params.W[:, 0, 0]


def descend(X, y, gamma, rate, steps):
    """Gradient descent on ridge regression in NumPy: the weights after each step."""
    design = np.column_stack([X, np.ones(len(X))])
    w, path = np.zeros(D + 1), []
    for _ in range(steps):
        w = w - rate * (design.T @ (design @ w - y[:, 0]) + 2 * gamma * w) / len(X)
        path.append(w)
    return np.array(path)
