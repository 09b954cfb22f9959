"""The shared look: marks and colours that differ, and axes that read well."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from unabases.paper.methods import METHODS
from unabases.plotting import (
    Look,
    end_labels,
    figure_bytes,
    literal,
    looks_for,
    percent_axis,
    plain_axes,
    plain_log,
)
from unabases.plotting.style import OURS


def test_looks_differ_in_colour_and_in_marker_and_show_on_white():
    looks = looks_for("abcdefgh")
    assert len({look.colour for look in looks.values()}) == len({look.marker for look in looks.values()}) == 8
    for look in looks.values():
        assert np.dot(to_rgb(look.colour), (0.2126, 0.7152, 0.0722)) < 0.75


def test_a_label_that_comes_twice_has_one_look_and_the_ninth_has_the_first_ones():
    looks = looks_for(["a", "b", "a", *"cdefghi"])
    assert looks["b"] == looks_for("ab")["b"]
    assert looks["i"] == looks["a"]


def test_a_look_becomes_what_matplotlib_takes():
    line = Figure().subplots().plot([0, 1], **Look("#ff0000", "s", "--", 2.0).keywords(6.0))[0]
    assert (line.get_color(), line.get_marker(), line.get_linestyle()) == ("#ff0000", "s", "--")
    assert (line.get_linewidth(), line.get_markersize()) == (2.0, 6.0)


def test_plain_axes_have_no_frame_above_and_right():
    ax = plain_axes(Figure().subplots())
    assert [ax.spines[side].get_visible() for side in ("top", "right", "left")] == [False, False, True]


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [(-0.1, 0.3, ["-10 %", "0", "+10 %", "+20 %", "+30 %"]), (-0.2, 4.0, ["0", "+50 %", "+100 %", "+300 %"])],
)
def test_changes_are_in_per_cent_and_the_ends_are_shown(low, high, labels):
    ax = percent_axis(Figure().subplots(), low, high)
    assert [text.get_text() for text in ax.get_xticklabels()] == labels
    assert ax.get_xlim()[0] < low < high < ax.get_xlim()[1]


def test_text_of_a_user_is_drawn_as_it_is():
    figure = Figure()
    for place, text in enumerate((r"$\frac{$", "a$b", r"\$5", "\x1b[31m", "$x$ and $y$")):
        figure.text(0.1, 0.1 * place, literal(text))
    figure_bytes(figure)  # a formula that is none would raise an error
    shown = [text._preprocess_math(text.get_text()) for text in figure.texts]
    assert shown == [(text, False) for text in (r"$\frac{$", "a$b", r"\$5", r"\x1b[31m", "$x$ and $y$")]


def test_luna_and_una_have_their_colours_everywhere():
    looks = looks_for(["GP", "UNA", "other", "LUNA", *"abcdef"])
    for name, colour in OURS.items():
        assert looks[name].colour == looks_for([name])[name].colour == METHODS[name].colour == colour
        assert sum(look.colour == colour for look in looks.values()) == 1


@pytest.mark.parametrize("ends", [(0.0002, 30.0), (0.3, 7.0), (7.0, 13.0)])
def test_logarithmic_axes_have_a_few_ticks_in_plain_numbers(ends):
    figure = Figure()
    ax = figure.subplots()
    ax.set_ylim(*ends)
    plain_log(ax.yaxis)
    figure_bytes(figure)
    shown = [tick.label1.get_text() for tick in ax.yaxis.get_major_ticks() if ends[0] <= tick.get_loc() <= ends[1]]
    assert 2 <= len(shown) <= 8
    assert [float(text.replace(",", "")) for text in shown] == pytest.approx(sorted(float(text) for text in shown))
    assert not any("e" in text or "$" in text for text in shown)


def test_names_at_the_ends_keep_their_order_and_their_distance():
    ax = Figure(figsize=(4, 4)).subplots()
    ax.set(xlim=(0, 1), ylim=(0, 1))
    end_labels(ax, [(0.5, "b", "#111111"), (0.49, "a", "#222222"), (0.51, "$c$", "#333333"), (0.9, "d", "#444444")])
    assert [text.get_text() for text in ax.texts] == ["a", "b", r"\$c\$", "d"]
    heights = [text.get_position()[1] for text in ax.texts]
    assert np.diff(heights).min() > 0.03
    assert np.mean(heights[:3]) == pytest.approx(0.5)
    assert heights[3] == pytest.approx(0.9)
    assert len(end_labels(Figure().subplots(), []).texts) == 0
