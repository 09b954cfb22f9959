"""Files of all versions predict what they did, and no file that was tampered with is trusted."""

import pickle
import tempfile
from pathlib import Path

import numpy as np
import pytest

from tests.saving.kept import STUDY, answers, kept_files, makers, open_kept
from tests.torture.fuzz import FINE, fuzz, judge
from tests.torture.mutations import take_apart, with_extremes
from unabases.saving.container import package_version

KEPT = list(kept_files())
PLAIN = ("GaussianProcess", "TableModel-GaussianProcess", STUDY)  # which need no network, and load in no time


def test_this_version_has_a_file_of_every_model():
    own = {each.name for each in KEPT if each.version == package_version()}
    assert own == {*makers(), STUDY}


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: f"{kept.version}-{kept.name}")
def test_it_predicts_what_it_did(kept):
    found = answers(open_kept(kept.path))
    for name, values in kept.expected.items():
        np.testing.assert_allclose(found[name], np.array(values, dtype=float), rtol=1e-5, atol=1e-7, err_msg=name)


@pytest.mark.parametrize(("names", "files"), [(None, 100), (PLAIN, 1000)], ids=["all", "without networks"])
def test_a_mutated_file_is_refused_or_is_a_model(names, files):
    kept = [each for each in KEPT if names is None or each.name in names]
    in_memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=in_memory if in_memory.is_dir() else None) as folder:
        counts, findings = fuzz(kept, Path(folder), first=0, files=files)
    assert findings == []
    assert counts["refused"] > files / 3
    assert counts["the same model"] > 0


@pytest.mark.parametrize("name", ["UNA-skewed", "TableModel", "TableModel-GaussianProcess"])
def test_numbers_whose_squares_overflow_never_become_predictions(name, tmp_path):
    kept = next(each for each in KEPT if each.name == name)
    path, wrong = tmp_path / "model.una", []
    for what, data in with_extremes(take_apart(kept.path.read_bytes())):
        path.write_bytes(data)
        if (answer := judge(path, kept)) not in FINE:
            wrong.append(f"{what}: {answer}")
    assert wrong == []


def test_a_model_of_another_kind_counts_as_another_model():
    kinds = {each.name: each for each in KEPT}
    assert judge(kinds["GaussianProcess"].path, kinds["TableModel-GaussianProcess"]) == "another model"


def test_code_that_a_file_causes_to_run_is_noticed(monkeypatch):
    kept = next(each for each in KEPT if each.name == "GaussianProcess")
    assert fuzz([kept], kept.path.parent, first=0, files=0).findings == []  # it watches from now on
    assert judge(kept.path, kept) == "the same model"
    monkeypatch.setattr("tests.torture.fuzz.open_kept", lambda path: pickle.loads(pickle.dumps(Path)))
    assert judge(kept.path, kept) == "runs code: ['pickle.find_class']"
