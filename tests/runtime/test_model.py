import subprocess
import sys

import numpy as np
import pytest

from tests.runtime.cases import KEPT, MOMENTS, READ, ROWS, VARIANTS, kept_case, variant
from unabases import load as load_with_jax
from unabases import save
from unabases.predictive import Mixture, Normal, StudentT, Transformed
from unabases.runtime import load
from unabases.saving import ModelFileError

HEAVY = ("jax", "jaxlib", "equinox", "optax", "sklearn", "pandas", "matplotlib", "optuna")


@pytest.mark.parametrize("name", READ)
def test_it_predicts_what_the_model_did_when_it_was_saved(name):
    path, X, expected = kept_case(name)
    d = load(path).predict_dist(X)
    for moment, values in expected.items():
        np.testing.assert_allclose(np.ravel(getattr(d, moment)), values, rtol=1e-5, atol=1e-7, err_msg=moment)


@pytest.mark.parametrize("name", ["NeuralLinear", "UNA-skewed", "VanillaEnsemble", "NeuralLinear-outputs"])
def test_intervals_and_densities_are_those_of_the_model(name):
    light, full = load(KEPT[name].path), load_with_jax(KEPT[name].path)
    if hasattr(full, "feature_names_in_"):
        full.__dict__.pop("feature_names_in_")
    d, known = light.predict_dist(ROWS), full.predict_dist(ROWS)
    assert type(d) is type(known)
    np.testing.assert_allclose(d.interval(0.8), known.interval(0.8), rtol=1e-5)
    np.testing.assert_allclose(d.log_prob(1.0), known.log_prob(1.0), rtol=1e-4)
    mean, std = light.predict(ROWS, return_std=True)
    np.testing.assert_array_equal(mean, d.mean)
    np.testing.assert_array_equal(std, d.std)


@pytest.mark.parametrize("name", VARIANTS)
def test_what_kept_files_do_not_have_is_read_too(name, tmp_path):
    model = variant(name)
    save(model, tmp_path / "model.una")
    d, known = load(tmp_path / "model.una").predict_dist(ROWS), model.predict_dist(ROWS)
    assert type(d) is type(known)
    for moment in (*MOMENTS, "std"):
        np.testing.assert_allclose(getattr(d, moment), getattr(known, moment), rtol=1e-5, err_msg=moment)
    np.testing.assert_allclose(d.interval(0.99), known.interval(0.99), rtol=1e-5)


def test_the_kind_of_a_prediction_is_the_one_of_the_model():
    kinds = {"LUNA": Normal, "UNA-skewed": Transformed, "BootstrapEnsemble": Mixture}
    assert {name: type(load(KEPT[name].path).predict_dist(ROWS)) for name in kinds} == kinds
    assert StudentT not in kinds.values()  # see the variants


def test_many_rows_are_taken_block_by_block(monkeypatch):
    model = load(KEPT["UNA"].path)
    whole = model.predict_dist(ROWS)
    monkeypatch.setattr("unabases.runtime.model._ROWS", 2)
    for moment in MOMENTS:
        np.testing.assert_allclose(getattr(model.predict_dist(ROWS), moment), getattr(whole, moment), rtol=1e-9)


def test_nothing_heavy_is_imported():
    code = (
        "import sys, numpy as np\nimport unabases\nfrom unabases import runtime\n"
        f"model = runtime.load({str(KEPT['UNA-told'].path)!r})\nd = model.predict_dist(np.zeros((2, 2)))\n"
        f"d.interval(0.9), d.log_prob(0.0)\nprint([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_a_model_says_what_its_numbers_are():
    model = load(KEPT["TableModel"].path)
    assert model.inputs == ("rooms", "rooms=missing", "heating=coal", "heating=gas", "heating=oil", "heating=missing")
    assert (model.target, model.regressor) == ("price", "NeuralLinear")
    assert load(KEPT["NeuralLinear-outputs"].path).inputs == ("a", "b")
    assert repr(load(KEPT["UNA"].path)) == "RuntimeModel(UNA of 2 inputs)"


def test_columns_of_a_table_are_found_by_name():
    pandas = pytest.importorskip("pandas")
    model = load(KEPT["NeuralLinear-outputs"].path)
    table = pandas.DataFrame(ROWS, columns=["a", "b"])
    np.testing.assert_array_equal(model.predict(table[["b", "a"]].assign(c=1.0)), model.predict(ROWS))
    with pytest.raises(ValueError, match="lacks 1 of the 2 columns of this model: b"):
        model.predict(table.rename(columns={"b": "c"}))
    without_names = load(KEPT["UNA"].path)
    np.testing.assert_array_equal(without_names.predict(table), without_names.predict(ROWS))


def test_a_missing_value_may_be_marked_or_left_out():
    model = load(KEPT["TableModel"].path)
    marked = model.predict_dist([[4.0, 1, 0, 0, 0, 1]])  # 4 is the median, which missing values become
    for lacking in ([np.nan, 0, 0, 0, 0, 1], [np.nan, np.nan, 0, np.nan, 0, 0], [77.0, 1, 0, 0, 0, 1]):
        d = model.predict_dist([lacking])
        assert [getattr(d, moment)[0] for moment in MOMENTS] == [getattr(marked, moment)[0] for moment in MOMENTS]
    assert marked.noise_std[0] > model.predict_dist([[4.0, 0, 0, 0, 1, 0]]).noise_std[0]


@pytest.mark.parametrize(
    ("X", "said"),
    [
        ([[1.0]], r"shape \(1, 1\), but this model takes rows of 2 numbers: x0, x1"),
        ([1.0, 2.0], "rows of 2 numbers"),
        ([[1.0, np.nan]], r"missing values \(NaN\), which this model did not learn"),
        ([[1.0, np.inf]], "infinite values"),
        ([[1e300, 1e300]], "too far from the rows of the fit"),
        (np.ma.masked_array([[1.0, 2.0]], [[False, True]]), "missing values"),
        (np.array([[1.0, 2.0 + 1j]]), "rows of numbers: values are of type complex128"),
        (
            np.array([["2026-01-01", "2026-01-02"]], dtype="datetime64[D]"),
            "rows of numbers: values are of type datetime",
        ),
        ({"x0": [1.0], "x1": [2.0]}, "rows of numbers"),
        ([["a", "b"]], "rows of numbers"),
        ([[1.0, 2.0], [3.0]], "rows of numbers"),
    ],
)
def test_rows_that_cannot_be_predicted_are_refused(X, said):
    with pytest.raises(ValueError, match=said):
        load(KEPT["UNA"].path).predict_dist(X)


def test_a_file_that_is_no_model_is_refused(tmp_path):
    with pytest.raises(ModelFileError, match="there is no file"):
        load(tmp_path / "nothing.una")
    (tmp_path / "text.una").write_text("hello there")
    with pytest.raises(ModelFileError, match="is a text file"):
        load(tmp_path / "text.una")
    with pytest.raises(ModelFileError, match="holds a study"):
        load(KEPT["study"].path)
