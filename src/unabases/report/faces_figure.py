"""The picture of the faces: how much less sure a model is about people whom its training data lacks."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes

from unabases.experiments.results import Row
from unabases.report.look import plain_axes

__all__ = ["FacesPanel", "draw_faces", "faces_panels"]

GROUPS = {
    "faces-men": {"train": "men, trained on", "test": "other men", "gap": "women"},
    "faces-ages": {"train": "trained on", "test": "other ages below 30, above 40", "gap": "ages 30 to 40"},
}
_LOOKS = {"train": ("#777777", ":"), "test": ("#0072b2", "-."), "gap": ("#d55e00", "-")}


class FacesPanel(NamedTuple):
    """What one panel shows: epistemic std relative to its mean over the training rows, at equally spaced shares."""

    title: str
    note: str
    labels: Mapping[str, str]
    relative: dict[str, Float[np.ndarray, " q"]]


def faces_panels(rows: Sequence[Row], dataset: str) -> list[FacesPanel]:
    """A panel for each method whose curves were stored, in the order of the rows."""
    panels = []
    for row in rows:
        if row.dataset != dataset or row.failed or "gap" not in row.curves:
            continue
        typical = row.scores["epistemic_train"]
        relative = {name: np.asarray(row.curves[name], dtype=np.float64) / typical for name in _LOOKS}
        note = (
            f"{100 * row.scores['rise_gap']:+.0f} % against {100 * row.scores['rise']:+.0f} %, "
            f"AUROC {row.scores['auroc']:.2f}"
        )
        panels.append(FacesPanel(row.method, note, GROUPS[dataset], relative))
    return panels


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
