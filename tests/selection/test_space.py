"""Points of a space, and their places in the unit cube."""

import copy
import math
import pickle
import warnings

import numpy as np
import optuna
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from optuna.distributions import FloatDistribution, IntDistribution

from unabases.selection.space import Space, as_space

MIXED = Space(
    x=(-5.0, 10.0),
    rate=(1e-6, 1.0, "log"),
    units=(1, 1000, "log-integer"),
    layers=(1, 4, "integer"),
    kernel=["rbf", "poly", None],
)
POINT = {"x": 2.5, "rate": 1e-3, "units": 32, "layers": 3, "kernel": None}


def test_places_in_the_cube_by_hand():
    place = MIXED.encode([POINT])[0]
    share = np.log([0.5, 1000.5])
    expected = [0.5, 0.5, (math.log(32) - share[0]) / (share[1] - share[0]), 2.5 / 4, 0, 0, 1]
    np.testing.assert_allclose(place, expected, rtol=1e-14)


@given(st.lists(st.floats(-0.5, 1.5), min_size=7, max_size=7))
@settings(deadline=None)
def test_what_is_decoded_is_inside_and_is_what_was_scored(place):
    U = np.array([place])
    point = MIXED.decode(U)[0]
    assert MIXED.check(point) == point
    assert type(point["units"]) is int
    assert type(point["x"]) is float
    np.testing.assert_allclose(MIXED.encode([point]), MIXED.snap(U), atol=1e-12)
    again = MIXED.decode(MIXED.snap(U))[0]
    for name in ("x", "rate"):
        assert again.pop(name) == pytest.approx(point.pop(name), rel=1e-9)
    assert again == point


def test_the_ends_come_back_exactly():
    space = Space(a=(0.1, 0.7), b=(1e-7, 0.3, "log"), c=(3, 9, "integer"), d=(2, 77, "log-integer"))
    for end in (0.0, 1.0):
        point = space.decode(np.full((1, 4), end))[0]
        assert list(point.values()) == ([0.1, 1e-7, 3, 2] if end == 0 else [0.7, 0.3, 9, 77])


def test_every_whole_number_and_choice_is_equally_likely():
    rng = np.random.default_rng(0)
    points = Space(n=(1, 4, "integer"), c=["a", "b", "c"]).decode(
        Space(n=(1, 4, "integer"), c=["a", "b", "c"]).sample(12_000, rng)
    )
    for name, values in (("n", [1, 2, 3, 4]), ("c", ["a", "b", "c"])):
        counts = [sum(point[name] == value for point in points) for value in values]
        expected = 12_000 / len(values)
        assert np.all(np.abs(np.array(counts) - expected) < 4 * np.sqrt(expected)), counts


def test_logarithmic_whole_numbers_own_shares_of_their_logarithm():
    space = Space(n=(1, 1000, "log-integer"))
    values = np.array([point["n"] for point in space.decode(space.sample(20_000, np.random.default_rng(0)))])
    share = math.log(10.5 / 0.5) / math.log(1000.5 / 0.5)
    assert np.mean(values <= 10) == pytest.approx(share, abs=0.015)


def test_sobol_points_are_inside_and_a_longer_sequence_begins_with_a_shorter_one():
    few, many = MIXED.sobol(5, seed=3), MIXED.sobol(20, seed=3)
    np.testing.assert_array_equal(few, many[:5])
    assert len(np.unique(many, axis=0)) == 20
    assert not np.array_equal(many, MIXED.sobol(20, seed=4))
    x = np.sort(Space(x=(0.0, 1.0)).sobol(16, seed=0)[:, 0])
    np.testing.assert_array_equal(np.floor(16 * x), np.arange(16))  # one in each sixteenth


def test_neighbours_are_places_of_points_and_near():
    rng = np.random.default_rng(0)
    U = np.repeat(MIXED.encode([POINT]), 2000, axis=0)
    near = MIXED.neighbours(U, 0.01, rng)
    np.testing.assert_allclose(MIXED.snap(near), near, atol=1e-12)
    assert np.std(near[:, 0]) == pytest.approx(0.01, rel=0.1)
    layers = np.array([point["layers"] for point in MIXED.decode(near)])
    assert 0.3 < np.mean(layers != 3) < 0.8  # a step of 0.01 alone would never leave it
    assert 0.05 < np.mean(near[:, -1] == 0) < 0.25


def test_a_finite_space_lists_each_point_once():
    space = Space(n=(1, 3, "integer"), c=["a", "b"], fixed=(2.0, 2.0))
    points = space.decode(space.all())
    assert space.size == 6
    assert {(p["n"], p["c"]) for p in points} == {(n, c) for n in (1, 2, 3) for c in "ab"}
    assert all(point["fixed"] == 2.0 for point in points)
    with pytest.raises(ValueError, match="cannot be listed"):
        Space(x=(0.0, 1.0)).all()


def test_choices_are_told_apart_by_type_and_found_by_value():
    space = Space(c=[True, 1, 1.0, "1", (50, 20)])
    for i, choice in enumerate([True, 1, 1.0, "1", (50, 20)]):
        assert space.key({"c": choice}) == (i,)
        assert space.decode(space.encode([{"c": choice}]))[0]["c"] is choice or isinstance(choice, tuple)
    assert Space(c=["rbf", "poly"]).check({"c": np.str_("poly")}) == {"c": "poly"}


def test_values_of_numpy_are_taken_as_numbers():
    point = Space(x=(0.0, 1.0), n=(1, 9, "integer")).check({"x": np.float32(0.5), "n": np.int64(4)})
    assert point == {"x": 0.5, "n": 4}
    assert (type(point["x"]), type(point["n"])) == (float, int)
    assert Space(n=(1, 9, "integer")).check({"n": 4.0}) == {"n": 4}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"x": 11}, "`x` must be a number between -5 and 10; got 11"),
        ({"x": math.nan}, "must be a number"),
        ({"x": "3"}, "got '3'"),
        ({"layers": 2.5}, "`layers` must be a whole number between 1 and 4; got 2.5"),
        ({"layers": True}, "whole number"),
        ({"kernel": "RBF"}, "one of 'rbf', 'poly', None; got 'RBF'"),
        ({"more": 1}, "'more' is not one of them"),
    ],
)
def test_a_wrong_point_is_refused(change, says):
    with pytest.raises(ValueError, match=says):
        MIXED.check({**POINT, **change})
    with pytest.raises(ValueError, match="x, rate is missing"):
        MIXED.check({"units": 3, "layers": 2, "kernel": "rbf"})
    with pytest.raises(TypeError, match="a point is a dictionary"):
        MIXED.check([1, 2])


def test_spaces_compare_and_describe_themselves():
    space = Space(x=(0, 1, "real"), n=(1, 9), r=(1e-3, 1.0, "log"), c=["a", None])
    assert space == Space({"x": FloatDistribution(0, 1), "n": (1, 9), "r": (1e-3, 1.0, "log"), "c": ["a", None]})
    assert space != Space(y=(0, 1, "real"))
    assert repr(space) == (
        "Space({'x': (0.0, 1.0, 'real'), 'n': (1, 9, 'integer'), 'r': (0.001, 1.0, 'log'), 'c': ['a', None]})"
    )
    assert eval(repr(space)) == space
    assert "step=2" in repr(Space(n=IntDistribution(1, 9, step=2)))
    assert "n" in space
    assert list(space) == space.names == ["x", "n", "r", "c"]


def test_a_space_can_be_copied_and_pickled():
    for again in (copy.deepcopy(MIXED), pickle.loads(pickle.dumps(MIXED))):
        assert again == MIXED
        assert again.check(POINT) == POINT


def test_a_dictionary_is_read_by_the_same_rules():
    assert as_space({"x": (1, 9)}) == Space(x=(1, 9))
    assert as_space(MIXED) is MIXED
    with pytest.raises(TypeError, match="a Space or a dictionary"):
        as_space([("x", (0, 1))])


@pytest.mark.parametrize(("given_space", "says"), [({}, "at least one parameter"), ({1: (0, 1)}, "named by strings")])
def test_a_space_needs_named_parameters(given_space, says):
    with pytest.raises(ValueError, match=says):
        Space(given_space)


def test_optuna_can_ask_for_points_of_any_space():
    """Choices are numbered for Optuna's storages, which hold plain values only."""
    space = Space(x=(-1.0, 1.0), rate=(1e-3, 1.0, "log"), n=(1, 9, "log-integer"), c=["a", (50, 20)])
    found = space.distributions
    assert (found["x"].low, found["x"].high, found["x"].log) == (-1, 1, False)
    assert found["rate"].log
    assert found["n"].log
    assert found["c"].choices == (0, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=0))
        points = [space.from_trial(study.ask(space.distributions).params) for _ in range(10)]
    assert [space.check(point) for point in points] == points
    assert {point["c"] for point in points} == {"a", (50, 20)}


def test_a_key_leads_back_to_its_point():
    assert MIXED.from_key(MIXED.key(POINT)) == POINT
    with pytest.raises(ValueError, match="`x` must be a number"):
        MIXED.from_key((11, 1e-3, 32, 3, 0))


def test_steps_of_optuna_are_kept():
    space = Space(x=FloatDistribution(0.1, 0.9, step=0.2), n=IntDistribution(3, 30, step=9))
    assert space.size == 20
    assert space.discrete
    points = space.decode(space.sample(500, np.random.default_rng(0)))
    assert {point["n"] for point in points} == {3, 12, 21, 30}
    assert sorted({round(point["x"], 12) for point in points}) == [0.1, 0.3, 0.5, 0.7, 0.9]
    assert space.decode(space.encode(points)) == points
    assert len(space.decode(space.all())) == 20
    with pytest.raises(ValueError, match="between 3 and 30 in steps of 9; got 4"):
        space.check({"x": 0.3, "n": 4})
