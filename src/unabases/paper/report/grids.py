"""Tables of methods against data sets, as data: our mean ± std, the paper's figure, and the verdict."""

from collections import Counter
from typing import NamedTuple

import pandas as pd

from unabases.paper.report.gathered import Results, by_method, ordered_methods, summary_of
from unabases.paper.report.paper_values import PaperValue, paper_table
from unabases.paper.report.quantities import QUANTITIES, Quantity, Summary, text
from unabases.paper.report.verdicts import Verdict, compare_with_paper

__all__ = ["GRIDS", "Cell", "Grid", "GridSpec", "all_grids", "make_grid", "verdict_counts"]


class GridSpec(NamedTuple):
    """Which scores of which experiment a table shows, and which table of the paper stands beside them."""

    name: str
    title: str
    experiment: str
    quantity: str
    scores: dict[str, str]
    """The score of each region."""
    table: int | None = None
    like: int | None = None
    """Not a table of the paper's: the one whose data sets are shown, and its figures beside methods that it has too."""


_GAP = ("not gap", "gap")
GRIDS: tuple[GridSpec, ...] = (
    GridSpec("table-1", "UCI gap sets: EURC", "uci-gap", "eurc", {"": "eurc"}, 1),
    GridSpec("table-2", "UCI gap sets: RMSE", "uci-gap", "rmse", dict(zip(_GAP, ("rmse", "rmse_gap"), strict=True)), 2),
    GridSpec(
        "table-3",
        "UCI gap sets: log-likelihood",
        "uci-gap",
        "log_likelihood",
        dict(zip(_GAP, ("log_likelihood", "log_likelihood_gap"), strict=True)),
        3,
    ),
    GridSpec("table-4", "Bayesian optimisation: regret", "bayesopt", "regret", {"": "regret"}, 4),
    GridSpec("table-5", "Standard UCI: log-likelihood", "uci-standard", "log_likelihood", {"": "log_likelihood"}, 5),
    GridSpec("table-6", "Standard UCI: RMSE", "uci-standard", "rmse", {"": "rmse"}, 6),
    GridSpec(
        "table-7",
        "UCI gap sets: epistemic uncertainty",
        "uci-gap",
        "epistemic",
        dict(zip(_GAP, ("epistemic", "epistemic_gap"), strict=True)),
        7,
    ),
    GridSpec(
        "crps-gap",
        "UCI gap sets: CRPS",
        "uci-gap",
        "crps",
        dict(zip(_GAP, ("crps", "crps_gap"), strict=True)),
        like=2,
    ),
    GridSpec("search-eurc", "Searched models: EURC", "gap-search", "eurc", {"": "eurc"}, like=1),
    GridSpec("search-rmse", "Searched models: RMSE off the gap", "gap-search", "rmse", {"not gap": "rmse"}, like=2),
    GridSpec(
        "search-log-likelihood",
        "Searched models: log-likelihood off the gap",
        "gap-search",
        "log_likelihood",
        {"not gap": "log_likelihood"},
        like=3,
    ),
    GridSpec(
        "search-epistemic",
        "Searched models: epistemic uncertainty",
        "gap-search",
        "epistemic",
        dict(zip(_GAP, ("epistemic", "epistemic_gap"), strict=True)),
        like=7,
    ),
    GridSpec("crps-standard", "Standard UCI: CRPS", "uci-standard", "crps", {"": "crps"}, like=6),
)
"""Every table of this kind, in the order of the report."""


class Cell(NamedTuple):
    """One method on one data set."""

    ours: Summary
    paper: PaperValue | None
    verdict: Verdict | None


class Grid(NamedTuple):
    """A table: rows are methods, columns pairs of data set and region."""

    spec: GridSpec
    quantity: Quantity
    about: str
    run: bool
    methods: tuple[str, ...]
    columns: tuple[tuple[str, str], ...]
    cells: dict[tuple[str, str, str], Cell]

    def cell(self, method: str, column: tuple[str, str]) -> Cell:
        """The cell of a method in a column."""
        return self.cells[method, *column]

    def ours(self, cell: Cell) -> str:
        """Our figure as text, with the number of fits that failed."""
        if cell.ours.n == 0:
            return f"failed ({cell.ours.failed})" if cell.ours.failed else "not run"
        shown = text(cell.ours.mean, cell.ours.std, self.quantity.percent)
        return f"{shown} ({cell.ours.failed} failed)" if cell.ours.failed else shown

    def theirs(self, cell: Cell) -> str:
        """The paper's figure as text; empty where its table has no such cell."""
        if cell.paper is None:
            return ""
        if cell.paper.mean is None or cell.paper.std is None:
            return "N/A"
        printed = None if self.quantity.percent else 2  # no digits that the paper does not give
        return text(cell.paper.mean, cell.paper.std, self.quantity.percent, printed)

    def missing(self) -> list[str]:
        """Cells of methods and data sets without any row, by name; a method without any row is named once."""
        lacking = {
            method: list(
                dict.fromkeys(d for d, region in self.columns if self.cells[method, d, region].ours[2:] == (0, 0))
            )
            for method in self.methods
        }
        everything = len({dataset for dataset, _ in self.columns})
        return [
            method if len(datasets) == everything else f"{method} on {', '.join(datasets)}"
            for method, datasets in lacking.items()
            if datasets
        ]

    def frame(self) -> pd.DataFrame:
        """A row a cell, with numbers: what the CSV file holds."""
        lines = []
        for method in self.methods:
            for dataset, region in self.columns:
                cell = self.cells[method, dataset, region]
                lines.append(
                    {
                        "table": self.spec.name,
                        "method": method,
                        "dataset": dataset,
                        "region": region,
                        "score": self.spec.scores[region],
                        "mean": cell.ours.mean,
                        "std": cell.ours.std,
                        "n": cell.ours.n,
                        "failed": cell.ours.failed,
                        "paper_mean": None if cell.paper is None else cell.paper.mean,
                        "paper_std": None if cell.paper is None else cell.paper.std,
                        "verdict": "" if cell.verdict is None else cell.verdict.word,
                        "why": "" if cell.verdict is None else cell.verdict.why,
                    }
                )
        return pd.DataFrame(lines)

    def shown(self) -> pd.DataFrame:
        """A row a method, with text: our figure alone, for a terminal."""
        names = [f"{dataset}, {region}" if region else dataset for dataset, region in self.columns]
        lines = [
            [method, *(self.ours(self.cell(method, column)) for column in self.columns)] for method in self.methods
        ]
        return pd.DataFrame(lines, columns=pd.Index(["method", *names]))


def make_grid(spec: GridSpec, results: Results) -> Grid:
    """Fill a table from stored rows."""
    rows = results.of(spec.experiment)
    paper = paper_table(spec.table or spec.like or 1)
    quantity = QUANTITIES[spec.quantity]
    own = by_method(rows)
    methods = ordered_methods([*(paper.methods if spec.table or not own else ()), *own])
    known = list(paper.datasets)
    datasets = [*known, *(name for name in Counter(row.dataset for row in rows) if name not in known)]
    columns = tuple((dataset, region) for dataset in datasets for region in spec.scores)
    cells, counts = {}, set()
    for method in methods:
        for dataset, region in columns:
            part = [row for row in own.get(method, ()) if row.dataset == dataset]
            ours = summary_of(part, spec.scores[region])
            same = method if spec.table else method.removesuffix(", between")  # its LUNA stands beside both of ours
            printed = paper.cells.get((same, dataset, region)) if paper.quantity == spec.quantity else None
            verdict = None if printed is None else compare_with_paper(ours, printed, quantity)
            cells[method, dataset, region] = Cell(ours, printed, verdict)
            if part:
                counts.add(len(part))
    about = results.about(spec.experiment)
    if counts:
        least, most = min(counts), max(counts)
        about += f"; {least if least == most else f'{least} to {most}'} a cell"
    return Grid(spec, quantity, about, bool(rows), tuple(methods), columns, cells)


def all_grids(results: Results) -> list[Grid]:
    """Every table, run or not."""
    return [make_grid(spec, results) for spec in GRIDS]


def verdict_counts(grids: list[Grid]) -> dict[str, int]:
    """How often each verdict was given in the paper's tables; `not run` counts its cells without one."""
    counts = Counter(
        "not run" if cell.verdict is None else cell.verdict.word
        for grid in grids
        if grid.spec.table is not None
        for cell in grid.cells.values()
        if cell.paper is not None
    )
    return dict(counts)
