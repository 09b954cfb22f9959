"""What heads follow: functions of the process, at points on lines through the rows that were seen."""

import numpy as np
from numpy.testing import assert_allclose

from unabases.regressors.knowledge.following import follow_draws
from unabases.regressors.processes.smooth_kernel import SmoothKernel
from unabases.regressors.shared.weights import WeightedRows

RNG = np.random.default_rng(0)
Z = RNG.uniform(-1.0, 1.0, (40, 2))
T = np.column_stack([np.sin(2 * Z[:, 0]), -3 * Z[:, 1]])
KERNEL = SmoothKernel(1.0, 0.5, 1e-4, np.array([1.0, 1.0]))


def follow(seen, n_heads=30):
    rng = np.random.default_rng(1)
    return follow_draws(KERNEL, WeightedRows(Z, T, None), Z, np.array(seen), n_heads, np.array([0.1, 0.2]), 0.3, rng)


def test_points_lie_on_lines_through_rows_that_were_seen():
    points, (a, b) = np.asarray(follow([3, 7]).points), Z[[3, 7]]
    apart = points[np.any(points != a, axis=1) & np.any(points != b, axis=1)]
    along = (apart - a) @ (b - a) / np.sum((b - a) ** 2)
    assert_allclose(apart, a + along[:, None] * (b - a), atol=1e-5)
    assert -0.75 < along.min() < -0.6
    assert 1.6 < along.max() < 1.75


def test_each_head_has_a_function_of_its_own_that_rows_agree_with():
    wish = follow(range(40))
    points, drawn = np.asarray(wish.points), np.asarray(wish.values)
    assert drawn.shape == (len(points), 30, 2)
    among = np.all(np.abs(points) < 0.8, axis=1)
    truth = np.column_stack([np.sin(2 * points[:, 0]), -3 * points[:, 1]])
    assert_allclose(drawn[among].mean(axis=1), truth[among], atol=0.1)
    far = np.any(np.abs(points) > 1.3, axis=1)
    spread = drawn.std(axis=1)
    assert spread[far].mean() > 3 * spread[among].mean()
    assert np.all(spread[far] > 0)


def test_how_near_to_its_function_a_head_has_to_come_is_the_noise_and_a_little():
    assert_allclose(follow(range(40)).tolerance, [0.11, 0.21], rtol=1e-6)
