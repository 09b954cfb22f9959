"""What an epistemic std should be, from rows and from the paper's tables."""

import pytest

from tests.paper.report.synthetic import gap_rows
from unabases.paper.methods import GP, LUNA_PAPER
from unabases.paper.report.epistemic import aims_of, noise_of
from unabases.paper.report.paper_values import paper_value


def rows_on(dataset, sigma2=4.0):
    own = {}
    for row in gap_rows(methods=(LUNA_PAPER, GP), datasets=(dataset,)):
        own.setdefault(row.method, []).append(row._replace(settings={"sigma2": sigma2}))
    return own


def test_here_it_is_the_error_of_the_rows_and_the_std_of_the_process():
    here, there = aims_of(rows_on("boston-rm"), paper_value(7, LUNA_PAPER, "boston-rm", "gap"), LUNA_PAPER)
    assert here == (pytest.approx(4.0), 2.0, pytest.approx(1.5))
    assert there.error == paper_value(2, LUNA_PAPER, "boston-rm", "gap").mean
    assert there.process == paper_value(7, GP, "boston-rm", "gap").mean


def test_the_process_is_held_against_its_error_alone():
    here, there = aims_of(rows_on("boston-rm"), paper_value(7, GP, "boston-rm", "not gap"), GP)
    assert (here.process, there.process) == (None, None)


def test_rows_that_do_not_say_the_noise_cannot_tell():
    assert aims_of(rows_on("boston-rm", "residual"), paper_value(7, GP, "boston-rm", "gap"), GP) is None
    assert noise_of([]) is None
