import math

import numpy as np
import pytest

from unabases.bayesopt.record import Evaluation, Record, read_seed, read_value
from unabases.selection import Space

SPACE = Space(x=(0.0, 1.0), n=(1, 3), c=["a", "b"])
POINT = {"x": 0.5, "n": 2, "c": "b"}


def test_a_told_point_is_no_longer_pending_but_its_twin_is():
    record = Record(SPACE, 0, pending=[POINT, {**POINT, "n": 3}, POINT])
    record.add(Evaluation(POINT, 1.0))
    assert record.pending == [{**POINT, "n": 3}, POINT]
    record.add(Evaluation({**POINT, "n": 1}, 2.0))  # never asked for
    assert len(record.pending) == 2
    assert len(record.evaluations) == 2


def test_dealt_points_are_those_of_the_sequence_that_are_new():
    record = Record(SPACE, 5)
    first = record.deal()
    assert first == SPACE.decode(SPACE.sobol(1, 5))[0]
    record.pending.append(first)
    assert record.deal() == SPACE.decode(SPACE.sobol(2, 5))[1]
    assert record.dealt == 2


def test_a_finite_space_is_dealt_to_the_last_point():
    record = Record(Space(n=(1, 7), c=["a", "b"]), 0)
    while (point := record.deal()) is not None:
        record.pending.append(point)
    assert len({(point["n"], point["c"]) for point in record.pending}) == len(record.pending) == 14


def test_the_table_has_the_best_so_far_in_the_direction_of_the_study():
    record = Record(SPACE, 0)
    for value in (math.nan, 3.0, 5.0, 1.0):
        record.add(Evaluation(POINT, value))
    assert record.best(1.0) == Evaluation(POINT, 1.0)
    assert record.best(-1.0) == Evaluation(POINT, 5.0)
    table = record.table(-1.0)
    np.testing.assert_array_equal(table["best"], [math.nan, 3, 5, 5])
    assert list(table["state"]) == ["failed", "told", "told", "told"]
    assert list(table.columns) == ["x", "n", "c", "value", "best", "state"]
    assert list(table.index) == [1, 2, 3, 4]


def test_without_values_there_is_no_best_and_the_table_is_empty():
    record = Record(SPACE, 0)
    assert record.best(1.0) is None
    assert len(record.table(1.0)) == 0
    assert record.rows().shape == (0, SPACE.width)


def test_values_and_seeds_are_read():
    assert read_value(np.float32(2.0)) == 2.0
    assert math.isnan(read_value(None))
    assert math.isnan(read_value(np.inf))
    assert math.isnan(read_value(10**400))
    for text in ("0.3", "nan", b"1"):
        with pytest.raises(TypeError, match="must be a number"):
            read_value(text)
    with pytest.raises(TypeError, match="tell one of them"):
        read_value([1.0, 2.0])
    assert read_seed(3) == 3
    assert read_seed(np.random.default_rng(0)) == read_seed(np.random.default_rng(0))
    with pytest.raises(ValueError, match="`random_state`"):
        read_seed(-1)
