"""Figures are written whole, in the type that the file's ending names."""

import pytest
from matplotlib.figure import Figure

from unabases.plotting import figure_bytes, save_figure


@pytest.mark.parametrize(("kind", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_the_ending_decides_the_type_and_missing_directories_are_made(tmp_path, kind, start):
    path = save_figure(tmp_path / "new" / f"picture.{kind}", Figure())
    assert path.read_bytes().startswith(start)
    assert list(path.parent.iterdir()) == [path]


def test_the_same_figure_gives_the_same_bytes():
    drawn = [Figure() for _ in range(2)]
    for figure in drawn:
        figure.subplots().plot([1, 2])
    for kind in ("png", "pdf"):
        assert figure_bytes(drawn[0], kind) == figure_bytes(drawn[1], kind)


def test_more_dots_give_a_larger_picture():
    assert len(figure_bytes(Figure(), dpi=200)) > len(figure_bytes(Figure(), dpi=50))


def test_a_figure_that_cannot_be_drawn_leaves_the_old_file(tmp_path):
    path = save_figure(tmp_path / "picture.png", Figure())
    before = path.read_bytes()
    broken = Figure()
    broken.text(0.5, 0.5, r"$\unknowncommand$")
    with pytest.raises(ValueError, match="unknowncommand"):
        save_figure(path, broken)
    assert path.read_bytes() == before
