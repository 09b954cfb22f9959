"""Experiments as data."""

import pytest

from tests.paper.cheap import cheap_experiment
from unabases.paper.spec import PROFILES, Extent, Method, find_experiments


def test_what_is_unknown_is_told_with_what_is_known():
    experiment = cheap_experiment("log")
    with pytest.raises(ValueError, match=r"no profile 'huge'; it has tiny, paper"):
        experiment.extent("huge")
    with pytest.raises(ValueError, match=r"unknown experiment nothing; known ones are toy"):
        find_experiments(["nothing"], {"toy": experiment})
    assert find_experiments(["toy"], {"toy": experiment}) == [experiment]
    assert experiment.extent("tiny") == Extent(splits=4)


def test_a_profile_runs_what_its_extent_includes():
    method = Method("a", notes={"n_features": 5})
    assert Extent().includes(method, "toy")
    assert Extent(methods=("a",), notes={"n_features": (5, 10)}).includes(method, "toy")
    assert not Extent(methods=("b",)).includes(method, "toy")
    assert not Extent(notes={"n_features": (10,)}).includes(method, "toy")
    assert not Extent(leave_out=(("toy", "a"),)).includes(method, "toy")
    assert Extent(leave_out=(("toy", "a"),)).includes(method, "mars")
    assert not Extent().includes(Method("a", only=("mars",)), "toy")


def test_profiles_go_from_small_to_large():
    assert list(PROFILES) == ["tiny", "quick", "paper"]
