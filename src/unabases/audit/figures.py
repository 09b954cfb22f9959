"""Pictures of an audit, drawn on given axes."""

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from unabases.audit.result import MULTIPLE, AuditResult, group_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["audit_figure", "draw_familiarity", "draw_risk", "draw_values", "figure_of"]

NAMED, OTHER, REFERENCE, GRID = "#b2182b", "#2166ac", "#888888", "#dddddd"
MOST_VALUES = 24  # in a picture


def audit_figure(result: AuditResult) -> Any:
    """All pictures side by side."""
    panels = [draw_familiarity, draw_values, *([] if result.risk is None else [draw_risk])]
    return figure_of(result, *panels, width=5.0)


def figure_of(result: AuditResult, *panels: Any, width: float = 7.0) -> Any:
    """A figure with a panel for each drawing function."""
    from matplotlib.figure import Figure

    height = max(3.4, 0.9 + 0.26 * min(len(result.values), MOST_VALUES)) if draw_values in panels else 3.4
    figure = Figure(figsize=(width * len(panels), height), layout="constrained")
    for ax, draw in zip(np.atleast_1d(figure.subplots(1, len(panels))), panels, strict=True):
        draw(ax, result)
    return figure


def draw_familiarity(ax: "Axes", result: AuditResult) -> "Axes":
    """Distribution of the epistemic std among audited rows and reference rows."""
    both = np.concatenate([result.std, result.reference_std])
    low, high = np.quantile(both, [0.001, 0.999])
    low, high = (low, high) if low > 0 and high > low else (both.min() or 1e-12, both.max() * (1 + 1e-9))
    edges = np.geomspace(max(low, 1e-12), max(high, low * 1.001), 41)
    for values, colour, label, alpha in (
        (result.reference_std, REFERENCE, "like the training data", 0.55),
        (result.std, OTHER, "audited", 0.55),
    ):
        weights = np.full(len(values), 1 / len(values))
        ax.hist(np.clip(values, edges[0], edges[-1]), edges, weights=weights, color=colour, alpha=alpha, label=label)
    if np.isfinite(result.row_threshold):
        ax.axvline(result.row_threshold, color=NAMED, linestyle="--", linewidth=1.2, label="rows beyond are named")
    if edges[-1] > 10 * edges[0]:
        ax.set_xscale("log")
    ax.set(
        xlabel=f"epistemic std of {_plain(result.target)}", ylabel="share of rows", title="How familiar the rows are"
    )
    ax.legend(fontsize=8)
    return ax


def draw_values(ax: "Axes", result: AuditResult) -> "Axes":
    """Epistemic std of each value relative to the reference rows, with intervals; what is named in red."""
    table: Any = result.values[result.values["rows"] > 0].head(MOST_VALUES)
    places = np.arange(len(table))[::-1]
    numbers = (table[name].to_numpy(dtype=float) for name in ("relative", "lower", "upper", "relative_training"))
    relative, lower, upper, familiar = numbers
    wide = len(table) > 0 and max(relative.max(), np.nanmax(upper, initial=0.0)) >= MULTIPLE - 1
    unit, base = (1.0, 1.0) if wide else (100.0, 0.0)  # multiples of training, or changes in per cent
    relative, lower, upper, familiar = (base + unit * values for values in (relative, lower, upper, familiar))
    colours = [NAMED if named else OTHER for named in table["named"]]
    ax.axvline(base, color="#444444", linewidth=1)
    ends = (np.where(np.isnan(end), relative, end) for end in (lower, upper))
    ax.hlines(places, *ends, colors=colours)
    ax.scatter(relative, places, c=colours, s=24, zorder=3)
    ax.scatter(familiar, places, facecolors="none", edgecolors=REFERENCE, s=30, zorder=2, label="same value, training")
    ax.set_yticks(places, [_plain(_short(group_name(line))) for line in table.to_dict("records")], fontsize=8)
    ax.grid(axis="x", color=GRID, linewidth=0.6)
    ax.set_axisbelow(True)
    if np.isfinite(familiar).any():
        ax.legend(fontsize=8, loc="lower right")
    if wide:
        ax.set_xscale("log")
    ax.set(
        xlabel="epistemic std, training = 1" if wide else "epistemic std relative to training, %",
        title="Values of columns",
    )
    return ax


def draw_risk(ax: "Axes", result: AuditResult) -> "Axes":
    """Error of the rows that the model is surest of, against their share."""
    risk: pd.DataFrame = result.risk if result.risk is not None else pd.DataFrame({"kept": [], "mae": []})
    ax.plot(100 * risk["kept"], risk["mae"], color=OTHER)
    ax.axhline(float(risk["mae"].iloc[-1]), color=REFERENCE, linewidth=1, linestyle=":", label="all rows")
    ax.set(
        xlabel="rows kept, surest first, %",
        ylabel=f"mean absolute error of {_plain(result.target)}",
        title="Error of the rows kept",
        xlim=(0, 100),
        ylim=(0, None),
    )
    ax.legend(fontsize=8)
    return ax


def _short(text: str, most: int = 44) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _plain(text: str) -> str:
    """Text in which a dollar sign does not begin a formula."""
    return text.replace("$", r"\$")
