"""Rows scored piece by piece: the same as the whole, sampled, and never held at once."""

import weakref

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from tests.audit.conftest import people
from unabases import audit
from unabases.audit import AuditSettings


def test_pieces_and_the_whole_give_the_same_audit(men_only, found):
    table = people(400, seed=1)
    pieces = (table.iloc[i : i + 90] for i in range(0, 400, 90))
    again = audit(
        men_only, pieces, ["gender", "region", "b"], settings=AuditSettings(n_permutations=500, max_error=0.1)
    )
    pd.testing.assert_frame_equal(again.values, found.values)
    pd.testing.assert_frame_equal(again.least_familiar, found.least_familiar)
    assert again.named_rows == found.named_rows


def test_never_more_than_two_pieces_are_alive(men_only):
    alive, pieces = [], []

    def watched():
        for seed in range(6):
            piece = people(40, seed)
            pieces.append(weakref.ref(piece))
            alive.append(sum(one() is not None for one in pieces))
            yield piece.set_axis(range(40 * seed, 40 * seed + 40))

    result = audit(men_only, watched(), ["gender"], settings=AuditSettings(most_rows=50, n_permutations=20))
    assert (result.rows, result.sampled, len(alive)) == (240, 50, 6)
    assert max(alive) <= 2


def test_a_long_table_is_sampled_for_tests_and_counted_whole(men_only):
    table = people(400, seed=1)
    result = audit(
        men_only,
        [table.iloc[:150], table.iloc[150:]],
        ["gender"],
        settings=AuditSettings(most_rows=100, n_permutations=100),
    )
    assert (result.rows, result.sampled, len(result.std)) == (400, 100, 100)
    std = men_only.predict(table)["epistemic_std"]
    assert result.named_rows == int((std > result.row_threshold).sum()) > 0
    assert_allclose(result.least_familiar["epistemic_std"], np.sort(std)[::-1][:20])
    assert set(result.std) <= set(std)


def test_the_least_familiar_rows_can_be_found_again(men_only, found):
    table = people(400, seed=1)
    top = found.least_familiar.iloc[0]
    assert top["b"] == table["b"].iloc[int(top["row"])]
    assert top["epistemic_std"] == pytest.approx(men_only.predict(table)["epistemic_std"].max())
