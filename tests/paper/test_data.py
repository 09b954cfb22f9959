"""The rows that a trial sees, whatever their source."""

import sys

import numpy as np
import pytest

from unabases.datasets import cubic_gap, load_drawn
from unabases.datasets.directory import DATA_DIR_VARIABLE
from unabases.datasets.faces import FACES_SETS
from unabases.paper.data import impossible, lacking, load_rows


def test_synthetic_rows_are_those_of_the_seed_with_the_true_noise():
    rows, data = load_rows("cubic-gap", "", 3), cubic_gap(random_state=3)
    assert rows.sigma2 == data.sigma2
    assert np.array_equal(rows.X_train, data.X_train)
    assert np.array_equal(rows.X_search, data.X_train)
    assert np.array_equal(rows.y_gap, data.y_gap_test)
    assert lacking("cubic-gap", "") == ""


def test_men_are_trained_on_and_women_are_the_gap(people):
    rows = load_rows("faces", "faces-men", 0)
    assert len(rows.y_train) == 60
    assert (rows.X_train[:, 1] == 3).all()
    assert (rows.X_test[:, 1] == 3).all()
    assert (rows.X_gap[:, 1] == 0).all()
    assert len(rows.y_train) + len(rows.y_test) + len(rows.y_gap) == 200
    assert len(set(rows.y_train) & set(rows.y_test)) == 0


def test_thirties_are_the_gap(people):
    rows = load_rows("faces", "faces-ages", 1)
    assert rows.y_gap.min() >= 30
    assert rows.y_gap.max() <= 40
    assert not ((rows.y_train >= 30) & (rows.y_train <= 40)).any()
    assert not np.array_equal(rows.y_train, load_rows("faces", "faces-ages", 2).y_train)


def test_rows_of_the_other_half_are_refused():
    assert len(load_rows("accuracy", "diabetes", 0).y_train) == 398
    assert len(load_rows("accuracy-locked", "diabetes", 1).y_train) == 398
    for data, dataset, split in (
        ("accuracy", "diabetes", 1),
        ("accuracy", "iris", 0),
        ("accuracy-locked", "diabetes", 0),
    ):
        with pytest.raises(ValueError, match=f"split {split} of {dataset} belongs to the"):
            load_rows(data, dataset, split)


def test_a_split_of_a_packaged_table_uses_each_row_once():
    first, other = (load_rows("accuracy", "diabetes", split) for split in (0, 2))
    assert len(first.y_test) == 44
    together = np.vstack([first.X_train, first.X_test])
    assert len(np.unique(together, axis=0)) == 442
    assert not np.array_equal(first.y_test, other.y_test)


def test_a_known_function_keeps_its_noise_to_itself():
    rows = load_rows("accuracy", "sine-of-square", 0)
    assert rows.sigma2 is None  # a model has to find it
    assert np.std(rows.y_test - rows.f_test) == pytest.approx(0.08, rel=0.1)


def test_a_name_with_a_number_draws_so_many_rows_of_a_large_table(data_directory):
    whole, drawn = (load_rows("accuracy", name, 0) for name in ("kin8nm", "kin8nm-500"))
    assert (len(drawn.y_train), len(drawn.y_test)) == (500, 500)
    assert {tuple(x) for x in drawn.X_train} <= {tuple(x) for x in whole.X_train}
    assert {tuple(x) for x in drawn.X_test} <= {tuple(x) for x in whole.X_test}


def test_a_table_whose_package_is_absent_is_lacking(monkeypatch):
    monkeypatch.setitem(sys.modules, "statsmodels.datasets", None)
    assert lacking("accuracy-locked", "engel") == "The table comes with statsmodels: pip install statsmodels."
    assert lacking("accuracy-locked", "iris") == ""


def test_a_drawn_function_comes_with_its_record_and_keeps_its_noise_to_itself():
    rows, drawn = load_rows("honesty", "drawn-matern-1", 2), load_drawn("matern-1", 2)
    assert np.array_equal(rows.y_train, drawn.y_train)
    assert np.array_equal(rows.f_test, drawn.f_in)
    assert np.array_equal(rows.source.y_outside, drawn.y_outside)
    assert rows.sigma2 is None
    assert lacking("honesty", "drawn-matern-1") == impossible("honesty", "drawn-matern-1") == ""


def test_drawn_functions_and_columns_of_the_other_half_are_refused():
    for data, dataset, split in (
        ("honesty", "drawn-matern-1", 1),
        ("honesty", "drawn-matern-10", 0),
        ("honesty", "yacht-gap-5", 0),
        ("honesty-locked", "yacht-gap-4", 0),
        ("honesty-locked", "drawn-matern-1", 2),
    ):
        with pytest.raises(ValueError, match=f"split {split} of {dataset} belongs to the"):
            load_rows(data, dataset, split)


def test_a_gap_of_a_table_trains_on_all_rows_but_the_test_rows(data_directory):
    rows = load_rows("honesty", "yacht-gap-4", 0)
    assert len(rows.y_train) + len(rows.y_test) + len(rows.y_gap) == 308
    held_out, kept = set(rows.X_gap[:, 4]), {*rows.X_train[:, 4], *rows.X_test[:, 4]}
    assert not held_out & kept
    assert min(kept) < min(held_out)
    assert max(held_out) < max(kept)


def test_a_column_with_too_few_values_is_impossible_and_not_lacking(data_directory):
    assert "column 0 has no clean gap" in impossible("honesty", "yacht-gap-0")
    assert "column 0 has no clean gap" in impossible("honesty", "yacht-tail-0")
    assert lacking("honesty", "yacht-gap-0") == impossible("honesty", "yacht-gap-4") == ""
    assert impossible("gap", "yacht-gap-0") == ""


def test_an_unknown_data_set_is_refused():
    with pytest.raises(ValueError, match="choose one of faces-men, faces-ages"):
        load_rows("faces", "faces-cats", 0)


def test_the_real_faces_have_the_stated_numbers(data_directory):
    if not (data_directory / "faces" / "wiki_faces.npz").is_file():
        pytest.skip(f"needs real data: {data_directory} lacks faces/wiki_faces.npz")
    men, ages = (load_rows("faces", name, 0) for name in FACES_SETS)
    assert (len(men.y_train) + len(men.y_test), len(men.y_gap)) == (29_678, 9710)
    assert len(ages.y_train) + len(ages.y_test) + len(ages.y_gap) == 39_388


def test_without_the_file_the_reason_is_said(tmp_path, monkeypatch):
    monkeypatch.setenv(DATA_DIR_VARIABLE, str(tmp_path))
    assert "wiki_faces.npz is missing" in lacking("faces", "faces-men")
