"""Images through a network made here: the mean of each channel, and a second output that keeps places."""

import json

import numpy as np
import pandas as pd
import pytest

from unabases.datasets import embedding
from unabases.datasets.embedding import IMAGENET, embed_images, find_images

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
Image = pytest.importorskip("PIL.Image")


def write_network(path, shape=("n", 3, 8, 8), dtype="FLOAT"):
    """Features are the means over the last two axes; `places` is the input itself."""
    from onnx import TensorProto, helper

    kind = getattr(TensorProto, dtype)
    axes = helper.make_tensor("axes", TensorProto.INT64, [2], [2, 3])
    nodes = [
        helper.make_node("Cast", ["image"], ["number"], to=TensorProto.FLOAT),
        helper.make_node("ReduceMean", ["number", "axes"], ["features"], keepdims=0),
        helper.make_node("Identity", ["number"], ["places"]),
    ]
    outputs = [
        helper.make_tensor_value_info("features", TensorProto.FLOAT, [None, None]),
        helper.make_tensor_value_info("places", TensorProto.FLOAT, [None, None, None, None]),
    ]
    inputs = [helper.make_tensor_value_info("image", kind, list(shape))]
    graph = helper.make_graph(nodes, "means", inputs, outputs, [axes])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    path.write_bytes(model.SerializeToString())
    return path


@pytest.fixture
def folder(tmp_path):
    """Five plain images, one of them grey and one in a folder below."""
    place = tmp_path / "faces"
    (place / "more").mkdir(parents=True)
    for i, name in enumerate(["a.png", "b.jpg", "c.png", "more/d.png"]):
        Image.new("RGB", (20 + i, 10), (10 * i, 100, 200)).save(place / name, quality=100)
    Image.new("L", (12, 12), 77).save(place / "e.png")
    (place / "notes.txt").write_text("no image")
    return place


@pytest.fixture
def network(tmp_path):
    return write_network(tmp_path / "net.onnx")


def stored(path):
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def test_features_are_those_of_the_network(folder, network, tmp_path):
    result = embed_images([folder], network, tmp_path / "f.npz", batch=2)
    assert [name.rpartition("/")[2] for name in result.names] == ["a.png", "b.jpg", "c.png", "e.png", "d.png"]
    mean, std = (np.array(part) for part in IMAGENET)
    expected = (np.array([[0, 100, 200], [20, 100, 200], [77, 77, 77], [30, 100, 200]]) / 255 - mean) / std
    np.testing.assert_allclose(result.features[[0, 2, 3, 4]], expected, rtol=1e-5)
    file = stored(tmp_path / "f.npz")
    np.testing.assert_array_equal(file["features"], result.features)
    assert file["features"].dtype == np.float32
    assert file["names"].tolist() == result.names
    assert json.loads(str(file["settings"]))["height"] == 8
    assert not (tmp_path / "f.npz.parts").exists()


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_features_can_be_a_table(folder, network, tmp_path, suffix):
    out = tmp_path / f"f.{suffix}"
    result = embed_images([folder], network, out)
    table = pd.read_csv(out) if suffix == "csv" else pd.read_parquet(out)
    assert table.columns.tolist() == ["image", "f0", "f1", "f2"]
    np.testing.assert_allclose(table[["f0", "f1", "f2"]], result.features, rtol=1e-6)


def test_damaged_images_are_listed_and_left_out(folder, network, tmp_path):
    (folder / "bad.png").write_bytes(b"\x89PNG nothing")
    (folder / "cut.png").write_bytes((folder / "a.png").read_bytes()[:40])
    (folder / "empty.jpg").touch()
    result = embed_images([folder], network, tmp_path / "f.npz")
    assert len(result.names) == 5
    assert {name.rpartition("/")[2] for name in result.skipped} == {"bad.png", "cut.png", "empty.jpg"}
    assert stored(tmp_path / "f.npz")["skipped"].tolist() == list(result.skipped)


def test_a_stopped_run_goes_on_where_it_was(folder, network, tmp_path, monkeypatch):
    monkeypatch.setattr(embedding, "_PART", 2)
    expected = embed_images([folder], network, tmp_path / "whole.npz")
    looked_at = []
    original = embedding._pixels

    def stumble(path, *args):
        looked_at.append(path.name)
        if path.name == "e.png" and looked_at.count("e.png") == 1:
            raise KeyboardInterrupt
        return original(path, *args)

    monkeypatch.setattr(embedding, "_pixels", stumble)
    with pytest.raises(KeyboardInterrupt):
        embed_images([folder], network, tmp_path / "f.npz")
    assert not (tmp_path / "f.npz").exists()
    result = embed_images([folder], network, tmp_path / "f.npz")
    np.testing.assert_array_equal(result.features, expected.features)
    assert result.names == expected.names
    assert looked_at.count("a.png") == looked_at.count("b.jpg") == 1


def test_another_setting_does_not_go_on_with_what_was_done(folder, network, tmp_path, monkeypatch):
    monkeypatch.setattr(embedding, "_PART", 2)
    monkeypatch.setattr(embedding.shutil, "rmtree", lambda path: None)  # as if it had been stopped at the very end
    embed_images([folder], network, tmp_path / "f.npz")
    with pytest.raises(ValueError, match="an earlier run with a different mean; resume that one, or start again"):
        embed_images([folder], network, tmp_path / "f.npz", mean=[0.5])
    monkeypatch.undo()
    result = embed_images([folder], network, tmp_path / "f.npz", mean=[0.5], std=[1.0], restart=True)
    np.testing.assert_allclose(result.features[0], np.array([0, 100, 200]) / 255 - 0.5, rtol=1e-5)


@pytest.mark.parametrize(
    ("shape", "dtype", "expected"),
    [
        (("n", 1, 8, 8), "FLOAT", [(0.299 * 0 + 0.587 * 100 + 0.114 * 200) / 255]),
        ((2, 3, 8, 8), "FLOAT", [0, 100 / 255, 200 / 255]),
        (("n", 3, "h", "w"), "FLOAT16", [0, 100 / 255, 200 / 255]),
        (("n", 3, 8, 8), "UINT8", [0, 100, 200]),
    ],
    ids=["grey", "fixed batch", "any size, half precision", "bytes"],
)
def test_networks_of_other_shapes_and_types(folder, tmp_path, shape, dtype, expected):
    net = write_network(tmp_path / "other.onnx", shape, dtype)
    result = embed_images([folder], net, tmp_path / "f.npz", mean=[0.0], std=[1.0], batch=4)
    assert len(result.names) == 5
    np.testing.assert_allclose(result.features[0], expected, atol=0.003 * max(1, max(expected)))


def test_channels_last(folder, tmp_path):
    net = write_network(tmp_path / "last.onnx", ("n", 8, 8, 3))
    result = embed_images([folder], net, tmp_path / "f.npz", mean=[0.0], std=[1.0])
    np.testing.assert_allclose(result.features[0], np.full(8, 100 / 255), rtol=1e-5)  # this network averages over 2, 3


def test_an_output_with_places_is_averaged(folder, network, tmp_path):
    a = embed_images([folder], network, tmp_path / "a.npz")
    b = embed_images([folder], network, tmp_path / "b.npz", output="places")
    np.testing.assert_allclose(a.features, b.features, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"out": "f.txt"}, ValueError, "must end in .npz, .csv or .parquet"),
        ({"output": "logits"}, ValueError, "no output 'logits'; it has features, places"),
        ({"size": 32}, ValueError, "takes images of 8 by 8, so `size` cannot be 32"),
        ({"mean": [0.1, 0.2]}, ValueError, "`mean` must be 1 or 3 numbers"),
        ({"std": [0.0]}, ValueError, "`std` must be positive"),
        ({"batch": 0}, ValueError, "`batch` must be at least 1"),
        ({"network": "none.onnx"}, FileNotFoundError, "none.onnx; expected a network in ONNX format"),
        ({"network": "faces/notes.txt"}, ValueError, "not a network that onnxruntime can run"),
        ({"paths": "nowhere"}, FileNotFoundError, "no file or folder"),
    ],
)
def test_what_makes_no_sense_is_refused(folder, network, tmp_path, change, error, message):
    out = tmp_path / change.pop("out", "f.npz")
    net = tmp_path / change.pop("network", "net.onnx")
    paths = [tmp_path / change.pop("paths", "faces")]
    with pytest.raises(error, match=message):
        embed_images(paths, net, out, **change)


def test_a_network_of_no_images_is_refused(folder, tmp_path):
    net = write_network(tmp_path / "five.onnx", ("n", 5, 8, 8))
    with pytest.raises(ValueError, match="1 or 3 channels"):
        embed_images([folder], net, tmp_path / "f.npz")


def test_a_folder_without_images_is_told(tmp_path):
    with pytest.raises(ValueError, match="there are no images"):
        find_images([tmp_path])


def test_only_damaged_images_are_an_error(network, tmp_path):
    (tmp_path / "x.png").write_bytes(b"no")
    with pytest.raises(ValueError, match="none of 1 images could be read"):
        embed_images([tmp_path / "x.png"], network, tmp_path / "f.npz")


def test_a_folder_that_no_earlier_run_left_is_not_emptied(tmp_path):
    Image.new("RGB", (9, 9)).save(tmp_path / "a.png")
    network, parts = write_network(tmp_path / "net.onnx"), tmp_path / "f.npz.parts"
    parts.mkdir()
    (parts / "letters.txt").write_text("precious")
    with pytest.raises(ValueError, match="is not what an earlier run left"):
        embed_images([tmp_path / "a.png"], network, tmp_path / "f.npz", restart=True)
    assert (parts / "letters.txt").read_text() == "precious"
    assert not (tmp_path / "f.npz").exists()
