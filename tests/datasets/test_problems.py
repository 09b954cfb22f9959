import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import approx_fprime, minimize

from unabases.datasets import branin, hartmann6

PROBLEMS = [branin, hartmann6]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda p: p.name)
def test_the_minimum_is_reached_at_every_minimiser(problem):
    assert_allclose(problem(problem.minimisers), problem.minimum, rtol=1e-12)
    for x in problem.minimisers:
        assert np.all((x >= problem.bounds[:, 0]) & (x <= problem.bounds[:, 1]))
        assert_allclose(approx_fprime(x, problem, 1e-7), 0, atol=1e-4)


@pytest.mark.parametrize(("problem", "starts"), [(branin, 30), (hartmann6, 30)], ids=["branin", "hartmann6"])
def test_a_search_from_many_starts_finds_these_minimisers_and_none_below(problem, starts):
    ends = [minimize(problem, x, bounds=problem.bounds, tol=1e-12) for x in problem.sample(starts)]
    best = min(end.fun for end in ends)
    assert_allclose(best, problem.minimum, atol=1e-9)
    found = np.array([end.x for end in ends if end.fun < problem.minimum + 1e-7])
    distances = np.linalg.norm(found[:, None] - problem.minimisers, axis=-1)
    assert distances.min(axis=1).max() < 1e-3
    assert distances.min(axis=0).max() < 1e-3  # each of them is found


def test_values_by_hand():
    """Branin as the textbook writes it; Hartmann6 with a loop and the paper's printed optimum."""
    assert_allclose(branin(np.array([0.0, 0.0])), 36 + 10 * (1 - 1 / (8 * np.pi)) + 10)
    assert_allclose(branin(np.array([np.pi / 2, 1.0])), (1 - 5.1 / 16 + 2.5 - 6) ** 2 + 10)
    printed = np.array([0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573])
    assert_allclose(hartmann6(printed), -3.32237, atol=5e-6)
    assert_allclose(hartmann6.minimisers[0], printed, atol=1e-6)
    assert_allclose(hartmann6(np.full(6, 0.5)), -0.5053149917, atol=1e-9)
    assert_allclose(branin.minimum, 0.397887, atol=5e-7)


def test_the_paper_s_third_minimiser_has_a_point_for_a_comma():
    assert_allclose(branin.minimisers[2], [9.42478, 2.475], atol=5e-6)


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda p: p.name)
def test_rows_of_any_shape(problem):
    X = problem.sample(12, random_state=3).reshape(3, 4, problem.d)
    values = problem(X)
    assert values.shape == (3, 4)
    assert_array_equal(values[1, 2], problem(X[1, 2]))
    with pytest.raises(ValueError, match=f"has {problem.d} inputs"):
        problem(X[..., :1])


def test_points_are_uniform_in_the_box():
    X = branin.sample(2000)
    assert_allclose(X.min(axis=0), branin.bounds[:, 0], atol=0.05)
    assert_allclose(X.mean(axis=0), branin.bounds.mean(axis=1), atol=0.5)
    assert repr(branin) == "Problem(branin: 2 inputs, minimum 0.397887)"
