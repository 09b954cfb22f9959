from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from unabases.datasets import Dataset

RECORD = Dataset(
    name="toy",
    X=np.arange(6.0).reshape(3, 2),
    y=np.array([7.0, 8.0, 9.0]),
    columns=("a", "b"),
    target="c",
    units={"c": "m"},
    source="here",
    licence="none",
    citation="none",
)


def test_counts_and_frame():
    assert (RECORD.n, RECORD.d) == (3, 2)
    frame = RECORD.frame()
    assert list(frame.columns) == ["a", "b", "c"]
    assert_array_equal(frame.to_numpy(), [[0, 1, 7], [2, 3, 8], [4, 5, 9]])


def test_changing_the_frame_does_not_change_the_record():
    frame = RECORD.frame()
    frame.loc[0, :] = -1
    assert (RECORD.y[0], RECORD.X[0, 0]) == (7, 0)


def test_is_frozen_and_shows_what_it_is():
    with pytest.raises(FrozenInstanceError):
        RECORD.name = "other"  # pyright: ignore[reportAttributeAccessIssue]
    assert repr(RECORD) == "Dataset(toy: 3 rows, 2 inputs, target c)"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": np.zeros(2)}, r"got \(3, 2\) and \(2,\)"),
        ({"X": np.zeros(3)}, r"got \(3,\) and \(3,\)"),
        ({"columns": ("a",)}, "2 columns but 1 are named"),
        ({"columns": ("a", "c")}, "distinct"),
        ({"units": {"z": "m"}}, r"unknown columns \['z'\]"),
    ],
)
def test_a_record_that_contradicts_itself_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        replace(RECORD, **change)
