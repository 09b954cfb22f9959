"""Heads that follow given functions, and a pool of points that steps look at."""

import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

from unabases.features import MLP
from unabases.objectives import Una
from unabases.objectives.follow import Follow
from unabases.objectives.places import Points
from unabases.objectives.una import Heads
from unabases.regressors.networks.step_one import init_starts
from unabases.training import Recipe, make_batch, train

RNG = np.random.default_rng(0)
POINTS = RNG.uniform(-1, 1, (40, 1))
VALUES = np.stack([np.sin(3 * POINTS), np.cos(3 * POINTS)], axis=1)  # 40 points, 2 heads, 1 output
NOWHERE = Points(jnp.zeros((1, 1)), jnp.ones(1))  # the term looks at points of its own


def test_the_value_is_the_mean_squared_distance_in_units_of_twice_the_tolerance():
    heads = Heads(phi=lambda x: x, W=jnp.asarray(RNG.standard_normal((2, 1, 2)), jnp.float32))
    term = Follow(POINTS, VALUES, np.array([0.25]), n_points=5)
    chosen = np.array([3, 1, 4, 1, 5])
    W = np.asarray(heads.W)[:, 0]
    f = POINTS[chosen] * W[:, 0] + W[:, 1]
    assert_allclose(term.value(heads, NOWHERE, chosen), np.mean((f - VALUES[chosen, :, 0]) ** 2) / 0.5, rtol=1e-5)


def test_each_step_looks_at_points_of_the_pool():
    drawn = Follow(POINTS, VALUES, np.array([1.0]), n_points=7).draw(np.random.default_rng(0), 3, 1)
    assert drawn.shape == (3, 7)
    assert 0 <= drawn.min() <= drawn.max() < 40


def test_heads_learn_the_functions_they_follow_where_no_row_is():
    rows, targets = np.zeros((4, 1)), np.zeros((4, 1))
    term = Follow(POINTS, VALUES, np.array([0.01]), weight=10.0, n_points=16)
    objective = Una(sigma2=np.array([100.0]), gamma=np.float64(0.0), terms=(term,), n_heads=2)
    rng = np.random.default_rng(0)
    starts = init_starts(objective, lambda d, *, key: MLP(d, (30, 20), "tanh", key=key), 1, 1, 1, rng)
    trained = train([objective], starts, make_batch(rows, targets), rngs=[rng], recipe=Recipe(600, learning_rate=1e-2))
    assert trained.history["follow"][0, -50:].mean() < 0.05 * trained.history["follow"][0, 0]


def test_an_unknown_schedule_is_refused():
    with pytest.raises(ValueError, match="unknown schedule"):
        Follow(POINTS, VALUES, np.array([1.0]), schedule="cubic")
