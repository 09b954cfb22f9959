"""Made-up people, for tests where the file of faces is absent."""

import numpy as np
import pytest

from unabases.datasets import faces as source
from unabases.datasets.faces import Faces


@pytest.fixture
def people(monkeypatch):
    """Two hundred people with their age as the first feature and gender as the second."""
    rng = np.random.default_rng(0)
    n = 200
    age, gender = rng.uniform(20, 60, n).astype(np.float32), (rng.random(n) < 0.6).astype(np.uint8)
    features = np.zeros((n, 256), dtype=np.float32)
    features[:, 0], features[:, 1] = age, 3 * gender
    nothing = np.zeros(n)
    made = Faces(features, age, gender, nothing.astype(np.uint16), nothing.astype(np.float16), "", "", "")
    monkeypatch.setattr(source, "load_faces", lambda directory=None: made)
    monkeypatch.setattr(source, "FACES_SETS", {"faces-men": 60, "faces-ages": 60})
    return made
