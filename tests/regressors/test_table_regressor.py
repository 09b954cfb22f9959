import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from unabases import GapCalibrated, GaussianProcess, NeuralLinear, TableRegressor, load, runtime, save
from unabases.datasets.encoder import learn_encoder
from unabases.regressors.shared.saved_state import StateError

RNG = np.random.default_rng(0)
HOMES = pd.DataFrame(
    {
        "id": [f"home {i}" for i in range(60)],
        "region": RNG.integers(1, 4, 60),
        "rooms": RNG.integers(1, 7, 60).astype(str),
        "sold": pd.Timestamp(2026, 1, 1) + pd.to_timedelta(RNG.integers(0, 300, 60), unit="D"),
    }
)
PRICE = 50.0 * HOMES["rooms"].astype(int) + 100.0 * (HOMES["region"] == 2) + RNG.normal(size=60)
HOMES.loc[::6, "rooms"] = "unknown"
RULES = {"categories": ["region"], "numbers": ["rooms"], "drop": ["id"]}


@pytest.fixture(scope="module")
def model():
    return TableRegressor(GaussianProcess(restarts=0), **RULES).fit(HOMES, PRICE)


def test_it_is_the_regressor_on_what_the_encoder_makes_of_the_table(model):
    own = {name: columns for name, columns in RULES.items() if name != "drop"}
    encoder = learn_encoder(HOMES.drop(columns="id"), missing="impute", **own)
    assert model.encoder_ == encoder
    assert list(model.feature_names_in_) == ["region", "rooms", "sold"]
    known = GaussianProcess(restarts=0).fit(encoder.encode(HOMES), PRICE).predict_dist(encoder.encode(HOMES))
    d = model.predict_dist(HOMES)
    for name in ("mean", "epistemic_std", "noise_std"):
        np.testing.assert_array_equal(getattr(d, name), getattr(known, name))
    np.testing.assert_array_equal(model.predict(HOMES, return_std=True), [d.mean, d.std])
    assert model.sigma2_ == model.regressor_.sigma2_


def test_columns_are_found_by_name_and_others_are_ignored(model):
    other = HOMES[["sold", "rooms", "region"]].assign(colour="red")
    np.testing.assert_array_equal(model.predict(other), model.predict(HOMES))
    with pytest.raises(ValueError, match=r"lacks 1 of the 3 input columns: 'rooms' \(is it now called 'room'\?\)"):
        model.predict(HOMES.rename(columns={"rooms": "room"}))


def test_the_std_rises_where_a_value_is_missing(model):
    known, unknown = model.predict_dist(HOMES.iloc[[1, 1]].assign(rooms=["3", "unknown"])).std
    assert unknown > 2 * known


def test_it_clones_and_names_the_parameters_of_its_regressor(model):
    again = clone(model)
    assert not hasattr(again, "regressor_")
    assert again.get_params()["regressor__restarts"] == 0
    assert again.set_params(regressor__kernel="rbf").regressor.kernel == "rbf"


def test_it_works_in_scikit_learns_tools():
    model = TableRegressor(GaussianProcess(restarts=0), **RULES)
    assert cross_val_score(model, HOMES, PRICE, cv=2).min() > 0.3
    pipeline = make_pipeline(FunctionTransformer(lambda frame: frame.assign(month=frame["sold"].dt.month)), model)
    grid = {"tableregressor__regressor__kernel": ["rbf", "matern"], "tableregressor__max_levels": [50]}
    search = GridSearchCV(pipeline, grid, cv=2).fit(HOMES, PRICE)
    assert "month" in search.best_estimator_[-1].feature_names_in_


def test_a_file_holds_it(model, tmp_path):
    save(model, tmp_path / "model.una")
    again = load(tmp_path / "model.una")
    assert type(again) is TableRegressor
    assert again.encoder_ == model.encoder_
    assert again.get_params()["categories"] == ["region"]
    np.testing.assert_array_equal(again.predict(HOMES), model.predict(HOMES))
    arrays, values = model.get_state()
    del values["regressor"]["encoder"]
    with pytest.raises((StateError, ValueError)):
        clone(model).set_state(arrays, values)


def test_a_calibrated_one_is_kept_in_files_too(tmp_path):
    network = NeuralLinear(hidden_layer_sizes=(8, 4), max_steps=50, sigma2=0.01, random_state=0)
    model = GapCalibrated(TableRegressor(network, **RULES), n_slabs=0, n_folds=2, random_state=0).fit(HOMES, PRICE)
    save(model, tmp_path / "model.una")
    np.testing.assert_array_equal(load(tmp_path / "model.una").predict(HOMES), model.predict(HOMES))
    rows = model.estimator_.encoder_.encode(HOMES).X
    light, known = runtime.load(tmp_path / "model.una").predict_dist(rows), model.predict_dist(HOMES)
    np.testing.assert_allclose(light.mean, known.mean, rtol=1e-5)
    np.testing.assert_allclose(light.epistemic_std, known.epistemic_std, rtol=1e-4)
    np.testing.assert_allclose(light.noise_std, known.noise_std, rtol=1e-5)


def test_rows_keep_their_labels(model):
    assert model.predict_dist(HOMES.set_index("id").iloc[:2].assign(id="")).to_frame().index.tolist() == [
        "home 0",
        "home 1",
    ]


def test_rows_count_by_their_weights():
    weight = np.where(HOMES["region"] == 3, 0.0, 2.0)
    own = TableRegressor(GaussianProcess(restarts=0, sigma2=1.0), **RULES).fit(HOMES, PRICE, sample_weight=weight)
    assert "region=3" not in own.encoder_.columns
    bare = GaussianProcess(restarts=0, sigma2=1.0)
    bare.fit(own.encoder_.encode(HOMES[weight > 0].reset_index(drop=True)), PRICE[weight > 0], weight[weight > 0])
    np.testing.assert_array_equal(own.predict(HOMES), bare.predict(own.encoder_.encode(HOMES)))


def test_a_polars_table_is_the_same_table(model):
    polars = pytest.importorskip("polars")
    table = polars.DataFrame({name: HOMES[name].tolist() for name in HOMES})
    np.testing.assert_array_equal(model.predict(table), model.predict(HOMES))
    again = clone(model).fit(table, PRICE)
    assert again.encoder_ == model.encoder_


def test_an_array_has_numbered_columns():
    X = RNG.normal(size=(30, 2))
    model = TableRegressor(GaussianProcess(restarts=0), drop=["x1"]).fit(X, X[:, 0])
    assert list(model.feature_names_in_) == ["x0"]
    np.testing.assert_allclose(model.predict(X), X[:, 0], atol=0.2)


def test_update_forget_and_draws_are_those_of_the_regressor(model):
    assert not hasattr(model, "update")
    network = NeuralLinear(hidden_layer_sizes=(8, 4), max_steps=50, sigma2=0.01, random_state=0)
    own = TableRegressor(network, **RULES).fit(HOMES, PRICE)
    before = own.predict(HOMES)
    known = own.regressor_.sample_posterior(own.encoder_.encode(HOMES), 3, random_state=0)
    np.testing.assert_array_equal(own.sample_posterior(HOMES, 3, random_state=0), known)
    assert not np.allclose(own.update(HOMES[:20], PRICE[:20] + 500).predict(HOMES), before)
    np.testing.assert_allclose(own.forget(HOMES[:20], PRICE[:20] + 500).predict(HOMES), before, rtol=1e-6)
    own.partial_fit(HOMES[:20], PRICE[:20], sample_weight=np.full(20, 0.5))
    assert own.regressor_.rows_seen == 70
    own.forget(HOMES[:20], PRICE[:20], sample_weight=np.full(20, 0.5))
    np.testing.assert_allclose(own.predict(HOMES), before, rtol=1e-6)
    np.testing.assert_allclose(own.refit(HOMES, PRICE).predict(HOMES), before, rtol=1e-6)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"missing": "drop"}, '`missing` must be "impute" or "refuse"'),
        ({"missing": "refuse"}, "`X` has missing values in 10 rows"),
        ({"categories": ["regoin"]}, "`categories` has 'regoin', but X has id, region"),
        ({"categories": "region"}, "`categories` must be"),
    ],
)
def test_rules_that_do_not_fit_are_refused(settings, said):
    with pytest.raises(ValueError, match=said):
        TableRegressor(GaussianProcess(restarts=0), **{**RULES, **settings}).fit(HOMES, PRICE)


def test_a_regressor_without_distributions_is_refused():
    from sklearn.linear_model import LinearRegression

    with pytest.raises(TypeError, match=r"`regressor` must be one of .*; got LinearRegression\(\)"):
        TableRegressor(LinearRegression()).fit(HOMES, PRICE)
    with pytest.raises(TypeError, match=r"GapCalibrated\(TableRegressor\(...\)\)"):
        TableRegressor(GapCalibrated(GaussianProcess())).fit(HOMES, PRICE)


def test_a_bare_regressor_that_needs_a_rule_names_this_one():
    with pytest.raises(ValueError, match=r"mostly numbers.*`unabases.TableRegressor` takes such rules"):
        GaussianProcess().fit(HOMES[["rooms"]], PRICE)
