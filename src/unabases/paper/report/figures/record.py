"""What a figure of the report is: its words, and how it is drawn; and what all of them share."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure, FigureBase

from unabases.paper.methods import GP, LUNA, LUNA_PAPER, UNA, find_method
from unabases.paper.report.rows import command
from unabases.paper.store import Row
from unabases.plotting import Look, figure_bytes
from unabases.plotting.style import FAINT, OTHERS

__all__ = ["SHOWN", "FigureSpec", "Picture", "look", "new_figure", "panels_of", "quiet_look"]

SHOWN = (LUNA, LUNA_PAPER, UNA, GP)  # in colour where there are many methods


class FigureSpec(NamedTuple):
    """A figure and its words.

    Parameters
    ----------
    name, title, caption
        Its name in files and links, its heading, and the text below it.
    alt
        A description for readers who do not see it.
    experiment, draw
        Whose rows it shows, and the function that draws them; that returns None if the rows it needs are missing.
    ours
        An experiment with our own models on the same data, whose rows it shows too.
    """

    name: str
    title: str
    caption: str
    alt: str
    experiment: str
    draw: Callable[[Sequence[Row]], Figure | None]
    ours: str = ""


class Picture(NamedTuple):
    """A drawn figure and what it was drawn from; `figure` is None if the rows it needs are missing."""

    spec: FigureSpec
    about: str
    figure: Figure | None

    def instead(self) -> str:
        """Why there is no figure and what to run to get one; empty if there is one."""
        if self.figure is not None:
            return ""
        run = f"run `{command(self.spec.experiment)}`, then `unabases report`"
        if self.about.startswith("not run"):
            return f"Not drawn: {self.spec.experiment} was not run. To get it, {run}."
        return (
            f"Not drawn: the rows of {self.spec.experiment} were stored without the curves it needs. To get it, {run}."
        )

    def image(self, kind: str = "png") -> bytes:
        """The figure as a file of this kind; the same rows give the same bytes."""
        assert self.figure is not None, "there is nothing to draw yet"
        image = figure_bytes(self.figure, kind, dpi=130)
        self.figure.set_layout_engine("none")  # settled by now: other kinds have the same layout, in half the time
        return image


def look(label: str) -> Look:
    """How a method is drawn; grey if it is not in the registry."""
    try:
        method = find_method(label)
    except ValueError:
        return Look(FAINT, ".")
    return Look(method.colour, method.marker, method.line, 2.2 if label in (LUNA, LUNA_PAPER, UNA) else 1.2)


def quiet_look(label: str) -> Look:
    """How a method is drawn among many others: LUNA, UNA and the Gaussian process as always, all others grey."""
    own = label in SHOWN or any(label.startswith(f"{name}, ") for name in SHOWN)
    return look(label) if own else Look(OTHERS, "", "-", 1.0)


def new_figure(width: float, height: float) -> Figure:
    """An empty figure whose panels make room for each other; in inches."""
    return Figure(figsize=(width, height), layout="constrained")


def panels_of(figure: FigureBase, n: int, columns: int, share: bool = True) -> list[Axes]:
    """Make n panels, so many in a row at most; only the leftmost and the lowest ones keep their axis labels."""
    columns = min(columns, n)
    axes = figure.subplots(-(-n // columns), columns, sharex=share, sharey=share, squeeze=False)
    for place, ax in enumerate(axes.flat):
        ax.set_axis_on() if place < n else ax.set_axis_off()
        if place + columns >= n:
            ax.tick_params(labelbottom=True)
    return list(axes.flat)[:n]
