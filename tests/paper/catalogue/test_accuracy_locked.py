from unabases.datasets import UCI
from unabases.paper.catalogue import LOCKED_EXPERIMENTS
from unabases.paper.catalogue.accuracy import EXPERIMENT as DEVELOPED
from unabases.paper.halves import LOCKED, half_of
from unabases.paper.plan import expand
from unabases.paper.spec import PROFILES

LOCKED_HALF = LOCKED_EXPERIMENTS["accuracy-locked"]


def test_every_trial_is_locked_and_every_set_has_five_splits():
    for profile in PROFILES:
        for (trial,) in expand(LOCKED_HALF, profile):
            assert half_of(trial.dataset, trial.split) == LOCKED
    cells = {(trial.dataset, trial.split) for (trial,) in expand(LOCKED_HALF, "paper")}
    names = {name for name, _ in cells}
    assert names > set(UCI)
    assert {sum(own == name for own, _ in cells) for name in names} == {5}


def test_the_halves_have_the_same_methods_and_no_cell_in_common():
    assert LOCKED_HALF.methods == DEVELOPED.methods
    first, second = ({(t.dataset, t.split) for (t,) in expand(e, "paper")} for e in (DEVELOPED, LOCKED_HALF))
    assert not first & second
