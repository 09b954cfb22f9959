"""The logarithm on which some inputs are seen."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from unabases.regressors.shared.input_curve import InputCurve
from unabases.regressors.shared.saved_state import SavedState, StateError

CURVE = InputCurve(*(np.array(part) for part in ([1.0, 0.0, 1.0], [2.0, 0.0, 0.0], [50.0, 0.0, 9.0], [2.0, 1.0, 3.0])))


def column(place, values):
    X = np.zeros((len(values), 3))
    X[:, place] = values
    return CURVE(X)[:, place]


def test_a_positive_column_becomes_its_logarithm():
    x = np.linspace(2.0, 50.0, 9)
    assert_allclose(column(0, x), np.log(x / 2))
    assert_allclose(column(2, [0.0, 6.0]), [0.0, np.log(3.0)])


def test_other_columns_stay_as_they_are():
    x = np.array([-1e300, -1.0, 0.0, 1 / 3, 1e300])
    assert_array_equal(column(1, x), x)


def test_it_goes_on_as_a_straight_line_with_the_same_slope():
    for end, slope in ((2.0, 1 / 2), (50.0, 1 / 50)):
        assert_allclose(np.diff(column(0, [end - 1e-6, end, end + 1e-6])), slope * 1e-6, rtol=1e-3)
    assert_allclose(column(0, [-8.0, 150.0]), [-5.0, np.log(25.0) + 2.0])


def test_it_is_saved_and_read():
    read = InputCurve.read(SavedState(CURVE.arrays(), {}, d=3))
    for own, other in zip(read, CURVE, strict=True):
        assert_array_equal(own, other)
    assert InputCurve.read(SavedState({}, {}, d=3)) is None


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"bent": [0.5, 0.0, 1.0]}, "0 or 1 for each"),
        ({"high": [1.0, 0.0, 9.0]}, "end above where it begins"),
        ({"unit": [0.0, 1.0, 3.0]}, "unit"),
        ({"unit": [1e-308, 1.0, 3.0]}, "beyond the largest number"),
        ({"low": [-1e308, 0.0, 0.0], "high": [1e308, 0.0, 9.0]}, "beyond the largest number"),
    ],
)
def test_what_no_fit_makes_is_refused(changed, message):
    arrays = CURVE.arrays() | {f"inputs.{name}": np.array(values) for name, values in changed.items()}
    with pytest.raises(StateError, match=message):
        InputCurve.read(SavedState(arrays, {}, d=3))
