"""The first screen has a small figure for each finding."""

import pytest

from tests.paper.report.synthetic import all_rows, consistency_rows, gap_rows
from unabases.paper.report.claims import all_claims
from unabases.paper.report.figures.glance import GLANCES, all_glances, draw_fit, draw_shares, draw_verdicts
from unabases.paper.report.findings import five_findings
from unabases.paper.report.rows import gather


def test_there_is_one_for_each_finding():
    results = gather(all_rows(n_restarts=1))
    assert [picture.spec.name for picture in all_glances(results)] == [glance.name for glance in GLANCES]
    empty = gather([])
    assert all_glances(empty) == []
    assert len(five_findings(empty, all_claims(empty), [])) == len(GLANCES)


def test_restarts_are_counted_in_words_beside_their_bars():
    (ax,) = draw_shares(gather(consistency_rows())).axes
    assert [text.get_text() for text in ax.texts][-1] == "20 of 20"  # LUNA (paper), on top


def test_error_is_a_multiple_of_the_median_baselines():
    (ax,) = draw_fit(gather(gap_rows())).axes
    filled = [
        line.get_xdata()[0] for line in ax.lines[1:] if line.get_markerfacecolor() != "white" and len(line.get_xdata())
    ]
    assert filled[:6] == pytest.approx([4.8 / 4.35] * 6)  # in the gap: 4.0 to 4.7 for the baselines


def test_bars_have_a_part_for_each_verdict():
    (ax,) = draw_verdicts(gather(gap_rows())).axes
    widths = [patch.get_width() for patch in ax.patches]
    assert len(widths) == 7 * 7
    assert sum(widths) == pytest.approx(7.0)
