"""The figure of searches has a column for each problem."""

from tests.paper.report.synthetic import bayesopt_rows
from unabases.paper.report.figures.searches import draw_searches, problems


def test_there_is_a_column_for_each_problem_in_the_papers_order_and_one_legend():
    rows = bayesopt_rows()
    figure = draw_searches([*reversed(rows), rows[0]._replace(failed="no", curves={})])
    titles = [ax.get_title() for ax in figure.axes]
    assert titles == ["branin\n10 searches per method", "svm\n3 searches per method", "", ""]
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == ["NLM, MAP", "LUNA", "Random search", "LUNA in the paper, at the end"]
    assert figure.axes[0].lines[-1].get_ydata()[0] == 0.01  # printed for Branin
    assert list(problems(rows)) == ["branin", "svm"]


def test_searches_that_failed_or_have_no_curves_are_not_drawn():
    rows = [row._replace(curves={}) for row in bayesopt_rows()]
    assert problems(rows) == {}
    assert draw_searches(rows) is None
