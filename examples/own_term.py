"""A function-space term of your own: heads that disagree beyond the data.

A term is a function of the heads, which returns a number that is small when they are as you want them; JAX
differentiates it. This one asks heads to differ beyond the rows, so that the features can tell what lies there. It is a
wish, not a promise: the last layer weighs it against the data. For what must hold, such as a function that never falls,
use the statements of `unabases.terms`.
"""

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np

from unabases import NeuralLinear
from unabases.metrics import rmse
from unabases.objectives import Term, Una
from unabases.plotting import GapData, draw_functions

STEPS = 1500


def agree(heads, points, key):
    """One where all heads have the same value, near zero where their values are far apart."""
    values = jax.vmap(heads)(points.X)  # (points, heads, outputs)
    return points.mean(jnp.mean(jnp.exp(-jnp.var(values, axis=1)), axis=1))


def beyond(X, key):
    """Where the term is evaluated: 64 points up to two standard deviations beyond the rows."""
    return X + 2 * jnp.sign(X) * jax.random.uniform(key, X.shape)


def truth(X):
    """The function that is measured."""
    return X[:, 0] + 0.5 * np.sin(3 * X[:, 0])


rng = np.random.default_rng(0)
X = rng.uniform(-2, 2, (80, 1))
y = truth(X) + 0.1 * rng.standard_normal(80)
inside, outside = np.linspace(-2, 2, 100)[:, None], np.linspace(2, 4, 40)[:, None]
line = np.linspace(-2, 4, 120)[:, None]
figure, axes = plt.subplots(1, 2, figsize=(9, 3.8), sharey=True, layout="constrained")
for ax, (name, weight) in zip(axes, (("without the term", 0.0), ("with it", 1.0)), strict=True):
    term = Term("agree", agree, weight=weight, where=beyond)
    objective = Una(sigma2=0.01, gamma=0.01, terms=(term,), n_heads=10)
    model = NeuralLinear(objective, sigma2=0.01, gamma=0.01, max_steps=STEPS, random_state=0).fit(X, y)
    error, std = rmse(model.predict(inside), truth(inside)), model.predict_dist(outside).epistemic_std.mean()
    print(f"{name}: error {error:.2f} on the data, epistemic std {std:.2f} beyond them")
    draw_functions(ax, line, model.sample_posterior(line, 20, random_state=0), GapData(X, y, gap=(2.0, 4.0)))
    ax.set_title(name)
axes[0].set_ylabel("y")
figure.savefig("own_term.png", dpi=100)
