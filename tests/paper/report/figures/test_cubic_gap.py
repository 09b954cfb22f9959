"""Figures over the gap show the functions, bands and numbers of their rows."""

from tests.paper.report.synthetic import REGRESSORS, cubic_rows, heads_rows, prior_rows, restart_rows
from unabases.paper.report.figures.cubic_gap import draw_cubic_gap, draw_heads, draw_prior, draw_restarts


def test_the_prior_figure_has_functions_above_and_the_posterior_below():
    figure = draw_prior(prior_rows())
    assert len(figure.axes) == 4
    assert len(figure.axes[0].lines) == 12 + 1  # functions and data
    assert "1.00 in the gap" in figure.axes[1].get_title()
    assert "mean" in figure.axes[2].get_legend_handles_labels()[1]


def test_the_heads_figure_counts_its_heads():
    figure = draw_heads(heads_rows())
    assert figure.axes[0].get_title() == "LUNA (paper): 20 auxiliary heads"
    assert figure.axes[0].get_ylim() == figure.axes[1].get_ylim()


def test_cubic_gap_has_a_panel_for_each_method_in_the_order_of_the_tables():
    figure = draw_cubic_gap(cubic_rows())
    titles = [ax.get_title().splitlines()[0] for ax in figure.axes if ax.axison]
    assert titles == REGRESSORS


def test_restarts_have_a_row_for_each_setting_and_at_most_six_columns():
    figure = draw_restarts(restart_rows(n=8), "regularisation")
    assert len(figure.axes) == 4 * 6
    assert figure.axes[1].texts[0].get_text() == "EURC +60.0 %"
    assert figure.axes[6].get_ylabel().startswith("γ = 0.1")


def test_without_curves_nothing_is_drawn():
    rows = [row._replace(curves={}) for row in (*prior_rows(), *heads_rows(), *cubic_rows(), *restart_rows(1))]
    assert draw_prior(rows) is draw_heads(rows) is draw_cubic_gap(rows) is draw_restarts(rows, "width") is None
