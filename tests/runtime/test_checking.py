"""The light reader trusts a file no more than `unabases.load` does, whatever its checksum says."""

import json
import tempfile
from pathlib import Path

import numpy as np
import pytest

from tests.runtime.cases import KEPT, READ
from tests.torture.fuzz import FINE, fuzz, judge_light
from tests.torture.mutations import take_apart, with_extremes
from unabases import runtime
from unabases.regressors.shared.saved_state import StateError
from unabases.runtime.checking import check_columns, check_fourier, check_network, check_stack
from unabases.saving import ModelFileError
from unabases.saving.container import pack


def test_mutated_files_are_refused_or_are_models():
    kept, in_memory = [KEPT[name] for name in READ], Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=in_memory if in_memory.is_dir() else None) as folder:
        counts, findings = fuzz(kept, Path(folder), first=0, files=1500, light=True)
    assert findings == []
    assert counts["refused"] > 400
    assert counts["the same model"] > 0


@pytest.mark.parametrize("name", ["UNA-skewed", "GapCalibrated", "TableModel"])
def test_numbers_whose_squares_overflow_never_become_predictions(name, tmp_path):
    path, wrong = tmp_path / "model.una", []
    for what, data in with_extremes(take_apart(KEPT[name].path.read_bytes())):
        path.write_bytes(data)
        if (answer := judge_light(path, KEPT[name])) not in FINE:
            wrong.append(f"{what}: {answer}")
    assert wrong == []


@pytest.mark.parametrize(
    ("name", "array", "change", "says"),
    [
        ("LUNA", "posterior.0.sigma2", lambda a: -a, "finite and positive"),
        ("LUNA", "posterior.0.L", lambda a: a[:3, :3], "shape"),
        ("LUNA", "posterior.0.m", lambda a: a * np.nan, "finite"),
        ("LUNA", "x.center", lambda a: a[:1], "shape"),
        ("LUNA", "phi.0", lambda a: a[:, :1], "takes 2 numbers"),
        ("LUNA", "phi.2", lambda a: a[:1], "biases"),
        ("UNA", "noise", lambda a: 0 * a, "finite and positive"),
        ("UNA", "kernel.0.factor", lambda a: -a, "positive diagonal"),
        ("UNA", "variances.alpha", lambda a: np.array([1.0, 2.0]), "shape"),
        ("UNA-skewed", "curve.power", lambda a: a + 9.0, "powers from 0 to 2"),
        ("AnchoredEnsemble", "networks.4", lambda a: a[..., :2], "last layer"),
        ("MCDropout", "masks", lambda a: a[:, :3], "masks"),
        ("Conformal", "widths.levels", lambda a: a[::-1].copy(), "rise"),
        ("GapCalibrated", "scale.noise", lambda a: -a, "finite and positive"),
        ("TableModel", "missing.extra", lambda a: -a, "not negative"),
    ],
)
def test_arrays_that_no_model_has(name, array, change, says, tmp_path):
    parts = take_apart(KEPT[name].path.read_bytes())
    key = next(key for key in parts.arrays if key.endswith(f".{array}"))
    path = tmp_path / "model.una"
    path.write_bytes(pack(json.loads(parts.text), parts.arrays | {key: change(parts.arrays[key])}))
    with pytest.raises(ModelFileError, match=says):
        runtime.load(path)


def test_a_small_file_cannot_ask_for_much_memory(tmp_path):
    parts, path = take_apart(KEPT["LUNA"].path.read_bytes()), tmp_path / "model.una"
    content = json.loads(parts.text)
    content["values"]["n_features_in"] = 10**9
    path.write_bytes(pack(content, parts.arrays))
    with pytest.raises(ModelFileError, match="1000000000 columns"):
        runtime.load(path)


def test_parts_of_networks_have_to_fit_each_other():
    def leaves(*shapes):
        return [np.ones(shape, np.float32) for shape in shapes]

    assert check_network(leaves((4, 2), (3, 4), (4,), (3,)), 2) == 3
    assert check_fourier(leaves((4, 2), (4, 4), (4,), (), (6, 4), (6,)), 2) == 6
    check_stack(leaves((5, 4, 2), (5, 4), (5, 1, 1, 5)), None, 2, 1)
    for wrong in (leaves((4, 2)), leaves((4, 3), (4,)), [np.ones((4, 2)), np.ones(4)], leaves((0, 2), (0,))):
        with pytest.raises(StateError):
            check_network(wrong, 2)
    for wrong in (leaves((4, 2), (3, 4), (3,), (), (6, 4), (6,)), leaves((4, 2), (), (6, 3), (6,)), leaves((4, 2))):
        with pytest.raises(StateError):
            check_fourier(wrong, 2)


def test_columns_that_no_table_has():
    column = {"name": "a", "kind": "number", "levels": [], "fill": 0.0, "indicator": False}
    check_columns({"inputs": [column], "missing": "refuse"}, 1)
    for wrong in ({"kind": "text"}, {"fill": np.nan}, {"levels": ["x", "x"]}, {"name": 3}, {"indicator": 1}):
        with pytest.raises(StateError, match="not a column"):
            check_columns({"inputs": [column | wrong], "missing": "refuse"}, 1)
    with pytest.raises(StateError, match="same name"):
        check_columns({"inputs": [column, column], "missing": "refuse"}, 2)
    with pytest.raises(StateError, match="columns"):
        check_columns({"inputs": [column], "missing": "guess"}, 1)
