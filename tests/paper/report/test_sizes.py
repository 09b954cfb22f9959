"""How much was run at the paper's size."""

from tests.paper.report.synthetic import row
from unabases.paper.catalogue import EXPERIMENTS
from unabases.paper.plan import expand
from unabases.paper.report.rows import gather
from unabases.paper.report.sizes import size_line, sizes


def rows_of(experiment, profile, most=None):
    """A row for each trial of a profile, or for the first few of each cell."""
    trials = [trial for group in expand(EXPERIMENTS[experiment], profile) for trial in group]
    return [
        row(experiment, one.dataset, one.method, one.split, seed=one.seed, settings=dict(one.notes), profile=profile)
        for one in trials
        if most is None or one.split < most
    ]


def counts(rows):
    """The numbers in the line of the only experiment."""
    (line,) = sizes(gather(rows)).to_numpy().tolist()
    return line[1:]


def test_a_cell_counts_as_full_few_small_or_absent():
    assert counts(rows_of("transfer", "paper")) == [21, 21, 0, 0, 0]
    assert counts(rows_of("transfer", "paper", most=3)) == [21, 0, 21, 0, 0]
    assert counts(rows_of("transfer", "quick")) == [21, 0, 0, 21, 0]
    some = [one for one in rows_of("transfer", "paper") if one.method in ("data", "NLM, MAP")]
    assert counts(some) == [21, 6, 0, 0, 15]


def test_what_quick_runs_in_full_is_at_the_papers_size():
    assert counts(rows_of("map-prior", "quick")) == [2, 2, 0, 0, 0]


def test_the_profile_tiny_has_no_size_and_nothing_gives_an_empty_table():
    assert sizes(gather(rows_of("map-prior", "tiny"))).empty
    assert sizes(gather([])).empty


def test_the_line_adds_all_experiments_up():
    frame = sizes(gather([*rows_of("transfer", "quick"), *rows_of("map-prior", "paper")]))
    assert size_line(frame).startswith("Of 23 cells (a method on a data set) 2 were run at the paper's size, 0 with")
    assert size_line(frame).endswith("21 smaller and 0 not yet.")
