"""What profiles have in common, and the parameters that long searches chose."""

from benchmarks.chosen import chosen_parameters

from unabases import all_regressors
from unabases.paper.catalogue import EXPERIMENTS
from unabases.paper.catalogue.profiles import CHOSEN, QUICK_SEARCH, tiny
from unabases.paper.methods import GP, LUNA
from unabases.paper.store import Row


def test_the_tiny_profile_names_parameters_that_regressors_have():
    extent = tiny(splits=2)
    known = {name for regressor in all_regressors().values() for name in regressor().get_params()}
    assert set(extent.parameters) <= known
    assert (extent.splits, extent.n_random, extent.n_trials) == (2, 2, 0)
    assert QUICK_SEARCH["n_random"] + QUICK_SEARCH["n_trials"] == 6


def row(experiment, method, split=0, profile="paper", failed="", **settings):
    return Row(experiment, "toy", split, method, 0, settings, profile, failed, {}, {}, 1.0, {})


def test_only_what_was_searched_on_the_first_split_of_the_paper_profile_is_kept():
    rows = [
        row("e/search", LUNA),
        row("e", LUNA, gamma=0.123456, lam=2.0, max_steps=5),
        row("e", LUNA, split=1, gamma=9.0),
        row("e", LUNA, profile="quick", gamma=8.0),
        row("e", GP, gamma=7.0),
    ]
    assert chosen_parameters(rows) == {"e": {"toy": {LUNA: {"gamma": 0.123, "lam": 2.0}}}}


def test_what_is_kept_lies_in_the_ranges_that_are_searched():
    for name, by_dataset in CHOSEN.items():
        methods = {method.label: method for method in EXPERIMENTS[name].methods}
        for by_method in by_dataset.values():
            for label, own in by_method.items():
                space = methods[label].search.space
                for parameter, value in own.items():
                    if parameter in space and not isinstance(value, str):
                        low, high = space[parameter][:2]
                        assert low <= value <= high
