"""Parameters that long searches chose."""

from unabases.paper.catalogue import EXPERIMENTS
from unabases.paper.chosen import CHOSEN, chosen_parameters
from unabases.paper.results import Row


def row(experiment, method, split=0, profile="paper", failed="", **settings):
    return Row(experiment, "toy", split, method, 0, settings, profile, failed, {}, {}, 1.0, {})


def test_only_what_was_searched_on_the_first_split_of_the_paper_profile_is_kept():
    rows = [
        row("e/search", "LUNA"),
        row("e", "LUNA", gamma=0.123456, lam=2.0, max_steps=5),
        row("e", "LUNA", split=1, gamma=9.0),
        row("e", "LUNA", profile="quick", gamma=8.0),
        row("e", "GP", gamma=7.0),
    ]
    assert chosen_parameters(rows, ("gamma", "lam")) == {"e": {"toy": {"LUNA": {"gamma": 0.123, "lam": 2.0}}}}


def test_what_is_kept_lies_in_the_ranges_that_are_searched():
    for name, by_dataset in CHOSEN.items():
        methods = {method.label: method for method in EXPERIMENTS[name].methods}
        for by_method in by_dataset.values():
            for label, own in by_method.items():
                space = methods[label].search.space
                for parameter, value in own.items():
                    if parameter in space and not isinstance(value, str):
                        low, high, _ = space[parameter]
                        assert low <= value <= high
