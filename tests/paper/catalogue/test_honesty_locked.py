from unabases.datasets import DRAWN_SETS, UCI
from unabases.paper.catalogue import EXPERIMENTS, LOCKED_EXPERIMENTS
from unabases.paper.catalogue.honesty import EXPERIMENT as DEVELOPED
from unabases.paper.halves import LOCKED, cut_of, drawn_set, half_of
from unabases.paper.plan import expand
from unabases.paper.spec import PROFILES

LOCKED_HALF = LOCKED_EXPERIMENTS["honesty-locked"]


def cells(experiment, profile="paper"):
    return {(trial.dataset, trial.split) for (trial,) in expand(experiment, profile)}


def test_every_trial_is_locked_and_every_table_and_set_is_there():
    for profile in PROFILES:
        assert all(half_of(*cell) == LOCKED for cell in cells(LOCKED_HALF, profile))
    names = {name for name, _ in cells(LOCKED_HALF)}
    assert {cut_of(name).table for name in names if cut_of(name)} == set(UCI)
    assert {drawn_set(name) for name in names if drawn_set(name)} == set(DRAWN_SETS)
    assert {cut_of(name).table for name, _ in cells(LOCKED_HALF, "quick") if cut_of(name)} == set(UCI)


def test_the_halves_have_the_same_methods_and_no_cell_in_common():
    assert LOCKED_HALF.methods == DEVELOPED.methods
    assert not cells(DEVELOPED) & cells(LOCKED_HALF)


def test_it_is_run_by_its_name_alone():
    assert "honesty-locked" not in EXPERIMENTS
    assert LOCKED_HALF.half == LOCKED
