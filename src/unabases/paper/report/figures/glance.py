"""The figures of the first screen: one small picture for each of the five findings, with the paper's values in it."""

import statistics
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from unabases.paper.methods import LUNA, LUNA_DEFAULTS, LUNA_PAPER, NLM_MAP, NLM_MARGINAL, NLM_MLE, UNA, VANILLA
from unabases.paper.report.claims.uci import Place, beside_median
from unabases.paper.report.detail_tables import share_that_knows
from unabases.paper.report.figures.record import FigureSpec, Picture, look, new_figure
from unabases.paper.report.figures.transfer import draw_transfer_scores, transfer_scores
from unabases.paper.report.lunas import is_baseline
from unabases.paper.report.method_tables import MethodTable, all_method_tables, verdict_counts
from unabases.paper.report.paper_values import paper_table
from unabases.paper.report.rows import Results, by_method, summary_of
from unabases.paper.report.verdicts import AGREES, BETTER, MIXED, NOT_COMPARABLE, ONE_RUN, WORSE
from unabases.plotting import percent_axis, plain_axes
from unabases.plotting.style import FAINT

__all__ = ["GLANCES", "Glance", "all_glances"]

_SIZE = (4.6, 3.0)
_RESTARTED = (LUNA_PAPER, LUNA, LUNA_DEFAULTS, UNA, VANILLA, NLM_MLE, NLM_MAP, NLM_MARGINAL)
_BEHIND_BARS = "#e8e8e8"
_VERDICTS = {
    **{AGREES: "#0b5a3c", BETTER: "#56b4e9", MIXED: "#cc79a7", WORSE: "#d55e00"},
    **{ONE_RUN: "#f0e442", NOT_COMPARABLE: "#bbbbbb", "not run": "#eeeeee"},
}


class Glance(NamedTuple):
    """A small figure and its words: a heading, a description, where the details are, and how it is drawn."""

    name: str
    title: str
    alt: str
    more: str
    draw: Callable[[Results], Figure | None]


def all_glances(results: Results) -> list[Picture]:
    """Draw those for which there are rows."""
    drawn = [(glance, glance.draw(results)) for glance in GLANCES]
    return [Picture(_spec(glance), "", figure) for glance, figure in drawn if figure is not None]


def _spec(glance: Glance) -> FigureSpec:
    return FigureSpec(glance.name, glance.title, "", glance.alt, "", lambda rows: None)


def draw_shares(results: Results) -> Figure | None:
    """How many restarts know of the gap, a bar for each method."""
    parts = by_method([*results.of("consistency"), *results.of("our-restarts")])
    shown = [method for method in _RESTARTED if method in parts][::-1]
    if not shown:
        return None
    figure = new_figure(*_SIZE)
    ax = plain_axes(figure.subplots())
    for place, method in enumerate(shown):
        share = share_that_knows(parts[method])
        ax.barh(place, 1, color=_BEHIND_BARS, height=0.6)
        ax.barh(place, share.count / share.total, color=look(method).colour, height=0.6)
        ax.annotate(str(share), (1.02, place), va="center", fontsize=8, annotation_clip=False)
    ax.set_yticks(range(len(shown)), labels=shown, fontsize=8)
    ax.set(xlim=(0, 1), xticks=[0, 0.5, 1])
    ax.set_xticklabels(["0", "half", "all"])
    ax.set_xlabel("restarts that know of the gap", fontsize=9)
    return figure


_IN_GAPS = {LUNA_PAPER: "the paper's, here", LUNA: "our LUNA", UNA: "UNA"}


def draw_gap_sets(results: Results) -> Figure | None:
    """EURC of the paper's LUNA as printed and here, and of ours, on each gap set."""
    parts = by_method([*results.of("uci-gap"), *results.of("our-gap-sets")])
    if not set(_IN_GAPS) & set(parts):
        return None
    figure, datasets = new_figure(*_SIZE), paper_table(1).datasets[::-1]
    ax, ends = plain_axes(figure.subplots()), [0.0]
    ax.axvline(0, color=FAINT, linewidth=1)
    for place, dataset in enumerate(datasets):
        cell = paper_table(1).cells[LUNA_PAPER, dataset, ""]
        if cell.mean is not None and cell.std is not None:
            ends += _mark(ax, place + 0.3, cell.mean, cell.std, FAINT, "o", "printed" if not place else "", hollow=True)
        for nth, (label, words) in enumerate(_IN_GAPS.items()):
            own, style = summary_of(parts.get(label, []), "eurc", dataset), look(label)
            if own.n:
                said = words if not place else ""
                ends += _mark(ax, place + 0.1 - 0.2 * nth, own.mean, own.std, style.colour, style.marker, said)
    ax.set_yticks(range(len(datasets)), labels=datasets, fontsize=8)
    percent_axis(ax, min(ends), max(ends)).set_xlabel("EURC: less sure in the gap →", fontsize=9)
    ax.tick_params(axis="x", labelsize=8)
    figure.legend(loc="outside lower center", ncols=4, fontsize=7, frameon=False)
    return figure


def _mark(
    ax: Axes, height: float, mean: float, std: float, colour: str, marker: str, label: str = "", hollow: bool = False
) -> list[float]:
    """Draw mean ± std at a height; what it reaches to on both sides."""
    spread = 0.0 if np.isnan(std) else std
    fill: dict[str, Any] = {"mfc": "white"} if hollow else {}
    ax.errorbar(mean, height, xerr=spread, color=colour, marker=marker, markersize=5, label=label or None, **fill)
    return [mean - spread, mean + spread]


_FITS = {
    "outside the gap": ("uci-gap", "rmse", Place(2, "not gap")),
    "in the gap": ("uci-gap", "rmse_gap", Place(2, "gap")),
    "ordinary splits": ("uci-standard", "rmse", Place(6)),
}


def draw_fit(results: Results) -> Figure | None:
    """Error of the paper's LUNA as a multiple of the median baseline's, here and as printed."""
    if not any(results.of(experiment) for experiment, _, _ in _FITS.values()):
        return None
    figure = new_figure(*_SIZE)
    ax = plain_axes(figure.subplots())
    ax.axvline(1, color=FAINT, linewidth=1)
    for place, (experiment, score, where) in enumerate(reversed(_FITS.values())):
        table = paper_table(where.table)
        for dataset in table.datasets:
            here = beside_median(results.of(experiment), score, dataset)
            told = {name: table.cells[name, dataset, where.region].mean for name in table.methods}
            known = {name: mean for name, mean in told.items() if mean is not None}
            ours = None if here is None else here.own / here.middle
            printed: dict[str, Any] = {"mfc": "white", "color": FAINT}
            for ratio, offset, style in ((_over_median(known), 0.15, printed), (ours, -0.15, {})):
                if ratio is not None:
                    colour: dict[str, Any] = {"color": look(LUNA_PAPER).colour} | style
                    ax.plot(ratio, place + offset, "o", markersize=6, alpha=0.85, **colour)
    ax.plot([], [], "o", color=FAINT, mfc="white", label="printed")
    ax.plot([], [], "o", color=look(LUNA_PAPER).colour, label="the paper's LUNA, here")
    ax.set_yticks(range(len(_FITS)), labels=list(_FITS)[::-1], fontsize=8)
    ax.set_ylim(-0.5, len(_FITS) - 0.3)
    ax.set_xlabel("error / median baseline's; a mark for each data set", fontsize=9)
    figure.legend(loc="outside lower center", ncols=2, fontsize=7, frameon=False)
    return figure


def _over_median(means: dict[str, float]) -> float | None:
    others = [mean for name, mean in means.items() if is_baseline(name)]
    return means[LUNA_PAPER] / statistics.median(others) if LUNA_PAPER in means and others else None


def draw_features(results: Results) -> Figure | None:
    """Log-likelihood in the gap against the number of features."""
    scores = transfer_scores(results.of("transfer"))
    if not scores:
        return None
    figure = new_figure(*_SIZE)
    draw_transfer_scores(figure.subplots(), scores)
    return figure


def draw_verdicts(results: Results) -> Figure | None:
    """How the numbers of each of the paper's tables compare with ours, as shares of a bar."""
    tables = [table for table in all_method_tables(results) if table.spec.table is not None]
    if not any(table.run for table in tables):
        return None
    figure = new_figure(*_SIZE)
    ax = plain_axes(figure.subplots())
    _draw_bars(ax, tables[::-1])
    figure.legend(loc="outside lower center", ncols=4, fontsize=7, frameon=False)
    return figure


def _draw_bars(ax: Axes, tables: Sequence[MethodTable]) -> None:
    for place, table in enumerate(tables):
        counts, begin = verdict_counts([table]), 0.0
        total = sum(counts.values())
        for word, colour in _VERDICTS.items():
            share = counts[word] / total
            ax.barh(place, share, left=begin, color=colour, height=0.7, label=word if not place else None)
            if share > 0.08:
                dark = word in (AGREES, WORSE)
                middle = begin + share / 2
                ax.text(middle, place, str(counts[word]), ha="center", va="center", fontsize=7, color="wk"[not dark])
            begin += share
    names = [f"{table.spec.table}: {table.spec.title.rpartition(': ')[2]}" for table in tables]
    ax.set_yticks(range(len(tables)), labels=names, fontsize=8)
    ax.set(xlim=(0, 1), xticks=[])


GLANCES: tuple[Glance, ...] = (
    Glance(
        "restarts",
        "Every restart?",
        "Bars for the share of restarts that know of the gap, by method; the table of consistency gives the numbers.",
        "consistency",
        draw_shares,
    ),
    Glance(
        "gap-sets",
        "Less sure in the gap?",
        "EURC of LUNA as printed, of the paper's LUNA run here and of ours on six data sets; table 1 has the numbers.",
        "table-1",
        draw_gap_sets,
    ),
    Glance(
        "fit",
        "At what cost in error?",
        "The error of the paper's LUNA as a multiple of the median baseline's, printed and here; see tables 2 and 6.",
        "table-2",
        draw_fit,
    ),
    Glance(
        "transfer",
        "Features that carry over?",
        "Log-likelihood in the gap against the number of features for each method; the table of transfer has them.",
        "transfer",
        draw_features,
    ),
    Glance(
        "verdicts",
        "All numbers of the paper?",
        "A bar for each table of the paper: how many of its numbers agree, are better, worse or not comparable.",
        "tables",
        draw_verdicts,
    ),
)
"""One for each finding, in their order."""
