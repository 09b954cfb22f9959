"""The picture of all methods on the Cubic Gap data."""

from matplotlib.figure import Figure

from unabases.paper import Comparison
from unabases.paper.report.gap_figure import draw_gap_grid, gap_panel

COLUMNS = 5
LIMITS = (-110.0, 110.0)
TITLE = "y = x³ + noise of std 3, no data for −2 < x < 2; titles: mean epistemic std"


def comparison_figure(result: Comparison) -> Figure:
    """A panel a method, five in a row, on one scale; titles give the spread on the data and in the gap."""
    rows = -(-len(result.curves) // COLUMNS)
    figure = Figure(figsize=(3.1 * COLUMNS, 2.9 * rows), layout="constrained")
    first = result.rows[result.rows["seed"] == result.rows["seed"].iloc[0]].set_index("method")
    panels = []
    for label, curve in result.curves.items():
        own = first.loc[label]
        note = f"{own['epistemic_data']:.1f} on the data, {own['epistemic_gap']:.1f} in the gap"
        panels.append(gap_panel(label, result.grid, curve, note))
    data, truth = result.data, result.data.function(result.grid[:, 0])
    draw_gap_grid(figure, panels, data.X_train, data.y_train, data.gap, truth, COLUMNS, LIMITS)
    figure.suptitle(TITLE, fontsize=11)
    return figure
