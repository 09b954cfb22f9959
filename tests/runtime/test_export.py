import json

import numpy as np
import pytest

from tests.runtime.cases import KEPT, MOMENTS, READ, ROWS, VARIANTS, kept_case, variant
from unabases import ModelFileError, load, to_onnx
from unabases.predictive import Mixture
from unabases.runtime import UnsupportedModelError
from unabases.tables import TableModel

onnxruntime = pytest.importorskip("onnxruntime")


QUANTILES = {"q0.05": 0.05, "q0.5": 0.5, "q0.975": 0.975}


def run(path, X, names=MOMENTS):
    """The outputs of a graph by name."""
    session = onnxruntime.InferenceSession(path)
    assert [output.name for output in session.get_outputs()] == list(names)
    return dict(zip(names, session.run(None, {"X": X}), strict=True))


@pytest.mark.parametrize("name", READ)
def test_a_graph_predicts_what_the_model_did_when_it_was_saved(name, tmp_path):
    path, X, expected = kept_case(name)
    to_onnx(path, tmp_path / "model.onnx")
    found = run(tmp_path / "model.onnx", X)
    for moment, values in expected.items():
        np.testing.assert_allclose(np.ravel(found[moment]), values, rtol=1e-5, atol=1e-7, err_msg=moment)


@pytest.mark.parametrize("name", VARIANTS)
def test_what_kept_files_do_not_have_is_in_the_graph(name, tmp_path):
    """Quantiles too; the oracle is the model itself."""
    model = variant(name)
    quantiles = {} if isinstance(model.predict_dist(ROWS), Mixture) else QUANTILES
    to_onnx(model, tmp_path / "model.onnx", quantiles=list(quantiles.values()))
    found, known = run(tmp_path / "model.onnx", ROWS, (*MOMENTS, *quantiles)), model.predict_dist(ROWS)
    for moment in MOMENTS:
        np.testing.assert_allclose(found[moment], getattr(known, moment), rtol=1e-5, err_msg=moment)
    for label, q in quantiles.items():
        np.testing.assert_allclose(found[label], known.quantile(q), rtol=1e-5, atol=1e-7, err_msg=label)


@pytest.mark.parametrize("name", ["UNA", "NeuralLinear-outputs"])
def test_quantiles_have_the_shape_of_the_targets(name, tmp_path):
    model = load(KEPT[name].path)
    to_onnx(model, tmp_path / "model.onnx", quantiles=QUANTILES.values())
    found, known = run(tmp_path / "model.onnx", ROWS, (*MOMENTS, *QUANTILES)), model.predict_dist(ROWS)
    for label, q in QUANTILES.items():
        np.testing.assert_allclose(found[label], known.quantile(q), rtol=1e-5, atol=1e-7, err_msg=label)


def test_quantiles_that_no_formula_has_are_refused(tmp_path):
    with pytest.raises(UnsupportedModelError, match="a VanillaEnsemble is a mixture of networks"):
        to_onnx(KEPT["VanillaEnsemble"].path, tmp_path / "model.onnx", quantiles=[0.05])
    with pytest.raises(ValueError, match="strictly between 0 and 1, got 95"):
        to_onnx(KEPT["UNA"].path, tmp_path / "model.onnx", quantiles=[0.05, 95])


def test_outputs_have_the_shape_of_the_targets(tmp_path):
    for name, shape in (("NeuralLinear", (5,)), ("NeuralLinear-outputs", (5, 2))):
        to_onnx(load(KEPT[name].path), tmp_path / "model.onnx")
        assert run(tmp_path / "model.onnx", ROWS)["mean"].shape == shape


def test_the_file_says_what_its_numbers_are(tmp_path):
    model = load(KEPT["TableModel"].path)
    assert isinstance(model, TableModel)
    to_onnx(model, tmp_path / "model.onnx")
    about = onnxruntime.InferenceSession(tmp_path / "model.onnx").get_modelmeta().custom_metadata_map
    assert json.loads(about["inputs"]) == list(model.schema.columns)
    assert (about["regressor"], about["target"]) == ("NeuralLinear", "price")


def test_a_model_that_needs_jax_is_refused_with_those_that_do_not(tmp_path):
    with pytest.raises(UnsupportedModelError, match=r"a GaussianProcess cannot predict without JAX; LUNA.* UNA"):
        to_onnx(load(KEPT["GaussianProcess"].path), tmp_path / "model.onnx")
    assert not (tmp_path / "model.onnx").exists()


def test_a_place_that_no_file_can_have_is_refused(tmp_path):
    with pytest.raises(ModelFileError, match="there is no directory"):
        to_onnx(KEPT["UNA"].path, tmp_path / "nowhere" / "model.onnx")


def test_without_the_package_the_error_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "onnx", None)
    with pytest.raises(ImportError, match=r"pip install 'unabases\[onnx\]'"):
        to_onnx(KEPT["UNA"].path, tmp_path / "model.onnx")
