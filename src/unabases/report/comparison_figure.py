"""The picture of all methods on the Cubic Gap data."""

from matplotlib.figure import Figure

from unabases.experiments import Comparison
from unabases.report.gap_figure import draw_gap, gap_panel

_COLUMNS = 5


def comparison_figure(result: Comparison) -> Figure:
    """A panel a method, five in a row, on one scale; titles give the spread on the data and in the gap."""
    labels = list(result.curves)
    rows = -(-len(labels) // _COLUMNS)
    figure = Figure(figsize=(3.1 * _COLUMNS, 2.9 * rows), layout="constrained")
    axes = figure.subplots(rows, _COLUMNS, sharex=True, sharey=True, squeeze=False)
    truth = result.data.function(result.grid[:, 0])
    first = result.rows[result.rows["seed"] == result.rows["seed"].iloc[0]].set_index("method")
    for ax, label in zip(axes.flat, labels, strict=False):
        own = first.loc[label]
        note = f"{own['epistemic_data']:.1f} on the data, {own['epistemic_gap']:.1f} in the gap"
        panel = gap_panel(label, result.grid, result.curves[label], note)
        draw_gap(ax, panel, result.data.X_train, result.data.y_train, result.data.gap, truth)
        ax.set_xlabel("")
    for ax in axes.flat[len(labels) :]:
        ax.set_axis_off()
    axes[0, 0].set_ylim(-110.0, 110.0)
    for ax in axes[:, 0]:
        ax.set_ylabel("y")
    for i, ax in enumerate(axes.flat[: len(labels)]):
        if i + _COLUMNS >= len(labels):  # nothing below
            ax.set_xlabel("x")
            ax.tick_params(labelbottom=True)
    handles, names = axes[0, 0].get_legend_handles_labels()
    if len(labels) < axes.size:
        axes.flat[-1].legend(handles, names, loc="center", fontsize=9, frameon=False)
    else:
        axes[0, 0].legend(handles, names, fontsize=6)
    figure.suptitle("y = x³ + noise of std 3, no data for −2 < x < 2; titles: mean epistemic std", fontsize=11)
    return figure
