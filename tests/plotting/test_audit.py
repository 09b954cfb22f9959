import numpy as np
import pytest

from unabases.plotting.audit import Familiarity, GroupChanges, RiskCurve, audit_figure, draw_familiarity, draw_groups

STD = np.random.default_rng(0).gamma(2.0, size=200)


def changes(n=3, as_multiples=False):
    relative = np.linspace(0.5, -0.1, n)
    labels = [f"cost = ${i}$ " + "x" * 60 for i in range(n)]
    training = np.full(n, np.nan)
    return GroupChanges(labels, relative, relative - 0.1, relative + 0.1, training, relative > 0.4, as_multiples)


@pytest.fixture
def ax():
    from matplotlib.figure import Figure

    return Figure().add_subplot()


def test_a_figure_has_a_panel_for_each_record_and_grows_with_the_groups():
    curve = RiskCurve("y", np.array([0.5, 1.0]), np.array([1.0, 2.0]))
    figure = audit_figure(Familiarity("y", STD, STD, np.inf), changes(24), curve)
    titles = ["How familiar the rows are", "Values of columns", "Error of the rows kept"]
    assert [ax.get_title() for ax in figure.axes] == titles
    assert figure.get_figheight() > audit_figure(changes(3)).get_figheight() == 3.4


@pytest.mark.parametrize(("threshold", "lines"), [(np.inf, 0), (3.0, 1)])
def test_shares_of_rows_sum_to_one_and_the_threshold_is_drawn(ax, threshold, lines):
    draw_familiarity(ax, Familiarity("y", STD, STD[:50], threshold))
    heights = [sum(bar.get_height() for bar in bars) for bars in ax.containers]
    assert heights == pytest.approx([1, 1])
    assert len(ax.lines) == lines


def test_stds_that_are_all_equal_can_be_drawn(ax):
    draw_familiarity(ax, Familiarity("y", np.ones(5), np.ones(5), np.inf))
    assert ax.get_xscale() == "linear"


def test_labels_are_short_and_make_no_formulas(ax):
    draw_groups(ax, changes())
    texts = [label.get_text() for label in ax.get_yticklabels()]
    assert all(r"\$" in text and text.endswith("…") for text in texts)


@pytest.mark.parametrize(("as_multiples", "scale", "first"), [(True, "log", 1.5), (False, "linear", 50.0)])
def test_changes_are_drawn_in_per_cent_or_as_multiples(ax, as_multiples, scale, first):
    draw_groups(ax, changes(as_multiples=as_multiples))
    assert ax.get_xscale() == scale
    assert np.asarray(ax.collections[1].get_offsets())[0, 0] == pytest.approx(first)
