"""One look for all figures: a colour, a marker, a line and a hatch for each method, told apart in grey too."""

from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

__all__ = ["FAINT", "GRID", "LOOKS", "Look", "handle", "look", "plain_axes"]

GRID, FAINT = "#dddddd", "#777777"


class Look(NamedTuple):
    """How a method is drawn. Families share a hue; within one, marker, line and hatch differ."""

    colour: str
    marker: str
    line: Any  # solid, dashed, ..., or a pair of an offset and dashes
    hatch: str


LOOKS: dict[str, Look] = {
    "LUNA": Look("#d55e00", "o", "-", ""),
    "LUNA, between": Look("#8c2d04", "s", "--", "//"),
    "NLM, MAP": Look("#0072b2", "^", "-.", "\\\\"),
    "NLM, MLE": Look("#56b4e9", "v", ":", ".."),
    "NLM, marginal": Look("#08306b", "<", (0, (1, 1)), "xx"),
    "NLM, MAP, γ = 0": Look("#56b4e9", "v", ":", ".."),
    "NLM, MAP, γ = 10": Look("#0072b2", "^", "-.", "\\\\"),
    "GP": Look("#000000", "D", "-", ""),
    "BNN, HMC": Look("#555555", "d", "--", "++"),
    "Linearised Laplace": Look("#999999", "p", "-.", "--"),
    "Vanilla ensemble": Look("#009e73", ">", "-", "||"),
    "Bootstrap ensemble": Look("#66c2a5", "h", "--", "oo"),
    "Anchored ensemble": Look("#00523b", "8", ":", "**"),
    "MC dropout": Look("#e69f00", "P", (0, (5, 1)), "\\"),
    "Mean-field VI": Look("#a6761d", "X", (0, (3, 1, 1, 1)), "/"),
    "SNGP": Look("#cc79a7", "*", (0, (4, 2)), "x"),
    "RFF SNGP": Look("#882255", "H", (0, (2, 2)), "+"),
}
"""The hues are those of Okabe and Ito (2008), which colour-blind readers tell apart."""

_OTHER = Look(FAINT, ".", "-", "")


def look(method: str) -> Look:
    """The look of a method; grey for one that is not listed."""
    return LOOKS.get(method, _OTHER)


def handle(method: str) -> Line2D:
    """What a legend shows of a method."""
    own = look(method)
    return Line2D([], [], color=own.colour, marker=own.marker, linestyle=own.line, label=method)


def plain_axes(ax: Axes) -> Axes:
    """No frame above and right, pale lines behind the data."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(color=GRID, linewidth=0.6)
    ax.set_axisbelow(True)
    return ax
