import numpy as np
import pandas as pd
import pytest

from unabases import GaussianProcess, NeuralLinear, TableModel
from unabases.audit import explain


def table(n=120, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {"a": rng.normal(size=n), "b": rng.uniform(0, 10, n), "c": rng.choice(["x", "y"], n, p=[0.9, 0.1])}
    )
    return frame.assign(t=frame["a"] + 0.1 * frame["b"] + 0.05 * rng.normal(size=n))


@pytest.fixture(scope="module")
def model():
    return TableModel.fit(table(), "t", regressor=GaussianProcess(restarts=0), random_state=0)


def row(**values):
    return pd.DataFrame([{"a": 0.0, "b": 5.0, "c": "x", **values}])


def test_the_input_furthest_outside_comes_first(model):
    found = explain(model, row(b=40.0))
    first = found.inputs.iloc[0]
    assert (first["column"], first["value"], first["percentile"]) == ("b", 40.0, 1.0)
    middle, high = np.quantile(model.training.rows["b"], [0.5, 0.95])
    assert first["outside"] == pytest.approx((40 - middle) / (high - middle))
    assert found.relative > 0
    assert found.p == pytest.approx(1 / (1 + len(model.held_out.y)))
    assert first["std_if_typical"] < found.epistemic_std
    typical = model.predict(row(b=middle))["epistemic_std"].iloc[0]
    assert first["std_if_typical"] == pytest.approx(typical)


def test_a_rare_category_is_outside_by_its_share(model):
    lines = explain(model, row(c="y")).inputs.set_index("column")
    share = np.mean(model.training.rows["c"] == "y")
    assert lines.loc["c", "share"] == pytest.approx(share)
    assert lines.loc["c", "outside"] == pytest.approx(0.05 / share)
    unknown = explain(model, row(c="z")).inputs.iloc[0]
    assert (unknown["column"], unknown["share"], unknown["outside"]) == ("c", 0.0, np.inf)


def test_values_beyond_a_tail_without_rows_are_measured_by_the_whole_range():
    rare = table().assign(b=np.r_[np.zeros(117), [1.0, 2.0, 4.0]], d=7.0)
    model = TableModel.fit(rare, "t", regressor=GaussianProcess(restarts=0), holdout=0.1, random_state=1)
    most = model.training.rows["b"].max()
    lines = explain(model, row(b=8.0, d=7.5)).inputs.set_index("column")
    assert lines.loc["b", "outside"] == pytest.approx(8 / most)
    assert lines.loc["d", "outside"] == np.inf
    assert explain(model, row(b=0.0, d=7.0)).inputs.set_index("column").loc["d", "outside"] == 0


def test_a_missing_category_is_unusual_only_if_training_never_lacked_it(model):
    gaps = table().assign(c=lambda frame: frame["c"].where(np.arange(120) % 4 > 0))
    lacking, full = (
        TableModel.fit(frame, "t", regressor=GaussianProcess(restarts=0), missing="impute", random_state=0)
        for frame in (gaps, table())
    )
    usual, odd = (explain(one, row(c=None)).inputs.set_index("column").loc["c"] for one in (lacking, full))
    assert np.isnan([usual["share"], usual["outside"]]).all()
    assert (odd["share"], odd["outside"]) == (0.0, np.inf)


def test_a_median_value_is_not_outside(model):
    middle = float(model.training.profile("a").quantiles[50])
    assert explain(model, row(a=middle)).inputs.set_index("column").loc["a", "outside"] == 0


@pytest.mark.parametrize(
    "regressor",
    [GaussianProcess(restarts=0), NeuralLinear(hidden_layer_sizes=(8,), max_steps=50, sigma2=0.01, random_state=0)],
)
def test_the_nearest_row_to_a_training_row_is_itself(regressor):
    model = TableModel.fit(table(), "t", regressor=regressor, random_state=0)
    mine = model.training.rows.iloc[[17]]
    nearest = explain(model, mine, n_nearest=3).nearest
    assert nearest["distance"].iloc[0] == pytest.approx(0, abs=1e-6)
    pd.testing.assert_frame_equal(nearest.drop(columns="distance").head(1), mine.reset_index(drop=True))
    assert (np.diff(nearest["distance"]) >= 0).all()


def test_distances_are_in_standardised_features():
    model = TableModel.fit(
        table(),
        "t",
        regressor=NeuralLinear(hidden_layer_sizes=(8,), max_steps=50, sigma2=0.01, random_state=0),
        random_state=0,
    )
    rows = model.training.rows
    features = model.regressor.feature_matrix(model.schema.encode(rows))[:, :-1]
    here = model.regressor.feature_matrix(model.schema.encode(row(a=1.0)))[:, :-1]
    spread = features.std(axis=0)
    alive = spread > 0
    distance = np.sqrt(np.mean(((features - here)[:, alive] / spread[alive]) ** 2, axis=1))
    assert explain(model, row(a=1.0)).nearest["distance"].iloc[0] == pytest.approx(distance.min())


def test_a_model_without_rows_shows_none():
    model = TableModel.fit(table(), "t", regressor=GaussianProcess(restarts=0), keep_rows=0, random_state=0)
    found = explain(model, row(b=40.0))
    assert found.nearest is None
    assert found.inputs["column"].iloc[0] == "b"


def test_the_sentence_names_the_input_that_was_moved(model):
    found = explain(model, row(b=40.0))
    assert found.sentence.startswith("Unsure mostly because b = 40 is above all values in training: with b = ")
    assert found.inputs.set_index("column").loc["c", "typical"] == "x"
    given = found.to_dict()
    assert given["sentence"] == found.sentence
    assert given["inputs"][0]["column"] == "b"


def test_one_row_is_asked_for(model):
    with pytest.raises(ValueError, match="one row, got 2"):
        explain(model, table(2))


def test_dates_are_shown_as_dates():
    days = pd.Timestamp(2026, 1, 1) + pd.to_timedelta(np.arange(120), unit="D")
    dated = table().assign(day=days)
    model = TableModel.fit(dated, "t", regressor=GaussianProcess(restarts=0), random_state=0)
    found = explain(model, row(day=pd.Timestamp(2027, 6, 1)))
    assert found.inputs.set_index("column").loc["day", "value"] == "2027-06-01"
    assert set(found.nearest["day"]) <= set(days.strftime("%Y-%m-%d"))


def test_beside_training_rows_of_which_the_model_is_certain_any_doubt_is_unusual(model):
    held = model.held_out._replace(epistemic_std=np.zeros(len(model.held_out.y)))
    certain = TableModel(model.regressor, model.schema, model.training, held)
    found = explain(certain, row(b=40.0))
    assert found.relative == np.inf
    assert found.sentence.startswith("Unsure")
