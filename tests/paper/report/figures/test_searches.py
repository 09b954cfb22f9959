"""The figure of searches has a column for each problem."""

from tests.paper.report.synthetic import bayesopt_rows
from unabases.paper.report.figures.searches import draw_ends, draw_searches, problems
from unabases.plotting.style import OTHERS, OURS


def test_there_is_a_block_for_each_problem_in_the_papers_order_with_names_at_the_ends():
    rows = bayesopt_rows()
    figure = draw_searches([*reversed(rows), rows[0]._replace(failed="no", curves={})])
    regret, seconds, other, _ = figure.axes
    assert [regret.get_title(), other.get_title()] == ["Branin", "Support vector machine"]
    assert (regret.get_ylabel(), seconds.get_ylabel()) == ("regret", "seconds per\nevaluation")
    assert other.get_ylabel() == "error, %"  # it has no known minimum to be above
    names = {text.get_text(): text.get_color() for text in regret.texts}
    assert names == {
        "LUNA in the paper, at the end": "#777777",
        "LUNA (10)": OURS["LUNA"],
        "NLM, MAP (10)": OTHERS,
        "Random search (10)": OTHERS,
    }
    assert any(line.get_ydata()[0] == 0.01 for line in regret.lines)  # printed for Branin
    assert len(regret.collections) == 1  # LUNA's band alone
    assert list(problems(rows)) == ["branin", "svm"]


def test_ends_need_no_curves_and_show_every_search():
    rows = [row._replace(curves={}) for row in bayesopt_rows()]
    left, right = draw_ends([*rows, rows[0]._replace(failed="no")]).axes
    assert [left.get_title(), right.get_title()] == ["Branin", "Support vector machine"]
    assert [left.get_xlabel(), right.get_xlabel()] == ["above the minimum, at the end", "error at the end, %"]
    assert [left.get_xscale(), right.get_xscale()] == ["log", "linear"]
    assert [label.get_text() for label in left.get_yticklabels()] == ["Random search", "LUNA", "NLM, MAP"]
    regrets = [row.scores["regret"] for row in rows if (row.dataset, row.method) == ("branin", "LUNA")]
    drawn = next(line for line in left.lines if line.get_color() == OURS["LUNA"])
    assert sorted(drawn.get_xdata()) == sorted(regrets)
    assert [text.get_text() for text in right.texts] == ["3", "3", "3", "n"]
    dotted = [[line.get_linestyle() for line in ax.lines].count(":") for ax in (left, right)]
    assert dotted == [1, 0]  # the paper's number for svm cannot be compared
    assert draw_ends([]) is None


def test_searches_that_failed_or_have_no_curves_are_not_drawn():
    rows = [row._replace(curves={}) for row in bayesopt_rows()]
    assert problems(rows) == {}
    assert draw_searches(rows) is None
