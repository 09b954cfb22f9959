"""The figure of faces has a panel for each method and one axis for each data set."""

import numpy as np
import pytest

from tests.paper.report.synthetic import faces_rows
from unabases.paper.report.figures.faces import draw_all_faces, draw_rises


def test_panels_of_a_data_set_share_their_axis():
    axes = draw_all_faces(faces_rows()).axes
    assert [ax.get_title().splitlines()[0] for ax in axes] == ["LUNA", "NLM, MAP"] * 2
    assert axes[0].get_title().splitlines()[1] == "+24 % against +1 %, AUROC 0.80"  # of the first split
    assert axes[0].get_xlim() == axes[1].get_xlim() != axes[2].get_xlim()
    women = next(line for line in axes[0].lines if line.get_label() == "women")
    assert np.median(women.get_xdata()) == pytest.approx(1 + 0.3 - 0.05 * np.sqrt(1.5))


def test_without_curves_nothing_is_drawn():
    assert draw_all_faces([row._replace(curves={}) for row in faces_rows()]) is None


def test_rises_need_no_curves_and_show_every_split():
    rows = [row._replace(curves={}) for row in faces_rows()]
    figure = draw_rises(rows)
    men, ages = figure.axes
    assert [label.get_text() for label in men.get_yticklabels()] == ["LUNA", "NLM, MAP"]
    own = [row.scores for row in rows if (row.dataset, row.method) == ("faces-men", "LUNA")]
    _, joined, rings, dots = men.lines[:4]
    np.testing.assert_allclose(rings.get_xdata(), [scores["rise"] for scores in own])
    np.testing.assert_allclose(dots.get_xdata(), [scores["rise_gap"] for scores in own])
    np.testing.assert_allclose(joined.get_xdata(), [np.mean(rings.get_xdata()), np.mean(dots.get_xdata())])
    assert men.get_xlim() == ages.get_xlim()
    assert draw_rises([]) is None
