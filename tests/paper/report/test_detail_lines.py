"""A line of a table has numbers for a file and words for a reader."""

import pytest

from tests.paper.report.synthetic import row
from unabases.paper.report.detail_lines import Line


def test_a_line_adds_means_and_ranges_of_its_rows():
    line = Line([row(scores={"a": value}) for value in (1.0, 3.0)], {"method": "GP"})
    line.add_mean("a", "the mean")
    line.add_range("a", "the range", unit=" s")
    line.add_range("b", "absent")
    assert line.numbers == {
        "method": "GP",
        **{"a_mean": 2.0, "a_std": 1.0, "a_n": 2, "a_median": 2.0, "a_least": 1.0, "a_most": 3.0},
    }
    assert line.words == {
        "method": "GP",
        "the mean": "2.00 ± 1.00",
        "the range: median (least to most)": "2.00 s (1.00 to 3.00)",
    }


def test_words_may_differ_from_numbers():
    line = Line([], {"share": 0.5}, {"half": "1 of 2"})
    assert line.numbers["share"] == pytest.approx(0.5)
    assert line.words == {"half": "1 of 2"}
