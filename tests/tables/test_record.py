import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from unabases.regressors.shared.saved_state import SavedState, StateError
from unabases.tables import Column, typed_columns
from unabases.tables.record import frame_from, frame_state, profile_columns, profiles_from

TYPED = pd.DataFrame({"a": [1.0, np.nan, 3.0], "b": pd.Series(["x", None, "y"], dtype=object)})


def test_profiles_are_of_the_training_rows(homes, model):
    age = model.training.profile("age").quantiles
    assert_allclose(age[[0, 50, 100]], np.quantile(model.training.rows["age"], [0, 0.5, 1]))
    shares = model.training.profile("heating").shares
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["gas"] == pytest.approx(np.mean(model.training.rows["heating"] == "gas"))


def test_missing_values_do_not_count_in_a_profile():
    number, category = profile_columns(TYPED)
    assert_allclose(number.quantiles[[0, 50, 100]], [1, 2, 3])
    assert category.shares == {"x": 0.5, "y": 0.5}
    assert not number.constant
    assert profile_columns(TYPED.head(1))[0].constant


def test_a_table_taken_apart_can_be_rebuilt():
    arrays, described = frame_state(TYPED)
    pd.testing.assert_frame_equal(frame_from(SavedState(arrays, {}), described), TYPED)
    assert frame_from(SavedState({}, {}), frame_state(None)[1]) is None


def test_values_that_are_not_among_the_levels_are_refused():
    arrays, described = frame_state(pd.DataFrame({"c": ["a", "b"]}))
    with pytest.raises(StateError, match="'c' has values that are not among its levels"):
        frame_from(SavedState({"0": arrays["0"] + 1}, {}), described)
    with pytest.raises(StateError, match=r"has shape \(2,\), but \(rows\) is expected, where rows is 3"):
        frame_from(SavedState(arrays, {}), described, 3)


@pytest.mark.parametrize("quantiles", [[1.0, 2.0, 3.0], [*range(100), np.inf]], ids=["few", "infinite"])
def test_quantiles_that_no_column_has_are_refused(quantiles):
    with pytest.raises(StateError, match="no quantiles or 101"):
        profiles_from(SavedState({"0": np.array(quantiles, dtype=np.float64)}, {}), [("rooms", {})])


def test_columns_get_the_types_of_the_model():
    columns = [Column("b", "category"), Column("a", "number")]
    typed = typed_columns(pd.DataFrame({"a": ["1", None], "b": [1.0, True]}), columns)
    assert typed["b"].tolist() == ["1", "True"]
    assert_allclose(typed["a"], [1, np.nan])
