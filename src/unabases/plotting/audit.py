"""Pictures of an audit, drawn from records of what to show."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from unabases.plotting.style import literal, plain_axes, plain_log

__all__ = ["Familiarity", "GroupChanges", "RiskCurve", "audit_figure", "draw_familiarity", "draw_groups", "draw_risk"]

NAMED, OTHER, REFERENCE = "#b2182b", "#2166ac", "#888888"


class Familiarity(NamedTuple):
    """Epistemic stds of audited rows and of rows like the training data."""

    target: str
    std: Float[np.ndarray, " n"]
    reference_std: Float[np.ndarray, " m"]
    threshold: float
    """Rows above it are named; infinite if none are."""


class GroupChanges(NamedTuple):
    """Relative epistemic std of groups: 0.2 means 20 % above the training data."""

    labels: list[str]
    relative: Float[np.ndarray, " g"]
    lower: Float[np.ndarray, " g"]
    upper: Float[np.ndarray, " g"]
    training: Float[np.ndarray, " g"]
    """The same of training rows in each group; NaN if there are none."""
    named: Bool[np.ndarray, " g"]
    as_multiples: bool
    """Draw multiples of training on a logarithmic axis instead of changes in per cent."""


class RiskCurve(NamedTuple):
    """Mean absolute error of the share of rows that the model is surest of."""

    target: str
    kept: Float[np.ndarray, " k"]
    mae: Float[np.ndarray, " k"]


Panel = Familiarity | GroupChanges | RiskCurve


def audit_figure(*panels: Panel, width: float = 4.0) -> Figure:
    """Draw records side by side, each by the function for its kind.

    Parameters
    ----------
    *panels : Familiarity, GroupChanges or RiskCurve
        What to draw.
    width : float
        Width of a panel in inches.

    Returns
    -------
    Figure
        A figure that belongs to no window.

    Examples
    --------
    >>> curve = RiskCurve("age", np.array([0.5, 1.0]), np.array([1.0, 2.0]))
    >>> audit_figure(curve).axes[0].get_title()
    'Error of the rows kept'
    """
    height = max([3.4, *(0.9 + 0.26 * len(panel.labels) for panel in panels if isinstance(panel, GroupChanges))])
    figure = Figure(figsize=(width * len(panels), height), layout="constrained")
    for ax, panel in zip(np.atleast_1d(figure.subplots(1, len(panels))), panels, strict=True):
        if isinstance(panel, Familiarity):
            draw_familiarity(ax, panel)
        elif isinstance(panel, GroupChanges):
            draw_groups(ax, panel)
        else:
            draw_risk(ax, panel)
    return figure


def draw_familiarity(ax: Axes, data: Familiarity) -> Axes:
    """Draw how the epistemic std is distributed among audited rows and among rows like the training data."""
    both = np.concatenate([data.std, data.reference_std])
    low, high = np.quantile(both, [0.001, 0.999])
    low, high = (low, high) if low > 0 and high > low else (both.min() or 1e-12, both.max() * (1 + 1e-9))
    edges = np.geomspace(max(low, 1e-12), max(high, low * 1.001), 41)
    for values, colour, label in (
        (data.reference_std, REFERENCE, "like the training data"),
        (data.std, OTHER, "audited"),
    ):
        weights = np.full(len(values), 1 / len(values))
        ax.hist(np.clip(values, edges[0], edges[-1]), edges, weights=weights, color=colour, alpha=0.55, label=label)
    if np.isfinite(data.threshold):
        ax.axvline(data.threshold, color=NAMED, linestyle="--", linewidth=1.2, label="rows beyond are named")
    plain_axes(ax)
    if edges[-1] > 10 * edges[0]:
        plain_log(ax.xaxis)
    ax.set(xlabel=f"epistemic std of {literal(data.target)}", ylabel="share of rows", title="How familiar the rows are")
    ax.legend(fontsize=8)
    return ax


def draw_groups(ax: Axes, data: GroupChanges) -> Axes:
    """Draw the epistemic std of each group relative to training, with intervals; named groups are red."""
    places = np.arange(len(data.labels))[::-1]
    unit, base = (1.0, 1.0) if data.as_multiples else (100.0, 0.0)
    numbers = (data.relative, data.lower, data.upper, data.training)
    relative, lower, upper, familiar = (base + unit * values for values in numbers)
    colours = [NAMED if named else OTHER for named in data.named]
    ax.axvline(base, color="#444444", linewidth=1)
    ends = (np.where(np.isnan(end), relative, end) for end in (lower, upper))
    ax.hlines(places, *ends, colors=colours)
    ax.scatter(relative, places, c=colours, s=24, zorder=3)
    ax.scatter(familiar, places, facecolors="none", edgecolors=REFERENCE, s=30, zorder=2, label="same value, training")
    plain_axes(ax)
    ax.set_yticks(places, [literal(_short(label)) for label in data.labels], fontsize=8)
    if np.isfinite(familiar).any():
        ax.legend(fontsize=8, loc="lower right")
    if data.as_multiples:
        plain_log(ax.xaxis)
    words = "epistemic std, training = 1" if data.as_multiples else "epistemic std relative to training, %"
    ax.set(xlabel=words, title="Values of columns")
    return ax


def draw_risk(ax: Axes, data: RiskCurve) -> Axes:
    """Draw the error of the rows that the model is surest of against their share."""
    plain_axes(ax).plot(100 * data.kept, data.mae, color=OTHER)
    ax.axhline(float(data.mae[-1]), color=REFERENCE, linewidth=1, linestyle=":", label="all rows")
    ax.set(
        xlabel="rows kept, surest first, %",
        ylabel=f"mean absolute error of {literal(data.target)}",
        title="Error of the rows kept",
        xlim=(0, 100),
        ylim=(0, None),
    )
    ax.legend(fontsize=8)
    return ax


def _short(text: str, most: int = 44) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
