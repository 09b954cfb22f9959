import numpy as np
import pytest
from jax import monitoring

from unabases import GaussianProcess, NeuralLinear
from unabases.bayesopt import BayesOpt, Space, default_surrogate
from unabases.bayesopt.maximise import Goal, acquisition_values, ascend, best_place, climb
from unabases.bayesopt.surrogate import belief_about

BACKEND_COMPILE = "/jax/core/compile/backend_compile_duration"
SPACE = Space(a=(0.0, 1.0), b=(0.0, 1.0))
RNG = np.random.default_rng(0)
U = RNG.uniform(size=(14, 2))
T = 30 * ((U[:, 0] - 0.3) ** 2 + (U[:, 1] - 0.6) ** 2) + np.sin(9 * U[:, 0])
NLM = NeuralLinear(
    "mle",
    hidden_layer_sizes=(20, 20),
    activation="tanh",
    sigma2=1e-2,
    prior_variance=1.0,
    max_steps=150,
    random_state=0,
)
GRID = np.stack(np.meshgrid(np.linspace(0, 1, 201), np.linspace(0, 1, 201)), axis=-1).reshape(-1, 2)


@pytest.mark.parametrize("acquisition", ["ei", "lcb"])
@pytest.mark.parametrize("estimator", [NLM, GaussianProcess(restarts=0)], ids=["gradients", "without"])
def test_nothing_on_a_fine_grid_promises_more(estimator, acquisition):
    belief = belief_about(estimator, U, T)
    goal = Goal(acquisition, float(T.min()))
    found = best_place(SPACE, belief, goal, good=U[np.argsort(T)[:4]], taken=U, rng=np.random.default_rng(0))
    value = acquisition_values(goal, belief.moments(found[None]))[0]
    on_grid = acquisition_values(goal, belief.moments(GRID))
    assert value > on_grid.max() - (0.02 if acquisition == "ei" else 1e-3 * np.ptp(on_grid))


def test_a_thompson_point_is_the_minimum_of_one_drawn_function():
    belief = belief_about(NLM, U, T)
    goal = Goal("thompson", float(T.min()))
    found = best_place(SPACE, belief, goal, good=U[:4], taken=U, rng=np.random.default_rng(7))
    function = belief.draw(np.random.default_rng(7))  # the first thing that is drawn
    on_grid = function.moments(GRID)[0]
    assert function.moments(found[None])[0][0] < on_grid.min() + 2e-3 * np.ptp(on_grid)


def test_climbing_never_ends_below_its_start_and_stays_in_the_cube():
    belief = belief_about(NLM, U, T)
    goal = Goal("ei", float(T.min()))
    starts = np.random.default_rng(3).uniform(size=(32, 2))
    ends = climb(belief.as_linear(), goal, starts, np.array([True, False]))
    before, after = (acquisition_values(goal, belief.moments(rows)) for rows in (starts, ends))
    assert np.all(after >= before - 1e-3)
    assert np.median(after - before) > 1.0
    assert ends.min() >= 0
    assert ends.max() <= 1
    np.testing.assert_array_equal(ends[:, 1], starts[:, 1])  # a column that may not move


def test_slopes_from_differences_lead_to_the_top_and_leave_some_columns_alone():
    top = np.array([0.3, 1.2, 0.5])  # the second is beyond the cube

    def score(rows):
        return -np.sum((rows - top) ** 2 * [1.0, 3.0, 1.0], axis=1)

    starts = np.random.default_rng(0).uniform(0.2, 0.9, size=(32, 3))
    ends = ascend(score, starts, np.array([True, True, False]))
    np.testing.assert_array_equal(ends[:, 2], starts[:, 2])
    assert ends.max() <= 1
    assert np.all(score(ends) >= score(starts))
    assert np.median(score(ends)) > np.median(score(starts)) + 0.1
    near = ascend(score, np.array([[0.31, 0.999, 0.2]]), np.array([True, True, False]))
    np.testing.assert_allclose(near, [[0.3, 1.0, 0.2]], atol=2e-3)


@pytest.mark.parametrize("apart", [0.01, 0.1])
def test_a_place_is_as_far_as_asked_from_all_that_are_taken(apart):
    belief, goal = belief_about(NLM, U, T), Goal("ei", float(T.min()))
    best = best_place(SPACE, belief, goal, good=U[:4], taken=U, rng=np.random.default_rng(0))
    taken = np.concatenate([U, best[None]])
    found = best_place(SPACE, belief, goal, good=U[:4], taken=taken, rng=np.random.default_rng(0), apart=apart)
    assert np.abs(taken - found).max(axis=1).min() > apart


def test_where_no_place_is_so_far_from_all_that_are_taken_a_nearer_one_is_found():
    taken = np.stack(np.meshgrid(np.linspace(0, 1, 11), np.linspace(0, 1, 11)), axis=-1).reshape(-1, 2)
    belief, goal = belief_about(NLM, U, T), Goal("ei", float(T.min()))
    found = best_place(SPACE, belief, goal, good=U[:4], taken=taken, rng=np.random.default_rng(0), apart=0.064)
    assert 0.032 < np.abs(taken - found).max(axis=1).min() < 0.064


def test_a_taken_place_is_passed_over_and_an_exhausted_space_has_none():
    space = Space(n=(1, 3, "integer"), c=["a", "b"])
    places = space.all()
    t = np.arange(6.0)
    belief = belief_about(GaussianProcess(restarts=0, random_state=0), places[:4], t[:4])
    for free in range(6):
        rest = np.delete(places, free, axis=0)
        found = best_place(space, belief, Goal("lcb", 0.0), good=places[:1], taken=rest, rng=np.random.default_rng(0))
        np.testing.assert_array_equal(found, places[free])
    for acquisition in ("ei", "thompson"):
        goal = Goal(acquisition, 0.0)
        assert best_place(space, belief, goal, good=places[:1], taken=places, rng=np.random.default_rng(0)) is None


@pytest.fixture
def programs():
    """A list that grows with every program that JAX builds."""
    built = []
    listener = lambda event, duration, **_: built.append(event) if event == BACKEND_COMPILE else None  # noqa: E731
    monitoring.register_event_duration_secs_listener(listener)
    yield built
    monitoring.unregister_event_duration_listener(listener)


@pytest.mark.parametrize("acquisition", ["ei", "thompson"])
def test_no_step_compiles_what_the_one_before_did(programs, acquisition):
    study = BayesOpt(
        Space(a=(0.0, 1.0), b=(0.0, 1.0), c=["x", "y"]),
        surrogate=default_surrogate(max_steps=20),
        acquisition=acquisition,
        n_initial=17,
        random_state=0,
    )
    value = lambda point: (point["a"] - 0.3) ** 2 + point["b"] + (point["c"] == "x")  # noqa: E731
    study.minimize(value, n=17)
    study.tell(batch := study.ask(n=2), [value(point) for point in batch])
    programs.clear()
    study.minimize(value, n=28)  # the same bucket of 32 rows
    study.ask(n=2)
    assert programs == []
