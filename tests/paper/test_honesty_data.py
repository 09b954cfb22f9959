"""Gaps and tails of every column, and sets of drawn functions, by half."""

import numpy as np
import pytest

from unabases.datasets import DRAWN_SETS, UCI, load_uci, make_tail
from unabases.datasets.directory import DATA_DIR_VARIABLE
from unabases.paper.halves import DEVELOPMENT, HALVES, LOCKED, cut_of
from unabases.paper.honesty_data import MOST_ROWS, cut_names, drawn_names, load_cut, too_few_values


def test_every_column_of_every_table_is_in_one_half():
    found = [name for half in HALVES for name in cut_names(half)]
    assert len(set(found)) == len(found) == 2 * (13 + 8 + 6 + 8 + 8 + 11 + 4 + 9 + 16)
    assert {cut_of(name).table for name in cut_names(LOCKED)} == set(UCI)
    assert all(cut_of(name).column % 2 == 0 for name in cut_names(DEVELOPMENT))


def test_every_drawn_set_has_seeds_in_the_locked_half():
    assert drawn_names(LOCKED) == tuple(f"drawn-{name}" for name in DRAWN_SETS)
    assert len(drawn_names(DEVELOPMENT)) == 33


def test_columns_without_a_clean_gap_have_too_few_values(data_directory):
    few = {name for half in HALVES for name in cut_names(half) if too_few_values(name)}
    columns = {(cut_of(name).table, cut_of(name).column) for name in few}
    assert columns == {
        *(("boston", 1), ("boston", 3), ("concrete", 7), ("yacht", 0), ("yacht", 2), ("energy", 4)),
        *(("naval", 8), ("naval", 11)),
    }
    assert len(few) == 2 * len(columns)  # gap and tail alike


def test_a_tail_is_what_make_tail_holds_out_of_a_small_table(data_directory):
    table, split = load_uci("energy"), load_cut("energy-tail-0")
    tail = make_tail(table.X, table.y, 0, clean=True)
    assert np.array_equal(split.y_gap, table.y[tail.tail])
    assert len(split.y_train) + len(split.y_val) + len(split.y_test) == len(tail.not_tail)


def test_a_large_table_is_sampled_and_all_its_cuts_have_the_same_rows(data_directory):
    def rows_of(name, number=0):
        s = load_cut(name, number)
        return {tuple(x) for part in (s.X_train, s.X_val, s.X_test, s.X_gap) for x in part}

    first = rows_of("kin8nm-gap-0")
    assert len(first) == MOST_ROWS
    assert first == rows_of("kin8nm-tail-2") == rows_of("kin8nm-gap-0", 1)
    assert not np.array_equal(load_cut("kin8nm-gap-0").y_test, load_cut("kin8nm-gap-0", 1).y_test)


def test_without_the_table_nothing_is_said_about_its_columns(tmp_path, monkeypatch):
    monkeypatch.setenv(DATA_DIR_VARIABLE, str(tmp_path))
    assert too_few_values("yacht-gap-0") == ""
    assert too_few_values("drawn-chirp-1") == ""


def test_an_unknown_name_is_refused():
    for name in ("yacht", "cats-gap-0"):
        with pytest.raises(ValueError, match=f"unknown gap or tail '{name}'; names are like yacht-gap-4, of boston"):
            load_cut(name)
