import numpy as np
import pytest

from unabases.regressors.committee.saved_curve import read_curve
from unabases.regressors.shared.saved_state import SavedState, StateError


def test_no_curve_was_saved():
    assert read_curve(SavedState({}, {})) is None


@pytest.mark.parametrize(("name", "number"), [("spread", 1e300), ("center", -1e200), ("high", 1e200)])
def test_a_saved_curve_beyond_all_targets_is_refused(name, number):
    fine = {"power": 0.5, "center": 0.0, "spread": 0.1, "low": -1.0, "high": 2.0}
    arrays = {key: np.array([value]) for key, value in fine.items()}
    assert read_curve(SavedState(arrays, {})).power == 0.5
    with pytest.raises(StateError, match="beyond 1e"):
        read_curve(SavedState({**arrays, name: np.array([number])}, {}))


@pytest.mark.parametrize("change", [{"power": 3.0}, {"low": 2.5}, {"spread": 0.0}])
def test_what_is_no_curve_is_refused(change):
    fine = {"power": 0.5, "center": 0.0, "spread": 0.1, "low": -1.0, "high": 2.0}
    with pytest.raises(StateError):
        read_curve(SavedState({key: np.array([value]) for key, value in {**fine, **change}.items()}, {}))
