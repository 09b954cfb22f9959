"""A wish of your own for UNA: functions that are nearly straight beyond the data.

A term is a function of the heads, which returns a number that is small when they are as you want them; JAX
differentiates it. It is a wish, not a promise: the last layer weighs it against the data. For what must hold, such as
a function that never falls, use the statements of `unabases.terms`.
"""

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np

from unabases import UNA
from unabases.objectives import Term
from unabases.plotting import GapData, draw_functions

STEPS = 1500


def bends(heads, points, key):
    """Mean squared second derivative of the heads along the only input."""
    second = jax.vmap(jax.jacfwd(jax.jacfwd(heads)))(points.X)
    return points.mean(jnp.mean(second**2, axis=tuple(range(1, second.ndim))))


def beyond(X, key):
    """Where the term is evaluated: 64 points up to two standard deviations beyond the rows."""
    return X + 2 * jnp.sign(X) * jax.random.uniform(key, X.shape)


rng = np.random.default_rng(0)
X = rng.uniform(-2, 2, (80, 1))
y = X[:, 0] + 0.5 * np.sin(3 * X[:, 0]) + 0.1 * rng.standard_normal(80)
far = np.linspace(2, 4, 40)[:, None]
line = np.linspace(-2, 4, 120)[:, None]
figure, axes = plt.subplots(1, 2, figsize=(9, 3.8), sharey=True, layout="constrained")
wishes = (("default", None), ("straight", [Term("bends", bends, weight=1.0, where=beyond)]))
for ax, (name, terms) in zip(axes, wishes, strict=True):
    model = UNA(terms=terms, activation="tanh", max_steps=STEPS, random_state=0).fit(X, y)
    functions = model.sample_posterior(far, 100, random_state=0)
    bend = np.abs(np.diff(functions, 2, axis=1)).mean() / (far[1, 0] - far[0, 0]) ** 2
    print(f"{name}: beyond the data, functions bend by {bend:.2f}, epistemic std {functions.std(axis=0).mean():.2f}")
    draw_functions(ax, line, model.sample_posterior(line, 20, random_state=0), GapData(X, y, gap=(2.0, 4.0)))
    ax.set_title(name)
axes[0].set_ylabel("y")
figure.savefig("own_term.png", dpi=100)
