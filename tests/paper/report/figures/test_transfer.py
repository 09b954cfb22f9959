"""The figure of transfer shows the data and the mean scores."""

import numpy as np
import pytest

from tests.paper.report.synthetic import transfer_rows
from unabases.paper.report.figures.transfer import draw_transfer, transfer_scores

NUMBERS = (5, 10, 20, 50, 100)


def test_scores_are_means_over_splits():
    scores = transfer_scores(transfer_rows())
    assert list(scores) == ["NLM, MAP", "SNGP", "LUNA (paper)"]
    luna = scores["LUNA (paper)"]
    assert tuple(luna) == NUMBERS
    assert [score.mean for score in luna.values()] == pytest.approx([-3.0 + 0.1 * np.log(k) + 0.05 for k in NUMBERS])
    assert [score.std for score in luna.values()] == pytest.approx([np.std([0, 0.05, 0.1])] * 5)


def test_the_data_are_left_and_the_scores_right():
    left, right = draw_transfer(transfer_rows()).axes
    drawn = {line.get_label(): line for line in left.lines}
    assert np.abs(drawn["data from the gap"].get_xdata()).max() < 2
    assert np.abs(drawn["training data"].get_xdata()).min() >= 2
    assert "nats" in right.get_ylabel()
    assert [text.get_text() for text in right.get_xticklabels()] == [str(k) for k in NUMBERS]


def test_without_the_data_only_the_scores_are_drawn():
    assert len(draw_transfer([row for row in transfer_rows() if row.method != "data"]).axes) == 1
    assert draw_transfer([]) is None
