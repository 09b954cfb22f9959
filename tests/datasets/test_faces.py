import hashlib
import io

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from unabases.datasets import load_faces, registry
from unabases.datasets.files import state


def test_features_are_scaled_back(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    arrays = {
        "features": rng.integers(-127, 128, size=(5, 256), dtype=np.int8),
        "scale": rng.uniform(size=256).astype(np.float32),
        "age": np.array([1, 2, 3, 4, 5], dtype=np.float32),
        "gender": np.array([0, 1, 0, 1, 1], dtype=np.uint8),
        "photo_year": np.full(5, 2000, dtype=np.uint16),
        "face_score": np.ones(5, dtype=np.float16),
    }
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    (tmp_path / "faces").mkdir()
    (tmp_path / "faces" / "wiki_faces.npz").write_bytes(buffer.getvalue())
    file = registry.entry("faces").files[0]._replace(sha256=hashlib.sha256(buffer.getvalue()).hexdigest())
    monkeypatch.setitem(registry._OTHERS, "faces", registry.entry("faces")._replace(files=(file,)))
    faces = load_faces(tmp_path)
    assert faces.features.dtype == np.float32
    assert_array_equal(faces.features, arrays["features"].astype(np.float32) * arrays["scale"])
    assert_array_equal(faces.gender, arrays["gender"])


def test_the_error_names_terms_and_source(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"wiki_faces\.npz is missing.*academic research only"):
        load_faces(tmp_path)


def test_the_faces(data_directory):
    if state("faces", data_directory) == "missing":
        pytest.skip(f"needs real data: {data_directory} lacks faces/wiki_faces.npz")
    faces = load_faces(data_directory)
    assert faces.features.shape == (39_388, 256)
    assert_array_equal(np.bincount(faces.gender), [9710, 29678])
    assert_allclose([faces.age.mean(), faces.age.std()], [38.6, 16.6], atol=0.05)
    decades = np.histogram(faces.age, bins=np.arange(0, 101, 10))[0]
    assert decades[:-1].tolist() == [42, 2150, 13865, 8401, 5591, 4257, 2801, 1493, 631]
    assert (faces.photo_year.min(), faces.photo_year.max()) == (1940, 2015)
    assert "academic research" in faces.terms
    assert_allclose(faces.features.mean(axis=0), 0, atol=0.05 * faces.features.std(axis=0).max())
