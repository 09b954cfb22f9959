"""What may be looked at, and what is kept back."""

import pytest

from unabases.datasets import DRAWN_SETS
from unabases.paper.halves import (
    DEVELOPMENT,
    DEVELOPMENT_DRAWN,
    DEVELOPMENT_SETS,
    LOCKED,
    check_half,
    cut_of,
    drawn_set,
    half_of,
    set_name,
)
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


def test_a_gap_or_a_tail_belongs_where_its_column_does():
    for kind in ("gap", "tail"):
        assert [half_of(f"concrete-{kind}-{column}", 0) for column in range(4)] == [DEVELOPMENT, LOCKED] * 2
        assert {half_of(f"wine_red-{kind}-{column}", 0) for column in range(11)} == {LOCKED}
        assert {half_of(f"boston-{kind}-10", division) for division in range(4)} == {DEVELOPMENT}
        assert {half_of(f"boston-{kind}-11", division) for division in range(4)} == {LOCKED}
    assert cut_of("wine_red-tail-10") == ("wine_red", "tail", 10)
    assert cut_of("kin8nm-1000") is None
    assert cut_of("yacht-froude") is None


def test_the_list_of_open_drawn_sets_is_this_one():
    """Change it here too, and say why."""
    assert sorted(DEVELOPMENT_DRAWN) == [
        *("chirp-1", "chirp-5", "interaction-2", "linear-1", "matern-1", "matern-2", "matern-5", "periodic-1"),
        *("periodic-2", "piecewise-linear-1", "piecewise-linear-2", "rbf-1-long", "rbf-1-medium", "rbf-1-short"),
        *("rbf-10-long", "rbf-10-medium", "rbf-2-long", "rbf-2-medium", "rbf-2-short", "rbf-5-long", "rbf-5-medium"),
        *("step-1", "step-5"),
    ]


def test_some_drawn_sets_are_locked_and_half_of_the_seeds_of_the_others():
    seen = [name for name in DRAWN_SETS if half_of(f"drawn-{name}", 0) == DEVELOPMENT]
    assert len(DRAWN_SETS) - len(seen) == 8
    assert {name.removesuffix("-quiet").removesuffix("-noisy") for name in seen} == DEVELOPMENT_DRAWN
    for name in DRAWN_SETS:
        halves = [half_of(f"drawn-{name}", seed) for seed in range(4)]
        assert halves == ([DEVELOPMENT, LOCKED] * 2 if name in seen else [LOCKED] * 4)


def test_a_quiet_set_and_its_noisy_twin_are_in_the_same_half():
    quiet = [name for name in DRAWN_SETS if name.endswith("-quiet")]
    assert quiet
    for name in quiet:
        twin = name.replace("quiet", "noisy")
        assert all(half_of(f"drawn-{name}", seed) == half_of(f"drawn-{twin}", seed) for seed in range(3))


def test_a_drawn_chirp_is_not_the_known_function_of_that_name():
    assert drawn_set("drawn-chirp-2") == "chirp-2"
    assert drawn_set("chirp") is None
    assert (half_of("drawn-chirp-2", 0), half_of("chirp", 0)) == (LOCKED, DEVELOPMENT)
    assert half_of("drawn-unheard-of-3", 0) == LOCKED
