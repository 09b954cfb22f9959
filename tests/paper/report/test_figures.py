"""Figures show what the rows say, with labelled axes, told apart without colour."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from tests.paper.report.synthetic import (
    all_rows,
    consistency_rows,
    cubic_rows,
    faces_rows,
    gap_rows,
    heads_rows,
    prior_rows,
    restart_rows,
    transfer_rows,
)
from unabases.paper.comparison import LABELS
from unabases.paper.report.faces_figure import draw_all_faces
from unabases.paper.report.figures import FIGURES, all_pictures
from unabases.paper.report.function_figures import draw_cubic_gap, draw_heads, draw_prior, draw_restarts
from unabases.paper.report.gathered import gather
from unabases.paper.report.look import LOOKS, look
from unabases.paper.report.method_figures import (
    CalibrationPanel,
    calibration_panels,
    draw_calibration,
    draw_consistency,
    draw_cost,
)
from unabases.paper.report.transfer_figure import draw_squiggle, draw_transfer, transfer_lines


def test_every_method_has_a_look_of_its_own_without_colour():
    labels = [*LABELS, "LUNA, between"]
    assert set(labels) <= set(LOOKS)
    assert len({look(label).marker for label in labels}) == len(labels)
    assert len({look(label).colour for label in labels}) == len(labels)
    for label in labels:
        assert np.dot(to_rgb(look(label).colour), (0.2126, 0.7152, 0.0722)) < 0.75, label  # seen on white
    assert look("something else") == look("another")


@pytest.fixture(scope="module")
def pictures():
    return all_pictures(gather(all_rows(n_restarts=2)))


def test_all_figures_are_drawn_from_all_rows_and_none_from_none(pictures):
    drawn = {picture.name for picture in pictures if picture.figure is not None}
    assert drawn == {entry[0] for entry in FIGURES}
    empty = all_pictures(gather([]))
    assert all(picture.figure is None and "not run yet" in picture.about for picture in empty)


def test_every_axis_that_is_shown_has_words_or_shares_them(pictures):
    for picture in pictures:
        for ax in picture.figure.axes if picture.figure else ():
            if ax.axison and ax.get_subplotspec().is_last_row():
                assert ax.get_xlabel(), picture.name


def test_the_prior_figure_has_functions_above_and_the_posterior_below():
    figure = draw_prior(Figure(), prior_rows())
    assert len(figure.axes) == 4
    assert len(figure.axes[0].lines) == 12 + 1  # functions and data
    assert "1.00 in the gap" in figure.axes[1].get_title()
    assert "mean" in figure.axes[2].get_legend_handles_labels()[1]


def test_the_heads_figure_counts_its_heads():
    figure = draw_heads(Figure(), heads_rows())
    assert figure.axes[0].get_title() == "LUNA: 20 auxiliary heads"
    assert figure.axes[0].get_ylim() == figure.axes[1].get_ylim()


def test_cubic_gap_has_a_panel_a_method_in_the_order_of_the_tables():
    figure = draw_cubic_gap(Figure(), cubic_rows())
    titles = [ax.get_title().splitlines()[0] for ax in figure.axes if ax.axison]
    assert titles[0] == "Bootstrap ensemble"
    assert set(titles) == set(LABELS)


def test_restarts_have_a_row_a_setting_and_at_most_six_columns():
    rows = [r for r in restart_rows(n=8) if r.dataset == "regularisation"]
    figure = draw_restarts(Figure(), rows)
    assert len(figure.axes) == 4 * 6
    assert figure.axes[1].texts[0].get_text() == "EURC +60.0 %"
    assert figure.axes[6].get_ylabel().startswith("γ = 0.1")


def test_transfer_lines_are_means_over_seeds():
    lines = {line.method: line for line in transfer_lines(transfer_rows())}
    assert list(lines) == ["NLM, MAP", "SNGP", "LUNA"]
    assert lines["LUNA"].n_features == [5, 10, 20, 50, 100]
    assert lines["LUNA"].mean == pytest.approx([-3.0 + 0.1 * np.log(k) + 0.05 for k in (5, 10, 20, 50, 100)])
    assert lines["LUNA"].std == pytest.approx([np.std([0, 0.05, 0.1])] * 5)
    ax = draw_transfer(Figure().subplots(), list(lines.values()))
    assert "nats" in ax.get_ylabel()
    assert [text.get_text() for text in ax.get_xticklabels()] == ["5", "10", "20", "50", "100"]


def test_rows_from_the_gap_are_drawn_apart():
    data = next(r for r in transfer_rows() if r.method == "data").curves
    ax = draw_squiggle(Figure().subplots(), data["X"], data["y"])
    drawn = {line.get_label(): line for line in ax.lines}
    assert np.abs(drawn["data from the gap"].get_xdata()).max() < 2
    assert np.abs(drawn["training data"].get_xdata()).min() >= 2


def test_calibration_is_the_mean_curve_inside_and_outside_the_gap():
    panels = calibration_panels(gap_rows(methods=("GP", "LUNA")))
    assert [panel.method for panel in panels] == ["GP", "LUNA"]
    assert panels[0].rows == 18
    assert panels[0].observed == pytest.approx(panels[0].expected ** 1.2)
    assert panels[0].gap == pytest.approx(panels[0].expected ** 0.7)
    figure = draw_calibration(Figure(), panels)
    assert figure.axes[0].get_xlabel() == "stated probability"


def test_cost_is_ordered_with_the_dearest_on_top():
    ax = draw_cost(Figure().subplots(), gap_rows(methods=("GP", "LUNA", "NLM, MAP")))
    assert [text.get_text() for text in ax.get_yticklabels()] == ["GP", "LUNA", "NLM, MAP"]
    assert ax.get_xscale() == "log"
    assert ax.lines[1].get_marker() == look("GP").marker


def test_consistency_has_a_mark_a_restart():
    ax = draw_consistency(Figure().subplots(), consistency_rows(n=7))
    assert [len(line.get_xdata()) for line in ax.lines[:4]] == [7] * 4


def test_faces_have_a_panel_a_method_and_one_axis_a_data_set():
    axes = draw_all_faces(Figure(), faces_rows()).axes
    assert [ax.get_title().splitlines()[0] for ax in axes] == ["LUNA", "NLM, MAP"] * 2
    assert axes[0].get_title().splitlines()[1] == "+24 % against +1 %, AUROC 0.80"  # of the first split
    assert axes[0].get_xlim() == axes[1].get_xlim() != axes[2].get_xlim()
    women = next(line for line in axes[0].lines if line.get_label() == "women")
    assert np.median(women.get_xdata()) == pytest.approx(1 + 0.3 - 0.05 * np.sqrt(1.5))


@pytest.mark.parametrize(("gap", "label"), [(None, "test rows"), ([0.2, 0.8], "not gap")])
def test_calibration_speaks_of_a_gap_only_where_there_is_one(gap, label):
    levels = np.array([0.25, 0.75])
    panel = CalibrationPanel("GP", levels, levels, None if gap is None else np.array(gap), 3)
    figure = draw_calibration(Figure(), [panel])
    assert label in figure.axes[0].get_legend_handles_labels()[1]
