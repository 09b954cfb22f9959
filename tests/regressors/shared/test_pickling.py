import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator

from tests.saving.kept import kept_files, questions
from unabases import load
from unabases.regressors.shared.pickling import PlainState

KEPT = {kept.name: kept.path for kept in kept_files()}
TABLES = {
    "history_": pd.DataFrame(
        {"loss": [3.0, np.nan], "fit": np.float32([1, 2])}, index=pd.RangeIndex(1, 3, name="step")
    ),
    "kept_": pd.DataFrame({"term": ["a", "b"], "broken": [True, False]}),
    "curves_": pd.DataFrame(np.ones((2, 2)), index=pd.Index([0.5, 2.0], name="factor"), columns=[0, 1]),
    "empty_": pd.DataFrame({"loss": np.empty(0)}),
}


class Holder(PlainState, BaseEstimator):
    """An estimator with tables among its attributes."""


@pytest.mark.parametrize("again", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_tables_come_back_as_they_were(again):
    model = Holder()
    vars(model).update(TABLES, coef_=1.5)
    found = vars(again(model))
    assert found.pop("coef_") == 1.5
    assert set(found) == set(TABLES)
    for name, table in TABLES.items():
        pd.testing.assert_frame_equal(found[name], table)


def test_no_table_is_left_in_the_state():
    model = Holder()
    vars(model).update(TABLES)
    assert not any(isinstance(value, pd.DataFrame) for value in model.__getstate__().values())
    assert isinstance(model.history_, pd.DataFrame)


@pytest.mark.parametrize("name", ["UNA", "HamiltonianBNN", "Conformal", "GapCalibrated", "GaussianProcess"])
def test_skops_keeps_a_fitted_model(name):
    skops = pytest.importorskip("skops.io")
    model = load(KEPT[name])
    data = skops.dumps(model)
    unknown = skops.get_untrusted_types(data=data)
    assert all(kind.startswith("unabases.") for kind in unknown), unknown
    found = skops.loads(data, trusted=unknown)
    X = questions(model)
    np.testing.assert_array_equal(found.predict(X), model.predict(X))
    if hasattr(model, "history_"):
        pd.testing.assert_frame_equal(found.history_, model.history_)
