"""Models on the Cubic Gap data, from `unabases compare` and `unabases demo`."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from matplotlib.figure import Figure

from unabases.datasets import SyntheticGap
from unabases.paper import Comparison, DemoResult
from unabases.paper.fan import Fan
from unabases.paper.report.figures.record import new_figure
from unabases.plotting import (
    GapData,
    GapPanel,
    draw_functions,
    draw_gap,
    draw_gap_grid,
    gap_panel,
    legend_below,
    plain_axes,
)
from unabases.plotting.style import EPISTEMIC

__all__ = ["COLUMNS", "LIMITS", "comparison_figure", "cubic_gap_grid", "demo_figure", "fan_figure"]

COLUMNS = 5
LIMITS = (-110.0, 110.0)
_TITLE = "y = x³ + noise of std 3, no data for −2 < x < 2; titles: mean epistemic std"


def cubic_gap_grid(panels: Sequence[GapPanel], data: GapData) -> Figure:
    """Draw one panel for each method, five in a row, on one scale."""
    figure = new_figure(3.1 * COLUMNS, 2.9 * -(-len(panels) // COLUMNS) + 0.3)
    draw_gap_grid(figure, panels, data, COLUMNS, LIMITS)
    figure.suptitle(_TITLE, fontsize=11)
    return figure


def comparison_figure(result: Comparison) -> Figure:
    """Draw all methods that were compared; titles give the epistemic std on the data and in the gap."""
    first = result.rows[result.rows["seed"] == result.rows["seed"].iloc[0]].set_index("method")
    panels = []
    for label, curve in result.curves.items():
        own = first.loc[label]
        note = f"{own['epistemic_data']:.1f} on the data, {own['epistemic_gap']:.1f} in the gap"
        panels.append(gap_panel(label, result.grid, curve, note))
    return cubic_gap_grid(panels, _gap_data(result.data, result.grid))


def demo_figure(data: SyntheticGap, grid: Float[np.ndarray, "g 1"], results: Sequence[DemoResult]) -> Figure:
    """Draw the methods of the demonstration side by side; titles give the epistemic std on the data and in the gap."""
    panels = []
    for result in results:
        on_data, in_gap = (result.scores[f"epistemic std, {place}"] for place in ("data", "gap"))
        note = f"{on_data:.1f} on the data, {in_gap:.1f} in the gap"
        panels.append(gap_panel(result.method, grid, result.curve, note))
    figure = new_figure(2.9 * len(panels), 3.6)
    figure.suptitle(_TITLE, fontsize=11)
    return draw_gap_grid(figure, panels, _gap_data(data, grid), len(panels), LIMITS)


def fan_figure(fan: Fan) -> Figure:
    """Draw an ordinary model, the functions that UNA holds possible, and UNA's band, with other seeds behind it."""
    figure = new_figure(9.0, 3.5)
    left, middle, right = figure.subplots(1, 3, sharex=True, sharey=True)
    data, x = _gap_data(fan.data, fan.grid), fan.grid[:, 0]
    draw_gap(left, gap_panel("an ordinary network hardly notices\nwhere it has no data", fan.grid, fan.ordinary), data)
    draw_functions(middle, fan.grid, fan.functions, data)
    middle.set_title("UNA holds many functions possible\nwhere it has seen nothing", fontsize=10)
    first, *others = fan.curves
    draw_gap(right, gap_panel("so it says how unsure it is\n(thin lines: other seeds)", fan.grid, first), data)
    for curve in others:
        for sign in (-2, 2):
            right.plot(x, curve.mean + sign * curve.epistemic_std, color=EPISTEMIC, linewidth=0.8, alpha=0.5)
    for ax in (left, middle, right):
        plain_axes(ax).grid(visible=False)
        ax.set_ylim(*LIMITS)
    left.set_ylabel("y")
    return legend_below(figure, left)


def _gap_data(data: SyntheticGap, grid: Float[np.ndarray, "g 1"]) -> GapData:
    return GapData(data.X_train, data.y_train, data.gap, data.function(grid[:, 0]))
