"""The figure of the faces: how much less sure a model is about people missing from its training data."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from unabases.paper.methods import LUNA
from unabases.paper.report.figures.record import FigureSpec, new_figure, panels_of
from unabases.paper.report.rows import by_method
from unabases.paper.store import Row
from unabases.plotting import plain_axes

__all__ = ["FACES_FIGURE", "FacesPanel", "draw_all_faces", "draw_faces", "faces_panels"]

GROUPS = {
    "faces-men": {"train": "men, trained on", "test": "other men", "gap": "women"},
    "faces-ages": {"train": "trained on", "test": "others like them", "gap": "ages 30 to 40"},
}
_COLUMNS = 5
_LOOKS = {"train": ("#777777", ":"), "test": ("#0072b2", "-."), "gap": ("#d55e00", "-")}


class FacesPanel(NamedTuple):
    """What one panel shows: epistemic std relative to its mean over the training rows, at equally spaced shares."""

    title: str
    note: str
    labels: Mapping[str, str]
    relative: dict[str, Float[np.ndarray, " q"]]

    def limits(self, trim: int = 1) -> tuple[float, float]:
        """Ends of an axis that leaves out the outermost values."""
        inner = np.concatenate([values[trim:-trim] for values in self.relative.values()])
        return 0.98 * float(inner.min()), 1.02 * float(inner.max())


def faces_panels(rows: Sequence[Row], dataset: str) -> list[FacesPanel]:
    """A panel for each method whose curves were stored, in the order of the tables but LUNA first."""
    own = [row for row in rows if row.dataset == dataset and not row.failed and "gap" in row.curves]
    ordered = [row for part in by_method(own).values() for row in part]
    panels = []
    for row in sorted(ordered, key=lambda row: not row.method.startswith(LUNA)):
        typical = row.scores["epistemic_train"]
        relative = {name: np.asarray(row.curves[name], dtype=np.float64) / typical for name in _LOOKS}
        rise, other = (round(100 * row.scores[name]) for name in ("rise_gap", "rise"))
        note = f"{rise:+d} % against {other:+d} %, AUROC {row.scores['auroc']:.2f}"
        panels.append(FacesPanel(row.method, note, GROUPS[dataset], relative))
    return panels


def draw_all_faces(rows: Sequence[Row]) -> Figure | None:
    """Draw the panels of both data sets, one above the other; those of one data set share the horizontal axis."""
    blocks = [panels for dataset in GROUPS if (panels := faces_panels(rows, dataset))]
    if not blocks:
        return None
    heights = [-(-len(panels) // _COLUMNS) for panels in blocks]
    figure = new_figure(2.9 * min(_COLUMNS, max(map(len, blocks))) + 0.3, 2.9 * sum(heights))
    parts = figure.subfigures(len(blocks), 1, squeeze=False, height_ratios=heights)[:, 0]
    for part, panels in zip(parts, blocks, strict=True):
        lows, highs = zip(*(panel.limits(trim=2) for panel in panels), strict=True)
        for place, (ax, panel) in enumerate(zip(panels_of(part, len(panels), _COLUMNS, False), panels, strict=True)):
            draw_faces(ax, panel).set_xlim(min(lows), max(highs))
            if place % _COLUMNS:
                ax.set_ylabel("")
    return figure


def draw_faces(ax: Axes, panel: FacesPanel) -> Axes:
    """Draw the share of rows whose epistemic std is below a multiple of the training rows' mean."""
    plain_axes(ax)
    for name, values in panel.relative.items():
        style: dict[str, Any] = dict(zip(("color", "linestyle"), _LOOKS[name], strict=True))
        ax.plot(values, np.linspace(0, 1, len(values)), label=panel.labels[name], **style)
    ax.set(xlim=panel.limits(), ylim=(0, 1), xlabel="epistemic std, training rows = 1", ylabel="share of people below")
    ax.set_title(f"{panel.title}\n{panel.note}", fontsize=10)
    ax.legend(fontsize=7, loc="lower right")
    return ax


FACES_FIGURE = FigureSpec(
    "faces",
    "Faces: sampling bias",
    "The share of people whose epistemic std is below a multiple of the training rows' mean, in the first split. "
    "Above: trained on men. Below: trained on ages under 30 and over 40. The further right the solid line, the less "
    "sure the model is about people missing from its training data. LUNA is the package's own.",
    "One panel for each method with cumulative shares of people against epistemic std: rows trained on, rows like "
    "them, and people missing from training; the table of faces gives the numbers.",
    "faces",
    draw_all_faces,
)
