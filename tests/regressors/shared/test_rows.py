"""Tables in regressors: every kind of column, in every method, as scikit-learn does it."""

import datetime

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import coo_array, csr_array, issparse, lil_array
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder

import unabases
from unabases import LUNA, Conformal, GapCalibrated, GaussianProcess, NeuralLinear, TableRegressor
from unabases.datasets.encoder import learn_encoder
from unabases.regressors.shared.rows import as_pandas, is_mixed
from unabases.selection import LikelihoodSearch

N = 60


def make_table(n=N, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "rooms": rng.integers(1, 7, n).astype(float),
            "age": rng.uniform(0, 50, n),
            "heating": rng.choice(["oil", "gas", "wood"], n),
            "site": pd.Categorical(rng.choice(["a", "b"], n), ["b", "a"]),
            "garden": rng.choice([True, False], n),
            "sold": pd.Timestamp(2020, 1, 1) + pd.to_timedelta(rng.integers(0, 900, n), unit="D"),
        }
    )
    y = 50 * frame["rooms"] - frame["age"] + 20 * (frame["heating"] == "gas") + rng.normal(size=n)
    frame.loc[rng.choice(n, n // 6, replace=False), "age"] = np.nan
    frame.loc[rng.choice(n, n // 10, replace=False), "heating"] = None
    return frame, y.to_numpy()


FRAME, Y = make_table()
NEW, Y_NEW = make_table(seed=1)
FAST = NeuralLinear(max_steps=60, hidden_layer_sizes=(8,), sigma2=1.0, random_state=0)


@pytest.fixture(scope="module")
def model():
    return clone(FAST).fit(FRAME, Y)


def by_hand(frame):
    """The numbers of the table, by scikit-learn and pandas alone."""
    numbers = SimpleImputer(strategy="median", add_indicator=True).fit(FRAME[["age"]]).transform(frame[["age"]])
    levels = [["gas", "oil", "wood", "missing"], ["b", "a"], [False, True]]
    labels = frame[["heating", "site", "garden"]].astype(object)
    labels["heating"] = labels["heating"].where(labels["heating"].notna(), "missing")
    onehot = OneHotEncoder(categories=levels, sparse_output=False).fit_transform(labels)
    days = (frame["sold"] - pd.Timestamp(1970, 1, 1)).dt.days
    return np.column_stack([frame["rooms"], numbers, onehot, days])


@pytest.mark.parametrize("regressor", [FAST, GaussianProcess(restarts=0)], ids=["network", "process"])
def test_a_table_is_what_a_person_would_encode_by_hand(regressor):
    table, array = clone(regressor).fit(FRAME, Y), clone(regressor).fit(by_hand(FRAME), Y)
    d, reference = table.predict_dist(NEW), array.predict_dist(by_hand(NEW))
    assert_array_equal(d.mean, reference.mean)
    assert_array_equal(d.epistemic_std, reference.epistemic_std)
    assert table.score(NEW, Y_NEW) == array.score(by_hand(NEW), Y_NEW)


def test_a_table_of_plain_numbers_is_an_array_to_the_bit():
    frame = FRAME[["rooms", "garden"]].assign(more=pd.array(np.arange(N), dtype="Int64"))
    X = frame.astype(float).to_numpy()
    table, array = clone(FAST).fit(frame, Y), clone(FAST).fit(X, Y)
    d, reference = table.predict_dist(frame), array.predict_dist(X)
    assert_array_equal(d.mean, reference.mean)
    assert_array_equal(d.std, reference.std)
    assert table.encoder_ is None
    assert not is_mixed(frame)


def test_names_and_number_are_those_of_the_users_columns(model):
    assert_array_equal(model.feature_names_in_, list(FRAME))
    assert model.n_features_in_ == 6
    assert model._width == 12


def test_update_and_forget_take_tables(model):
    more = clone(model).fit(FRAME, Y).update(NEW, Y_NEW)
    assert not np.allclose(more.predict(NEW), model.predict(NEW))
    more.forget(NEW, Y_NEW)
    assert_allclose(more.predict(NEW), model.predict(NEW), rtol=1e-6)


def test_samples_and_features_take_tables(model):
    assert model.sample_prior(NEW, 3, random_state=0).shape == (3, N)
    draws = model.sample_posterior(NEW, 4000, random_state=0)
    d = model.predict_dist(NEW, covariance=True)
    assert_allclose(draws.mean(axis=0), d.mean, atol=5 * d.epistemic_std.max() / np.sqrt(4000))
    assert model.feature_matrix(NEW).shape == (N, 9)
    assert model.refit(FRAME, Y).predict(NEW, return_cov=True)[1].shape == (N, N)


def test_saving_keeps_columns_and_every_bit(model, tmp_path):
    unabases.save(model, tmp_path / "m.una")
    again = unabases.load(tmp_path / "m.una")
    assert again.encoder_ == model.encoder_
    assert_array_equal(again.feature_names_in_, model.feature_names_in_)
    d, reference = again.predict_dist(NEW), model.predict_dist(NEW)
    assert_array_equal(d.mean, reference.mean)
    assert_array_equal(d.std, reference.std)


def test_tables_go_through_scikit_learn():
    process = GaussianProcess(restarts=0)
    assert cross_val_score(process, FRAME, Y, cv=3).min() > 0.8
    pipeline = make_pipeline(FunctionTransformer(lambda frame: frame.drop(columns="sold")), process)
    assert pipeline.fit(FRAME, Y).score(NEW, Y_NEW) > 0.9
    grid = GridSearchCV(process, {"kernel": ["rbf", "matern"]}, cv=2).fit(FRAME, Y)
    assert grid.best_estimator_.n_features_in_ == 6


def test_tables_go_through_the_packages_own_search():
    search = LikelihoodSearch(clone(FAST), space={"gamma": [0.1, 1.0]}, n_random=2, n_trials=0, random_state=0)
    search.fit(FRAME, Y)
    assert search.predict(NEW).shape == (N,)
    assert search.best_estimator_.missing_noise_ is not None


def test_luna_takes_a_table():
    model = LUNA(max_steps=30, hidden_layer_sizes=(8, 8), n_heads=3, sigma2=1.0, random_state=0).fit(FRAME, Y)
    assert model.predict_heads(NEW).shape == (3, N)


def test_another_order_and_lacking_columns_are_refused_by_name(model):
    with pytest.raises(ValueError, match="same order"):
        model.predict(NEW[list(NEW)[::-1]])
    with pytest.raises(ValueError, match=r"now missing:\n- heating"):
        model.predict(NEW.drop(columns="heating"))


def test_a_category_that_training_lacks_is_zero_in_all_levels(model):
    coal = model._rows(NEW.head(2).assign(heating="coal")).X
    at = model.encoder_.columns.index("heating=gas")
    assert_array_equal(coal[:, at : at + 4], 0)
    assert np.isfinite(model.predict(NEW.head(2).assign(heating="coal"))).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rooms": "many"}, r"'rooms' of `X` must hold numbers, but row 1 has 'many'"),
        ({"rooms": np.inf}, r"'rooms' of `X` is infinite or too large .*: row 1 has inf"),
        ({"sold": "soon"}, r"'sold' of `X` must hold dates"),
    ],
)
def test_wrong_values_are_refused_with_their_row(model, change, message):
    with pytest.raises(ValueError, match=message):
        model.predict(NEW.set_axis(range(7, 7 + N)).assign(**change))


def test_of_names_nothing_is_learned():
    frame = FRAME.assign(owner=[f"owner {i}" for i in range(N)])
    with pytest.warns(UserWarning, match=r"'owner' of `X` has 60 levels.*Nothing is learned"):
        model = clone(FAST).fit(frame, Y)
    assert_array_equal(model.predict(frame), model.predict(frame.assign(owner="nobody")))


def test_a_target_that_is_missing_is_refused():
    with pytest.raises(ValueError, match="NaN"):
        clone(FAST).fit(FRAME, np.where(Y.mean() < Y, np.nan, Y))


def test_the_same_rows_in_other_types_are_the_same_rows(model):
    objects = NEW.astype(object)
    objects["sold"] = NEW["sold"].dt.date
    assert_array_equal(model.predict(objects), model.predict(NEW))
    assert_array_equal(model.predict(model.encoder_.encode(NEW)), model.predict(NEW))
    with pytest.warns(UserWarning, match="valid feature names"):
        assert_array_equal(model.predict(objects.to_numpy()), model.predict(NEW))


def test_rows_that_are_encoded_already_teach_their_columns():
    encoder = learn_encoder(FRAME, missing="impute")
    encoded, table = clone(FAST).fit(encoder.encode(FRAME), Y), clone(FAST).fit(FRAME, Y)
    assert encoded.encoder_ == table.encoder_
    assert_array_equal(encoded.feature_names_in_, table.feature_names_in_)
    assert_array_equal(encoded.predict(NEW), table.predict(NEW))


class TestArrays:
    X = np.random.default_rng(0).normal(size=(N, 3))
    HOLES = np.where(np.random.default_rng(1).random((N, 3)) < [0.2, 0.0, 0.1], np.nan, X)

    def test_missing_values_are_filled_and_said(self):
        model = clone(FAST).fit(self.HOLES, Y)
        indicated = SimpleImputer(strategy="median", add_indicator=True).fit(self.HOLES)
        by_sklearn = indicated.transform(self.HOLES)[:, [0, 3, 1, 2, 4]]
        assert_array_equal(model._rows(self.HOLES).X, by_sklearn)
        assert_array_equal(model.predict(self.HOLES), clone(FAST).fit(by_sklearn, Y).predict(by_sklearn))
        assert model.n_features_in_ == 3
        assert not hasattr(model, "feature_names_in_")

    def test_names_of_numeric_tables_are_kept(self):
        frame = pd.DataFrame(self.HOLES, columns=["a", "b", "c"]).assign(b=self.X[:, 1] > 0)
        model = clone(FAST).fit(frame, Y)
        assert model.encoder_.columns == ("a", "a=missing", "b", "c", "c=missing")
        assert model.predict(frame).shape == (N,)

    def test_a_model_of_complete_rows_refuses_missing_values(self):
        with pytest.raises(ValueError, match=r"missing values .* no training row lacked a value"):
            clone(FAST).fit(self.X, Y).predict(self.HOLES)

    def test_a_later_fit_forgets_the_columns(self):
        model = clone(FAST).fit(self.HOLES, Y).fit(self.X, Y)
        assert model.encoder_ is None
        assert model.missing_noise_ is None


def test_polars_tables_are_the_same_tables(model):
    pl = pytest.importorskip("polars")
    columns = {name: NEW[name].tolist() for name in ("rooms", "age", "heating", "garden")}
    columns["age"] = [None if np.isnan(age) else age for age in columns["age"]]
    columns["heating"] = [level if isinstance(level, str) else None for level in columns["heating"]]
    columns["site"] = NEW["site"].astype(str).tolist()
    columns["sold"] = NEW["sold"].dt.date.tolist()
    table = pl.DataFrame({name: columns[name] for name in NEW})
    assert isinstance(table["sold"][0], datetime.date)
    assert_array_equal(model.predict(table), model.predict(NEW))
    out = model.predict_dist(table).to_frame()
    assert isinstance(out, pl.DataFrame)
    assert out.to_dict(as_series=False) == model.predict_dist(NEW).to_frame().to_dict("list")
    assert as_pandas(table).columns.tolist() == list(NEW)
    with pytest.raises(ValueError, match=r"LazyFrame.*X\.collect"):
        model.predict(table.lazy())
    search = LikelihoodSearch(clone(FAST), space={"gamma": [0.1, 1.0]}, n_random=2, n_trials=0, random_state=0)
    assert search.fit(table, Y_NEW).predict(table).shape == (N,)


def test_arrow_tables_are_the_same_tables(model):
    pa = pytest.importorskip("pyarrow")
    table = pa.Table.from_pandas(NEW)
    assert_array_equal(model.predict(table), model.predict(NEW))
    assert_array_equal(model.predict(table.to_batches()[0]), model.predict(NEW))
    learned = clone(FAST).fit(table, Y_NEW)
    assert learned.encoder_.columns == clone(FAST).fit(NEW, Y_NEW).encoder_.columns
    assert list(learned.feature_names_in_) == list(NEW)


PROCESS = GaussianProcess(restarts=0, random_state=0)
WRAPPED = [PROCESS, Conformal(PROCESS, random_state=0), GapCalibrated(PROCESS, n_slabs=0, n_folds=2, random_state=0)]


@pytest.mark.parametrize("fill", [0.0, np.nan])
def test_sparse_columns_of_a_table_are_the_same_columns(fill):
    X = np.random.default_rng(0).normal(size=(20, 2))
    dense = pd.DataFrame(X, columns=["a", "b"])
    sparse = dense.assign(a=pd.arrays.SparseArray(X[:, 0], fill_value=fill))
    pd.testing.assert_frame_equal(as_pandas(sparse), dense)
    assert isinstance(sparse["a"].dtype, pd.SparseDtype)  # the user's table stays as it was
    model = GaussianProcess(restarts=0)
    expected = clone(model).fit(dense, X[:, 0]).predict(dense)
    assert_allclose(clone(model).fit(sparse, X[:, 0]).predict(sparse), expected, rtol=1e-6)
    with pytest.raises(ValueError, match="several columns called a"):
        clone(model).fit(dense.set_axis(["a", "a"], axis="columns"), X[:, 0])


@pytest.mark.parametrize("wrapped", [*WRAPPED, TableRegressor(PROCESS)], ids=lambda model: type(model).__name__)
def test_a_sparse_matrix_is_the_same_rows(wrapped):
    found = []
    for sparse in (True, False):
        encoder = make_column_transformer(
            (OneHotEncoder(sparse_output=sparse), ["garden", "site"]), ("passthrough", ["rooms"]), sparse_threshold=1.0
        )
        pipe = make_pipeline(encoder, clone(wrapped)).fit(FRAME, Y)
        rows = pipe[0].transform(NEW)
        assert issparse(rows) == sparse
        found.append(pipe[-1].predict_dist(rows))
    assert_array_equal(found[0].mean, found[1].mean)
    assert_array_equal(found[0].std, found[1].std)


def test_a_sparse_matrix_goes_through_every_method_and_a_search(model):
    rows, more = coo_array(by_hand(FRAME)), lil_array(by_hand(NEW))
    fitted = clone(FAST).fit(rows, Y, sample_weight=np.arange(N)).update(more, Y_NEW).forget(more, Y_NEW)
    dense = clone(FAST).fit(by_hand(FRAME), Y, sample_weight=np.arange(N))
    assert_allclose(fitted.predict(more), dense.predict(by_hand(NEW)), rtol=1e-6)
    search = LikelihoodSearch(clone(FAST), space={"gamma": [0.1, 1.0]}, n_random=2, n_trials=0, random_state=0)
    assert search.fit(rows, Y).predict(more).shape == (N,)


def test_zeros_that_memory_cannot_be_expected_to_hold_are_refused():
    huge = csr_array((1_000_000, 5_000))
    with pytest.raises(ValueError, match=r"shape \(1000000, 5000\).*40\.0 GB, and up to 2 GB.*max_categories"):
        GaussianProcess().fit(huge, np.zeros(1_000_000))


def test_masked_values_and_na_are_missing_values():
    numbers = np.random.default_rng(0).normal(size=(12, 2))
    hidden = np.zeros_like(numbers, dtype=bool)
    hidden[3, 1] = True
    as_nan, as_na = np.where(hidden, np.nan, numbers), np.where(hidden, pd.NA, numbers.astype(object))
    expected = GaussianProcess(restarts=0).fit(as_nan, numbers[:, 0]).predict(as_nan)
    for rows in (np.ma.masked_array(numbers, hidden), as_na):
        assert_array_equal(GaussianProcess(restarts=0).fit(rows, numbers[:, 0]).predict(rows), expected)


def test_whole_numbers_of_polars_that_numpy_does_not_have_are_numbers():
    polars = pytest.importorskip("polars", minversion="1.20")
    table = as_pandas(polars.DataFrame({"a": polars.Series([2**70, 2**71], dtype=polars.Int128)}))
    assert learn_encoder(table).encode(table).X.tolist() == [[2.0**70], [2.0**71]]


@pytest.mark.parametrize("unit", ["D", "s", "ns"])
def test_an_array_of_dates_counts_days_whatever_its_unit(unit):
    """Fitted in days and asked in nanoseconds, the same dates used to be a million years apart."""
    dates = np.datetime64("2026-01-01", "D") + np.arange(N)[:, None]
    model = GaussianProcess(restarts=0).fit(dates, np.sin(np.arange(N) / 9))
    table = GaussianProcess(restarts=0).fit(pd.DataFrame(dates, columns=["x0"]), np.sin(np.arange(N) / 9))
    assert_array_equal(
        model.predict(dates.astype(f"datetime64[{unit}]")), table.predict(pd.DataFrame({"x0": dates[:, 0]}))
    )


def far_from_all_others():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((N, 2)), rng.standard_normal(N)
    X[2, 1] = 1e9
    dates = pd.Series(pd.Timestamp(2026, 1, 1) + pd.to_timedelta(np.arange(N), unit="D")).dt.as_unit("s")
    dates[0] = pd.Timestamp("4026-01-01").as_unit("s")
    text = rng.choice(["a", "b"], N)
    high = np.r_[y[:-1], 1e8]
    return {
        "array": (X, y, "column 'x1' of `X` has numbers that are very far from all others: row 3 has 1000000000.0"),
        "table": (pd.DataFrame({"size": X[:, 1], "kind": text}), y, "column 'size' of `X` .* row 3 has 1000000000.0"),
        "date": (
            pd.DataFrame({"sold": dates, "kind": text}),
            y,
            "column 'sold' of `X` has dates .* row 1 has '4026-01-01'",
        ),
        "target": (X[:, :1], high, f"`y` has numbers .* row {N} has 100000000.0. One wrong number can spoil the model"),
    }


@pytest.mark.parametrize("case", far_from_all_others())
def test_a_number_far_from_all_others_is_told(case):
    X, y, words = far_from_all_others()[case]
    with pytest.warns(UserWarning, match=words):
        GaussianProcess(restarts=0).fit(X, y)


@pytest.mark.filterwarnings("error")
def test_heavy_tails_are_not_far_from_all_others():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.standard_t(2, 2 * N), rng.exponential(size=2 * N) * (rng.random(2 * N) < 0.1)])
    GaussianProcess(restarts=0).fit(X, rng.lognormal(0, 2, 2 * N))
