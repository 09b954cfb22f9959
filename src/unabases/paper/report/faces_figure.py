"""The picture of the faces: how much less sure a model is about people whom its training data lacks."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from unabases.paper.report.gathered import by_method
from unabases.paper.report.look import plain_axes
from unabases.paper.store import Row

__all__ = ["FacesPanel", "draw_all_faces", "draw_faces", "faces_panels"]

GROUPS = {
    "faces-men": {"train": "men, trained on", "test": "other men", "gap": "women"},
    "faces-ages": {"train": "trained on", "test": "others like them", "gap": "ages 30 to 40"},
}
COLUMNS = 5
_LOOKS = {"train": ("#777777", ":"), "test": ("#0072b2", "-."), "gap": ("#d55e00", "-")}


class FacesPanel(NamedTuple):
    """What one panel shows: epistemic std relative to its mean over the training rows, at equally spaced shares."""

    title: str
    note: str
    labels: Mapping[str, str]
    relative: dict[str, Float[np.ndarray, " q"]]


def faces_panels(rows: Sequence[Row], dataset: str) -> list[FacesPanel]:
    """A panel for each method whose curves were stored, in the order of the tables but LUNA's first."""
    own = [row for row in rows if row.dataset == dataset and not row.failed and "gap" in row.curves]
    ordered = [row for part in by_method(own).values() for row in part]
    panels = []
    for row in sorted(ordered, key=lambda row: not row.method.startswith("LUNA")):
        typical = row.scores["epistemic_train"]
        relative = {name: np.asarray(row.curves[name], dtype=np.float64) / typical for name in _LOOKS}
        note = (
            f"{round(100 * row.scores['rise_gap']):+d} % against {round(100 * row.scores['rise']):+d} %, "
            f"AUROC {row.scores['auroc']:.2f}"
        )
        panels.append(FacesPanel(row.method, note, GROUPS[dataset], relative))
    return panels


def draw_all_faces(figure: Figure, rows: Sequence[Row], columns: int = COLUMNS) -> Figure:
    """Draw the panels of both data sets, one above the other; those of one share the horizontal axis."""
    blocks = [panels for dataset in GROUPS if (panels := faces_panels(rows, dataset))]
    heights = [-(-len(panels) // columns) for panels in blocks]
    parts = figure.subfigures(len(blocks), 1, squeeze=False, height_ratios=heights)[:, 0]
    for part, panels, height in zip(parts, blocks, heights, strict=True):
        inner = np.concatenate([values[2:-2] for panel in panels for values in panel.relative.values()])
        axes = part.subplots(height, min(columns, len(panels)), squeeze=False).ravel()
        for place, (ax, panel) in enumerate(zip(axes, panels, strict=False)):
            draw_faces(ax, panel).set_xlim(0.98 * inner.min(), 1.02 * inner.max())
            if place % columns:
                ax.set_ylabel("")
        for ax in axes[len(panels) :]:
            ax.axis("off")
    return figure


def draw_faces(ax: Axes, panel: FacesPanel) -> Axes:
    """Draw the share of rows whose epistemic std is below a multiple of the training rows' mean."""
    plain_axes(ax)
    for name, values in panel.relative.items():
        colour, line = _LOOKS[name]
        style: dict[str, Any] = {"color": colour, "linestyle": line}
        ax.plot(values, np.linspace(0, 1, len(values)), label=panel.labels[name], **style)
    inner = np.concatenate([values[1:-1] for values in panel.relative.values()])
    ax.set(xlim=(0.98 * inner.min(), 1.02 * inner.max()), ylim=(0, 1))
    ax.set_xlabel("epistemic std, training rows = 1")
    ax.set_ylabel("share of people below")
    ax.set_title(f"{panel.title}\n{panel.note}", fontsize=10)
    ax.legend(fontsize=7, loc="lower right")
    return ax
