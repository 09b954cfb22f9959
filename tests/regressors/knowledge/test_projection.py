"""The nearest points that obey linear inequalities, against a solver of another kind."""

import numpy as np
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from unabases.regressors.knowledge.projection import nearest_points

RNG = np.random.default_rng(0)
F = RNG.standard_normal((60, 4))
F /= np.linalg.norm(F, axis=1, keepdims=True)
G = F @ np.array([1.0, -2.0, 0.5, 0.3]) * -1 + RNG.uniform(0.05, 2, 60)  # that point obeys


def test_it_agrees_with_a_general_solver():
    Z = 3 * RNG.standard_normal((5, 4))
    found = nearest_points(F, G, Z)
    for z, x in zip(Z, found.X, strict=True):
        constraint = {"type": "ineq", "fun": lambda x: F @ x + G, "jac": lambda x: F}
        other = minimize(
            lambda x, z=z: np.sum((x - z) ** 2), np.zeros(4), jac=lambda x, z=z: 2 * (x - z), constraints=constraint
        )
        assert np.min(F @ x + G) > -2e-4
        assert_allclose(x, other.x, atol=1e-3)


def test_neighbours_that_say_nearly_the_same_become_a_smooth_wall():
    angle = np.linspace(0, 2 * np.pi, 2000)
    inside = -np.column_stack([np.cos(angle), np.sin(angle)])  # a disc of radius 1
    Z = np.array([[3.0, -4.0], [-20.0, 0.0]])
    found = nearest_points(inside, np.ones(2000), Z)
    assert_allclose(found.X, [[0.6, -0.8], [-1.0, 0.0]], atol=1e-2)
    assert all(1 <= len(held) <= 2 for held in found.held)


def test_what_held_points_before_does_not_change_the_answer():
    Z = 3 * RNG.standard_normal((4, 4))
    before = nearest_points(F[:30], G[:30], Z)
    assert_allclose(nearest_points(F, G, Z, before.held).X, nearest_points(F, G, Z).X, atol=1e-3)


def test_points_that_obey_stay():
    inside = np.array([[1.0, -2.0, 0.5, 0.3]])
    found = nearest_points(F, G, inside)
    assert_allclose(found.X, inside)
    assert [len(held) for held in found.held] == [0]


def test_it_says_what_holds_a_point():
    found = nearest_points(np.eye(3), np.array([-1.0, -2.0, 5.0]), np.zeros((1, 3)))
    assert_allclose(found.X, [[1.0, 2.0, 0.0]], atol=1e-12)
    assert [held.tolist() for held in found.held] == [[0, 1]]


def test_there_may_be_no_such_point():
    assert nearest_points(np.array([[1.0], [-1.0]]), np.array([-1.0, 0.0]), np.zeros((1, 1))) is None  # x ≥ 1, x ≤ 0
