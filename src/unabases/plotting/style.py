"""The look that all pictures share: plain axes, a few colours, and marks that differ without colour too."""

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

from unabases.datasets.user_text import printable

__all__ = ["Look", "end_labels", "literal", "looks_for", "percent_axis", "plain_axes", "plain_log"]

GRID, FAINT, DATA, OTHERS = "#dddddd", "#777777", "#222222", "#a0a6ad"
MEAN, EPISTEMIC, TOTAL, TRUTH = "#08306b", "#2166ac", "#b9d3ea", "#d6604d"
OURS = {"LUNA": "#d55e00", "UNA": "#c2185b"}  # their own wherever they appear


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


_OURS = {"LUNA": Look(OURS["LUNA"], "o", "-", 2.2), "UNA": Look(OURS["UNA"], "s", "-", 2.2)}


def looks_for(labels: Iterable[str]) -> dict[str, Look]:
    """Give each label a look of its own, in order; after eight they repeat. LUNA and UNA always have the same.

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
    names = list(dict.fromkeys(labels))
    taken = {_OURS[name].colour for name in names if name in _OURS}
    free = [look for look in _LOOKS if look.colour not in taken]
    others = [name for name in names if name not in _OURS]
    given = {name: free[place % len(free)] for place, name in enumerate(others)}
    return {name: _OURS.get(name) or given[name] for name in names}


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


_STEPS = ((2.0, (1.0,)), (0.7, (1.0, 2.0, 5.0)), (0.0, (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0)))  # ticks, by decades shown


def plain_log(axis: Axis) -> Axis:
    """Make an axis logarithmic with ticks in plain numbers: 0.001, not a power of ten.

    Parameters
    ----------
    axis
        The axis to change: `ax.xaxis` or `ax.yaxis`, after everything is drawn.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> ax.set_ylim(0.4, 12)
    (0.4, 12.0)
    >>> formatter = plain_log(ax.yaxis).get_major_formatter()
    >>> formatter(0.5), formatter(10.0), formatter(20000.0)
    ('0.5', '10', '20,000')
    """
    (axis.axes.set_xscale if axis is axis.axes.xaxis else axis.axes.set_yscale)("log")
    low, high = axis.get_view_interval()
    decades = math.log10(high / low) if high > low > 0 else 1.0
    steps = next(steps for least, steps in _STEPS if decades >= least)
    axis.set_major_locator(LogLocator(subs=steps, numticks=8))
    axis.set_major_formatter(FuncFormatter(lambda value, _: _plain(value)))
    axis.set_minor_formatter(NullFormatter())
    return axis


def _plain(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else np.format_float_positional(float(f"{value:.6g}"), trim="-")


def end_labels(ax: Axes, ends: Iterable[tuple[float, str, str]], size: float = 8.0) -> Axes:
    """Write the name of each line beside its end, to the right of the axes, so that no legend is needed.

    Names are moved apart where lines end near each other; a thin line leads from each end to its name.

    Parameters
    ----------
    ax
        Axes whose lines are drawn and whose limits and scales are set.
    ends
        For each line, the height at which it ends, its name and its colour.
    size
        Font size in points.
    """
    given = sorted(ends, key=lambda end: end[0])
    if not given:
        return ax
    figure = ax.get_figure(root=True)
    assert figure is not None, "axes belong to a figure"
    inches = figure.get_size_inches()[1] * ax.get_position().height
    step = 1.25 * size / 72 / max(inches, 0.1)
    right, _ = ax.get_xlim()[1], ax.get_ylim()  # settles the limits
    to_axes = ax.transData + ax.transAxes.inverted()
    wanted = [float(to_axes.transform((right, height))[1]) for height, _, _ in given]
    for (_, name, colour), at, place in zip(given, wanted, _apart(wanted, step), strict=True):
        ax.plot([1.0, 1.03], [at, place], transform=ax.transAxes, color=colour, linewidth=0.7, clip_on=False)
        ax.text(1.04, place, literal(name), transform=ax.transAxes, color=colour, fontsize=size, va="center")
    return ax


def _apart(wanted: list[float], step: float) -> list[float]:
    """Places near the wanted ones, in the same order, that are at least a step apart: groups that touch are centred."""
    groups: list[list[float]] = []
    for place in wanted:
        groups.append([place])
        while len(groups) > 1 and _top(groups[-2], step) + step > _top(groups[-1], step) - step * (len(groups[-1]) - 1):
            last = groups.pop()
            groups[-1] += last
    return [_top(group, step) - step * (len(group) - 1 - i) for group in groups for i in range(len(group))]


def _top(group: list[float], step: float) -> float:
    return sum(group) / len(group) + step * (len(group) - 1) / 2


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
