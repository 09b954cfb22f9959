"""What may be looked at, and what is kept back."""

import pytest

from unabases.paper.halves import DEVELOPMENT, DEVELOPMENT_SETS, LOCKED, check_half, half_of, set_name
from unabases.paper.known_functions import FUNCTIONS
from unabases.paper.packaged_tables import PACKAGED


def test_the_list_of_open_sets_is_this_one():
    """Change it here too, and say why: what is open can never be locked again."""
    assert sorted(DEVELOPMENT_SETS) == [
        *("boston", "breast-cancer", "chirp", "concrete", "diabetes", "energy", "heavy-tails", "interactions"),
        *("kin8nm", "sine-of-square", "skewed", "step", "varying-noise", "wine", "yacht"),
    ]


def test_half_of_the_splits_of_an_open_set_are_locked():
    halves = [half_of("diabetes", split) for split in range(6)]
    assert halves == [DEVELOPMENT, LOCKED] * 3


def test_other_sets_are_locked_whole_also_those_that_nobody_knows():
    assert {half_of(name, split) for name in ("protein", "iris", "unheard of") for split in range(6)} == {LOCKED}


def test_about_half_of_all_sets_are_locked():
    uci = ("boston", "concrete", "yacht", "energy", "kin8nm", "wine_red", "power_plant", "protein", "naval")
    every = {*uci, *PACKAGED, *FUNCTIONS}
    assert every >= DEVELOPMENT_SETS
    assert 0.4 < len(DEVELOPMENT_SETS) / len(every) < 0.6


def test_a_sample_belongs_where_its_table_does():
    assert set_name("kin8nm-1000") == ("kin8nm", 1000)
    assert set_name("sine-of-square") == ("sine-of-square", None)
    assert half_of("kin8nm-1000", 0) == DEVELOPMENT
    assert half_of("protein-1000", 0) == LOCKED


def test_the_other_half_is_refused():
    check_half(DEVELOPMENT, "yacht", 2)
    check_half(LOCKED, "yacht", 3)
    with pytest.raises(ValueError, match="split 3 of yacht belongs to the locked half, and this is the development"):
        check_half(DEVELOPMENT, "yacht", 3)
