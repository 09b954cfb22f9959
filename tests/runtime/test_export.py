import json

import numpy as np
import pytest

from tests.runtime.cases import KEPT, MOMENTS, READ, ROWS, VARIANTS, kept_case, variant
from unabases import ModelFileError, load, to_onnx
from unabases.runtime import UnsupportedModelError
from unabases.tables import TableModel

onnxruntime = pytest.importorskip("onnxruntime")


def run(path, X):
    """The outputs of a graph by name."""
    session = onnxruntime.InferenceSession(path)
    assert [output.name for output in session.get_outputs()] == list(MOMENTS)
    return dict(zip(MOMENTS, session.run(None, {"X": X}), strict=True))


@pytest.mark.parametrize("name", READ)
def test_a_graph_predicts_what_the_model_did_when_it_was_saved(name, tmp_path):
    path, X, expected = kept_case(name)
    to_onnx(path, tmp_path / "model.onnx")
    found = run(tmp_path / "model.onnx", X)
    for moment, values in expected.items():
        np.testing.assert_allclose(np.ravel(found[moment]), values, rtol=1e-5, atol=1e-7, err_msg=moment)


@pytest.mark.parametrize("name", VARIANTS)
def test_what_kept_files_do_not_have_is_in_the_graph(name, tmp_path):
    model = variant(name)
    to_onnx(model, tmp_path / "model.onnx")
    found, known = run(tmp_path / "model.onnx", ROWS), model.predict_dist(ROWS)
    for moment in MOMENTS:
        np.testing.assert_allclose(found[moment], getattr(known, moment), rtol=1e-5, err_msg=moment)


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
