"""The look that all pictures share: plain axes, a few colours, and marks that differ without colour too."""

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

from unabases.datasets.user_text import printable

__all__ = ["Look", "literal", "looks_for", "percent_axis", "plain_axes"]

GRID, FAINT, DATA = "#dddddd", "#777777", "#222222"
MEAN, EPISTEMIC, TOTAL, TRUTH = "#08306b", "#2166ac", "#b9d3ea", "#d6604d"


class Look(NamedTuple):
    """How something with a name is drawn wherever it appears.

    Parameters
    ----------
    colour, marker, line
        Colour, marker and line style, in Matplotlib's terms.
    width
        Line width in points.
    """

    colour: str
    marker: str = "o"
    line: Any = "-"
    width: float = 1.2

    def keywords(self, marker_size: float = 4.0) -> dict[str, Any]:
        """Keyword arguments for `Axes.plot`."""
        drawn = {"color": self.colour, "marker": self.marker, "linestyle": self.line}
        return {**drawn, "linewidth": self.width, "markersize": marker_size}


_LOOKS = tuple(
    Look(colour, marker, line)
    for colour, marker, line in zip(
        ("#d55e00", "#0072b2", "#009e73", "#000000", "#cc79a7", "#e69f00", "#56b4e9", "#8c2d04"),
        ("o", "^", "s", "D", "*", "P", "v", "X"),
        ("-", "-.", "--", ":", "-", "-.", "--", ":"),
        strict=True,
    )
)  # hues of Okabe and Ito (2008), which colour-blind readers can tell apart


def looks_for(labels: Iterable[str]) -> dict[str, Look]:
    """Give each label a look of its own, in order; after eight they repeat.

    Parameters
    ----------
    labels
        Names of what is drawn, such as methods.

    Returns
    -------
    dict
        A `Look` for each label.

    Examples
    --------
    >>> looks_for(["LUNA", "GP"])["GP"].colour
    '#0072b2'
    """
    return {label: _LOOKS[place % len(_LOOKS)] for place, label in enumerate(dict.fromkeys(labels))}


def literal(text: Any) -> str:
    r"""Write text of a user, such as the name of a column, so that Matplotlib draws it as it is.

    Parameters
    ----------
    text
        The text. Dollar signs would otherwise start a formula.

    Returns
    -------
    str
        The text to give to Matplotlib.

    Examples
    --------
    >>> print(literal(r"$\frac{$"))
    \$\frac{\$
    """
    return printable(text).replace("$", r"\$")


def plain_axes(ax: Axes) -> Axes:
    """Remove the frame above and to the right, and draw pale grid lines behind the data.

    Parameters
    ----------
    ax
        Axes to change.
    """
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(color=GRID, linewidth=0.6)
    ax.set_axisbelow(True)
    return ax


_CHANGES = (-1.0, -0.5, 0.0, 0.5, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)


def percent_axis(ax: Axes, low: float, high: float) -> Axes:
    """Make the horizontal axis one of relative changes in per cent, logarithmic beyond ±100 %.

    Parameters
    ----------
    ax
        Axes to change.
    low, high
        Smallest and largest change to show, as ratios: 1.0 is +100 %.
    """
    ax.set_xscale("symlog", linthresh=1.0)
    width = high - low
    low, high = min(low - 0.06 * min(width, 2.0), -0.05), max(high + 0.06 * width, 0.05)
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
