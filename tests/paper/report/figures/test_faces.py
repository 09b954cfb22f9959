"""The figure of faces has a panel for each method and one axis for each data set."""

import numpy as np
import pytest

from tests.paper.report.synthetic import faces_rows
from unabases.paper.report.figures.faces import draw_all_faces


def test_panels_of_a_data_set_share_their_axis():
    axes = draw_all_faces(faces_rows()).axes
    assert [ax.get_title().splitlines()[0] for ax in axes] == ["LUNA", "NLM, MAP"] * 2
    assert axes[0].get_title().splitlines()[1] == "+24 % against +1 %, AUROC 0.80"  # of the first split
    assert axes[0].get_xlim() == axes[1].get_xlim() != axes[2].get_xlim()
    women = next(line for line in axes[0].lines if line.get_label() == "women")
    assert np.median(women.get_xdata()) == pytest.approx(1 + 0.3 - 0.05 * np.sqrt(1.5))


def test_without_curves_nothing_is_drawn():
    assert draw_all_faces([row._replace(curves={}) for row in faces_rows()]) is None
