"""The nearest point that obeys linear inequalities, against a solver of another kind."""

import numpy as np
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from unabases.regressors.projection import nearest_point

RNG = np.random.default_rng(0)
F = RNG.standard_normal((60, 4))
F /= np.linalg.norm(F, axis=1, keepdims=True)
G = F @ np.array([1.0, -2.0, 0.5, 0.3]) * -1 + RNG.uniform(0.05, 2, 60)  # that point obeys


def test_it_agrees_with_a_general_solver():
    for z in 3 * RNG.standard_normal((5, 4)):
        found = nearest_point(F, G, z)
        constraint = {"type": "ineq", "fun": lambda x: F @ x + G, "jac": lambda x: F}
        other = minimize(
            lambda x, z=z: np.sum((x - z) ** 2), np.zeros(4), jac=lambda x, z=z: 2 * (x - z), constraints=constraint
        )
        assert np.min(F @ found.x + G) > -2e-4
        assert_allclose(found.x, other.x, atol=1e-3)


def test_a_point_that_obeys_stays():
    inside = np.array([1.0, -2.0, 0.5, 0.3])
    found = nearest_point(F, G, inside)
    assert_allclose(found.x, inside)
    assert found.holding == 0


def test_it_counts_what_holds_the_point():
    found = nearest_point(np.eye(3), np.array([-1.0, -2.0, 5.0]))
    assert_allclose(found.x, [1.0, 2.0, 0.0], atol=1e-12)
    assert found.holding == 2


def test_there_may_be_no_such_point():
    assert nearest_point(np.array([[1.0], [-1.0]]), np.array([-1.0, 0.0])) is None  # x ≥ 1 and x ≤ 0
