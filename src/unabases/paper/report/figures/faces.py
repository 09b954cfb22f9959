"""The figure of the faces: how much less sure a model is about people missing from its training data."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter

from unabases.paper.methods import LUNA, ordered
from unabases.paper.report.figures.record import FigureSpec, new_figure, panels_of
from unabases.paper.report.rows import by_method
from unabases.paper.store import Row
from unabases.plotting import plain_axes
from unabases.plotting.style import FAINT, OTHERS

__all__ = ["FACES_FIGURE", "RISES_FIGURE", "FacesPanel", "draw_all_faces", "draw_faces", "draw_rises", "faces_panels"]

GROUPS = {
    "faces-men": {"train": "men, trained on", "test": "other men", "gap": "women"},
    "faces-ages": {"train": "trained on", "test": "others like them", "gap": "ages 30 to 40"},
}
_COLUMNS = 3
_LOOKS = {"train": ("#777777", ":"), "test": ("#0072b2", "-."), "gap": ("#b2182b", "-")}


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
    """Draw the panels of both data sets, one above the other, with one legend each and one horizontal axis."""
    blocks = {dataset: panels for dataset in GROUPS if (panels := faces_panels(rows, dataset))}
    if not blocks:
        return None
    across = min(_COLUMNS, max(map(len, blocks.values())))
    heights = [-(-len(panels) // across) for panels in blocks.values()]
    figure = new_figure(3.6 * across + 0.3, 3.3 * sum(heights))
    parts = figure.subfigures(len(blocks), 1, squeeze=False, height_ratios=heights)[:, 0]
    for part, panels in zip(parts, blocks.values(), strict=True):
        lows, highs = zip(*(panel.limits(trim=2) for panel in panels), strict=True)
        axes = panels_of(part, len(panels), across, False)
        for place, (ax, panel) in enumerate(zip(axes, panels, strict=True)):
            draw_faces(ax, panel).set_xlim(min(lows), max(highs))
            if place % across:
                ax.set_ylabel("")
        axes[0].legend(fontsize=9, loc="lower right", framealpha=0.9)
    return figure


def draw_faces(ax: Axes, panel: FacesPanel) -> Axes:
    """Draw the share of rows whose epistemic std is below a multiple of the training rows' mean."""
    plain_axes(ax)
    for name, values in panel.relative.items():
        style: dict[str, Any] = dict(zip(("color", "linestyle"), _LOOKS[name], strict=True))
        ax.plot(values, np.linspace(0, 1, len(values)), label=panel.labels[name], **style)
    ax.set(xlim=panel.limits(), ylim=(0, 1), xlabel="epistemic std, training rows = 1", ylabel="share of people below")
    ax.set_title(f"{panel.title}\n{panel.note}", fontsize=11)
    return ax


def draw_rises(rows: Sequence[Row]) -> Figure | None:
    """A panel for each data set: how much less sure each method is about new people of either kind, split by split."""
    fine = [row for row in rows if not row.failed and row.scores.get("rise_gap") is not None]
    parts = {dataset: part for dataset in GROUPS if (part := [row for row in fine if row.dataset == dataset])}
    if not parts:
        return None
    methods = ordered(row.method for row in fine)[::-1]
    figure = new_figure(2.6 + 4.6 * len(parts), 0.4 * len(methods) + 1.5)
    axes = figure.subplots(1, len(parts), sharex=True, sharey=True, squeeze=False)[0]
    for ax, (dataset, part) in zip(axes, parts.items(), strict=True):
        _draw_rises(plain_axes(ax), part, methods, GROUPS[dataset])
    axes[0].set_yticks(range(len(methods)), labels=methods, fontsize=10)
    for label, method in zip(axes[0].get_yticklabels(), methods, strict=True):
        label.set_fontweight("bold" if method.startswith(LUNA) else "normal")
    return figure


def _draw_rises(ax: Axes, rows: Sequence[Row], methods: Sequence[str], names: Mapping[str, str]) -> None:
    ax.axvline(0, color=FAINT, linewidth=1)
    for height, method in enumerate(methods):
        own = [row.scores for row in rows if row.method == method]
        if not own:
            continue
        alike, missing = (np.array([scores[name] for scores in own]) for name in ("rise", "rise_gap"))
        ax.plot([alike.mean(), missing.mean()], [height, height], color=OTHERS, linewidth=1)
        ax.plot(alike, np.full(len(alike), height), "o", color=_LOOKS["test"][0], mfc="white", markersize=6)
        ax.plot(missing, np.full(len(missing), height), "o", color=_LOOKS["gap"][0], markersize=6, mew=0, alpha=0.7)
        auroc = np.mean([scores["auroc"] for scores in own])
        ax.text(1.02, height, f"{auroc:.2f}", transform=ax.get_yaxis_transform(), va="center", fontsize=9)
    ax.text(1.02, len(methods) - 0.3, "AUROC", transform=ax.get_yaxis_transform(), va="center", fontsize=8, color=FAINT)
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:+.3g} %" if round(value, 6) else "0"))
    ax.set_xlabel("epistemic std relative to training rows")
    handles = [
        Line2D([], [], marker="o", linestyle="", color=_LOOKS["test"][0], mfc="white", label=names["test"]),
        Line2D([], [], marker="o", linestyle="", color=_LOOKS["gap"][0], label=f"{names['gap']}, not trained on"),
    ]
    ax.legend(handles=handles, loc="lower right", bbox_to_anchor=(1, 1), ncols=2, fontsize=9, frameon=False)


RISES_FIGURE = FigureSpec(
    "faces-rises",
    "Faces: who notices who is missing",
    "How much less sure each method is about new people than about those it was trained on: rings for people like "
    "these, dots for people missing from training, one for each split. The further a dot lies right of the rings, the "
    "better a method notices. AUROC says how well the epistemic std tells the two apart: 0.5 is chance.",
    "One panel for each data set and one row for each method, with a ring and a dot for each split; the table of faces "
    "gives the numbers.",
    "faces",
    draw_rises,
)
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
