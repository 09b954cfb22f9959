"""Every table of the paper as small multiples: one panel for each data set, ours and the paper's side by side."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from unabases.paper.report.figures.record import FigureSpec, look, new_figure, panels_of
from unabases.paper.report.method_tables import METHOD_TABLES, MethodTable, MethodTableSpec, make_method_table
from unabases.paper.report.rows import gather
from unabases.paper.report.verdicts import NOT_COMPARABLE
from unabases.paper.store import Row
from unabases.plotting import percent_axis, plain_axes, plain_log
from unabases.plotting.style import FAINT

__all__ = ["BESIDE_FIGURES", "draw_beside"]

_COLUMNS = 3
_AXES = {
    **{"eurc": "EURC", "rmse": "RMSE", "log_likelihood": "log-likelihood", "epistemic": "epistemic std"},
    "regret": "regret",
}
_WIDE = 20.0  # times the smallest regret: beyond, the axis is logarithmic
_LEAST = 1e-4  # regret below which a logarithmic axis tells nothing


def draw_beside(rows: Sequence[Row], spec: MethodTableSpec) -> Figure | None:
    """One panel for each column of a table: our mean ± std, and the paper's as a hollow mark below it."""
    table = make_method_table(spec, gather(rows))
    if not table.run:
        return None
    columns = sorted(table.columns, key=lambda column: list(spec.scores).index(column[1]))  # regions one after another
    lines = -(-len(columns) // _COLUMNS)
    figure = new_figure(11.0, lines * (0.2 * len(table.methods) + 0.75) + 0.4)
    for place, (ax, column) in enumerate(zip(panels_of(figure, len(columns), _COLUMNS, False), columns, strict=True)):
        _draw_column(plain_axes(ax), table, column)
        ax.set_yticklabels(table.methods[::-1] if place % _COLUMNS == 0 else [])
        ax.set_title(", ".join(word for word in column if word), fontsize=10)
        if place + _COLUMNS >= len(columns):
            ax.set_xlabel(_AXES[spec.quantity])
    title = "filled: here; hollow grey: the paper; mean ± std"
    figure.suptitle(f"{title}{', logarithmic beyond ±100 %' if table.quantity.percent else ''}", fontsize=10)
    return figure


def _draw_column(ax: Axes, table: MethodTable, column: tuple[str, str]) -> None:
    ends = [0.0] if table.quantity.percent else []
    for place, method in enumerate(table.methods[::-1]):
        cell, own = table.cell(method, column), look(method)
        filled: dict[str, Any] = {"color": own.colour, "marker": own.marker, "capsize": 2}
        hollow: dict[str, Any] = {"color": FAINT, "marker": own.marker, "mfc": "white", "elinewidth": 0.8}
        told = None if cell.verdict is not None and cell.verdict.word == NOT_COMPARABLE else cell.paper
        for height, value, style in ((place + 0.15, cell.ours, filled), (place - 0.2, told, hollow)):
            if value is None or value.mean is None or not np.isfinite(value.mean):
                continue
            spread = value.std if value.std is not None and np.isfinite(value.std) else 0.0
            ax.errorbar(value.mean, height, xerr=spread, markersize=5, **style)
            ends += [value.mean - spread, value.mean + spread]
    ax.set_yticks(range(len(table.methods)))
    ax.set_ylim(-0.6, len(table.methods) - 0.4)  # the same in all panels, whose lines share their names
    ax.tick_params(labelsize=8)
    if table.quantity.percent:
        ax.axvline(0, color=FAINT, linewidth=1)
        percent_axis(ax, min(ends), max(ends))
    elif table.spec.quantity == "regret" and max(ends) > _WIDE * max(_LEAST, min(map(abs, ends))):
        plain_log(ax.xaxis)
        ax.set_xlim(left=max(_LEAST, ax.get_xlim()[0]))


def _spec(spec: MethodTableSpec) -> FigureSpec:
    said = "" if spec.table != 1 else "Above 0 a method is less sure in the gap than outside it. "
    return FigureSpec(
        "eurc" if spec.table == 1 else f"beside-{spec.name}",
        f"Table {spec.table} as a picture. {spec.title}",
        f"{said}A number of the paper that is not comparable is left out; the table says why.",
        "One panel for each data set with the mean and std of each method, ours filled and the paper's hollow.",
        spec.experiment,
        partial(draw_beside, spec=spec),
        spec.ours,
    )


BESIDE_FIGURES = tuple(_spec(spec) for spec in METHOD_TABLES if spec.table is not None)
