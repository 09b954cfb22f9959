"""Points are evaluated in turn here, and several at once on a cluster, each replaced when its value is there."""

import threading

import pytest

from tests.selection.test_workers import Cluster
from unabases.bayesopt.evaluating import evaluated


def points(n, noted):
    for number in range(n):
        noted.append(number)
        yield {"x": number}


def test_here_a_point_is_taken_when_the_last_one_is_done():
    noted = []
    for x, result in evaluated(lambda point: 2 * point.pop("x"), points(3, noted)):
        assert noted[-1] == x["x"] == result() / 2  # `f` has a copy of its own
    assert noted == [0, 1, 2]


def test_a_cluster_is_kept_busy_and_values_come_as_they_arrive():
    noted, first = [], threading.Event()

    def wait_for_the_others(point):
        if point["x"] == 0:
            assert first.wait(20)
        elif point["x"] == 4:
            first.set()
        return -point["x"]

    with Cluster({"a": 1, "b": 1}) as client:
        found = []
        for x, result in evaluated(wait_for_the_others, points(5, noted), client):
            assert len(noted) - len(found) <= 2  # never more than there are threads
            found.append((x["x"], result()))
    assert sorted(found) == [(number, -number) for number in range(5)]
    assert found.index((0, 0)) > 2  # the slow one did not hold the others up


def test_an_error_comes_with_its_point():
    with Cluster({"a": 1}) as client:
        ((x, result),) = evaluated(lambda point: 1 / point["x"], points(1, []), client)
        assert x == {"x": 0}
        with pytest.raises(ZeroDivisionError):
            result()
