"""One look for all figures: a colour, a marker and a line for each method, told apart in grey too."""

import math
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

__all__ = ["FAINT", "GRID", "LOOKS", "Look", "look", "plain_axes", "relative_axis"]

GRID, FAINT = "#dddddd", "#777777"


class Look(NamedTuple):
    """How a method is drawn. Families share a hue; markers differ for all."""

    colour: str
    marker: str
    line: Any  # solid, dashed, ..., or a pair of an offset and dashes


LOOKS: dict[str, Look] = {
    "LUNA": Look("#d55e00", "o", "-"),
    "LUNA, between": Look("#8c2d04", "s", "--"),
    "NLM, MAP": Look("#0072b2", "^", "-."),
    "NLM, MLE": Look("#56b4e9", "v", ":"),
    "NLM, marginal": Look("#08306b", "<", (0, (1, 1))),
    "NLM, MAP, γ = 0": Look("#56b4e9", "v", ":"),
    "NLM, MAP, γ = 10": Look("#0072b2", "^", "-."),
    "GP": Look("#000000", "D", "-"),
    "BNN, HMC": Look("#555555", "X", "--"),
    "Linearised Laplace": Look("#999999", "h", "-."),
    "Vanilla ensemble": Look("#009e73", ">", "-"),
    "Bootstrap ensemble": Look("#66c2a5", "p", "--"),
    "Anchored ensemble": Look("#00523b", "d", ":"),
    "MC dropout": Look("#e69f00", "P", (0, (5, 1))),
    "Mean-field VI": Look("#a6761d", "x", (0, (3, 1, 1, 1))),
    "SNGP": Look("#cc79a7", "*", (0, (4, 2))),
    "RFF SNGP": Look("#882255", "+", (0, (2, 2))),
    "Random search": Look("#b0b0b0", "1", ":"),
    "Optuna TPE": Look("#5e3c99", "2", "-."),
    "Optuna GP": Look("#a88bd0", "3", "--"),
}
"""The hues are those of Okabe and Ito (2008), which colour-blind readers tell apart."""

_OTHER = Look(FAINT, ".", "-")


def look(method: str) -> Look:
    """The look of a method; grey for one that is not listed."""
    return LOOKS.get(method, _OTHER)


def plain_axes(ax: Axes) -> Axes:
    """No frame above and right, pale lines behind the data."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(color=GRID, linewidth=0.6)
    ax.set_axisbelow(True)
    return ax


_CHANGES = (-1.0, -0.5, 0.0, 0.5, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)


def relative_axis(ax: Axes, low: float, high: float) -> Axes:
    """A horizontal axis of relative changes in per cent, logarithmic beyond ±100 %, that holds `low` to `high`."""
    ax.set_xscale("symlog", linthresh=1.0)
    width = high - low
    low, high = min(low - 0.06 * width, -0.05), max(high + 0.06 * width, 0.05)
    high = high * 1.3 if high > 1 else high
    ticks = [value for value in _CHANGES if low <= value <= high]
    if high <= 1:
        for step in (0.05, 0.1, 0.2, 0.5):
            ticks = [step * place for place in range(math.ceil(low / step), math.floor(high / step) + 1)]
            if len(ticks) <= 6:
                break
    ax.set_xticks(ticks, labels=[f"{100 * value:+,.0f} %" if value else "0" for value in ticks])
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_xlim(low, high)
    return ax
