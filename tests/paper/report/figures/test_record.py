"""What all figures of the report share."""

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from unabases.paper.methods import LUNA, METHODS
from unabases.paper.report.figures.record import FigureSpec, Picture, look, panels_of


def test_every_method_has_a_look_of_its_own_without_colour():
    looks = [look(label) for label in METHODS]
    assert len({own.marker for own in looks}) == len({own.colour for own in looks}) == len(METHODS)
    for own in looks:
        assert np.dot(to_rgb(own.colour), (0.2126, 0.7152, 0.0722)) < 0.75  # seen on white
    assert look("something else") == look("another")


def test_a_variant_is_drawn_like_its_method_and_lunas_lines_are_wider():
    assert look("NLM, MAP, γ = 10") == look("NLM, MAP")
    assert look(LUNA).width > look("GP").width


def test_panels_fill_rows_and_free_places_are_empty():
    figure = Figure()
    assert len(panels_of(figure, 7, 5)) == 7
    assert [ax.axison for ax in figure.axes] == [True] * 7 + [False] * 3
    assert len(panels_of(Figure(), 2, 5)) == 2


def test_a_picture_that_is_missing_says_why_and_what_to_run():
    spec = FigureSpec("a", "A", "", "", "uci-gap", lambda rows: None)
    assert "was not run. To get it, run `unabases reproduce uci-gap`" in Picture(spec, "not run yet", None).instead()
    assert "stored without the curves" in Picture(spec, "profile quick", None).instead()
    assert Picture(spec, "", Figure()).instead() == ""


def test_a_picture_is_the_same_in_every_kind_of_file():
    spec = FigureSpec("a", "A", "", "", "uci-gap", lambda rows: None)
    figure = Figure(layout="constrained")
    figure.subplots().plot([1, 2])
    picture = Picture(spec, "", figure)
    assert picture.image() == picture.image()
    assert picture.image("pdf").startswith(b"%PDF")
