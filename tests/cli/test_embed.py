"""`unabases embed`, as a user types it."""

import numpy as np
import pandas as pd
import pytest

from tests.cli.conftest import run


def test_embed_writes_features_and_says_what_it_skipped(tmp_path):
    pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    image = pytest.importorskip("PIL.Image")
    from tests.datasets.test_embedding import write_network

    (tmp_path / "photos").mkdir()
    image.new("RGB", (9, 9), (0, 51, 255)).save(tmp_path / "photos" / "a.png")
    (tmp_path / "photos" / "b.png").write_text("not an image")
    network = write_network(tmp_path / "net.onnx")
    out = ["--model", network, "--out", tmp_path / "f.csv", "--mean", "0,0,0", "--std", "1,1,1"]
    said = run("embed", tmp_path / "photos", *out)
    assert "1 images, 3 features each" in said
    assert "skipped" in said
    assert "b.png" in said
    table = pd.read_csv(tmp_path / "f.csv")
    np.testing.assert_allclose(table[["f0", "f1", "f2"]], [[0, 0.2, 1]], atol=1e-6)
