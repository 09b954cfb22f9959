"""Tables of methods against data sets: our mean ± std, the number that the paper prints, and the verdict."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import pandas as pd

from unabases.paper.methods import LUNA, LUNA_PAPER, ordered
from unabases.paper.report.epistemic import aims_of
from unabases.paper.report.lunas import which_lunas
from unabases.paper.report.paper_values import PaperValue, paper_table
from unabases.paper.report.rows import Results, Summary, by_method, summary_of
from unabases.paper.report.scores import QUANTITIES, Quantity, mean_std
from unabases.paper.report.verdicts import NOT_COMPARABLE, SIGNS, Verdict, compare_with_paper, general_reason
from unabases.paper.store import Row

__all__ = [
    "METHOD_TABLES",
    "MethodTable",
    "MethodTableSpec",
    "all_method_tables",
    "make_method_table",
    "verdict_counts",
]

_UNEVEN = (
    "; methods with fewer runs have fewer splits, so their means are over other rows (claims compare two methods on "
    "the splits that both have)"
)


class MethodTableSpec(NamedTuple):
    """Which scores of which experiment a table shows, and which table of the paper stands beside them.

    Parameters
    ----------
    name, title
        Its name in files and links, and its heading.
    experiment, quantity
        Where its rows come from, and the key of what it shows in `QUANTITIES`.
    scores
        The score of each region: `"not gap"` and `"gap"`, or the empty string for all rows.
    table
        Its number in the paper, if it has one.
    like
        For a table that the paper does not have: the one with the same data sets.
    luna
        Which of our methods the paper's LUNA stands beside.
    ours
        An experiment with our own models on the same data sets, whose rows stand below the others.
    """

    name: str
    title: str
    experiment: str
    quantity: str
    scores: dict[str, str]
    table: int | None = None
    like: int | None = None
    luna: tuple[str, ...] = (LUNA_PAPER,)
    ours: str = ""

    @property
    def heading(self) -> str:
        """The title, after its number in the paper if it has one."""
        return f"Table {self.table}. {self.title}" if self.table else self.title


def _all(score: str) -> dict[str, str]:
    return {"": score}


def _outside(score: str) -> dict[str, str]:
    return {"not gap": score}


def _both(score: str) -> dict[str, str]:
    return {"not gap": score, "gap": f"{score}_gap"}


_LL = "log_likelihood"
_gap = partial(MethodTableSpec, experiment="uci-gap", ours="our-gap-sets")
_standard = partial(MethodTableSpec, experiment="uci-standard", ours="our-standard-sets")
_searched = partial(MethodTableSpec, experiment="gap-search", luna=(LUNA_PAPER, LUNA))
METHOD_TABLES: tuple[MethodTableSpec, ...] = (
    _gap("table-1", "UCI gap sets: EURC", quantity="eurc", scores=_all("eurc"), table=1),
    _gap("table-2", "UCI gap sets: RMSE", quantity="rmse", scores=_both("rmse"), table=2),
    _gap("table-3", "UCI gap sets: log-likelihood", quantity=_LL, scores=_both(_LL), table=3),
    MethodTableSpec("table-4", "Bayesian optimisation: regret", "bayesopt", "regret", _all("regret"), 4, luna=(LUNA,)),
    _standard("table-5", "Standard UCI: log-likelihood", quantity=_LL, scores=_all(_LL), table=5),
    _standard("table-6", "Standard UCI: RMSE", quantity="rmse", scores=_all("rmse"), table=6),
    _gap("table-7", "UCI gap sets: epistemic uncertainty", quantity="epistemic", scores=_both("epistemic"), table=7),
    _gap("crps-gap", "UCI gap sets: CRPS", quantity="crps", scores=_both("crps"), like=2),
    _searched("search-eurc", "Searched models: EURC", quantity="eurc", scores=_all("eurc"), like=1),
    _searched("search-rmse", "Searched models: RMSE outside the gap", quantity="rmse", scores=_outside("rmse"), like=2),
    _searched(
        "search-log-likelihood",
        "Searched models: log-likelihood outside the gap",
        quantity=_LL,
        scores=_outside(_LL),
        like=3,
    ),
    _searched(
        "search-epistemic",
        "Searched models: epistemic uncertainty",
        quantity="epistemic",
        scores=_both("epistemic"),
        like=7,
    ),
    _standard("crps-standard", "Standard UCI: CRPS", quantity="crps", scores=_all("crps"), like=6),
)
"""Every table of this kind, in the order of the report."""


class Cell(NamedTuple):
    """One method on one data set."""

    ours: Summary
    paper: PaperValue | None
    verdict: Verdict | None
    profile: str = ""
    """Of the rows behind it."""


class CellText(NamedTuple):
    """A cell as a reader sees it; `note` is the number of the note that says why it is not comparable."""

    ours: str
    paper: str
    verdict: str
    sign: str
    why: str
    note: int | None


class MethodTable(NamedTuple):
    """A table: rows are methods, columns are pairs of data set and region."""

    spec: MethodTableSpec
    quantity: Quantity
    about: str
    run: bool
    methods: tuple[str, ...]
    columns: tuple[tuple[str, str], ...]
    cells: dict[tuple[str, str, str], Cell]

    def cell(self, method: str, column: tuple[str, str]) -> Cell:
        """The cell of a method in a column."""
        return self.cells[method, *column]

    def paper_text(self, cell: Cell) -> str:
        """The paper's number as text; empty if its table has no such cell."""
        if cell.paper is None:
            return ""
        if cell.paper.mean is None or cell.paper.std is None:
            return "N/A"
        printed = None if self.quantity.percent else 2  # no digits that the paper does not give
        return mean_std(cell.paper.mean, cell.paper.std, self.quantity.percent, printed)

    def texts(self) -> tuple[dict[str, list[CellText]], list[str]]:
        """The cells of each method as text, and the notes that they refer to by number, from 1."""
        mixed = len({cell.profile for cell in self.cells.values()} - {""}) > 1
        notes: dict[str, int] = {}
        lines: dict[str, list[CellText]] = {}
        for method in self.methods:
            for column in self.columns:
                cell = self.cell(method, column)
                word, why = cell.verdict or ("", "")
                note = notes.setdefault(general_reason(why), len(notes) + 1) if word == NOT_COMPARABLE else None
                ours = cell.ours.text(self.quantity.percent)
                ours += f" ({cell.profile})" * (mixed and cell.profile not in ("", "paper"))
                text = CellText(ours, self.paper_text(cell), word, SIGNS.get(word, ""), why, note)
                lines.setdefault(method, []).append(text)
        return lines, list(notes)

    def which_luna(self) -> str:
        """Which LUNAs this table has, and which claim each of them carries."""
        compared = any(cell.paper is not None for cell in self.cells.values())
        return which_lunas(self.spec.experiment, self.methods, self.spec.luna if compared else ())

    def missing(self) -> list[str]:
        """Methods and data sets without any row, by name; a method without any row is named once."""
        datasets = list(dict.fromkeys(dataset for dataset, _ in self.columns))
        said = []
        for method in self.methods:
            cells = {d: [self.cells[method, d, region].ours for region in self.spec.scores] for d in datasets}
            empty = [d for d in datasets if any(ours.n == ours.failed == 0 for ours in cells[d])]
            if empty:
                said.append(method if empty == datasets else f"{method} on {', '.join(empty)}")
        return said

    def frame(self) -> pd.DataFrame:
        """One row for each cell, with numbers that are not rounded."""
        lines = []
        for (method, dataset, region), cell in self.cells.items():
            names = {"table": self.spec.name, "method": method, "dataset": dataset, "region": region}
            paper = (None, None) if cell.paper is None else (cell.paper.mean, cell.paper.std)
            said = {"paper_mean": paper[0], "paper_std": paper[1]}
            word, why = cell.verdict or ("", "")
            score = self.spec.scores[region]
            names["profile"] = cell.profile
            lines.append({**names, "score": score, **cell.ours._asdict(), **said, "verdict": word, "why": why})
        return pd.DataFrame(lines)


def make_method_table(spec: MethodTableSpec, results: Results) -> MethodTable:
    """Fill a table from stored rows."""
    rows, quantity = (*results.of(spec.experiment), *results.of(spec.ours)), QUANTITIES[spec.quantity]
    paper, own = paper_table(spec.table or spec.like or 1), by_method(rows)
    printed_as = {method: method for method in paper.methods if method != LUNA_PAPER}
    printed_as |= dict.fromkeys(spec.luna, LUNA_PAPER)
    methods = ordered([*(printed_as if spec.table or not own else ()), *own])
    run = [row.dataset for row in rows]
    datasets = dict.fromkeys([*(paper.datasets if spec.table or not run else ()), *run])
    shown = {(row.method, row.dataset): row.profile for row in rows}
    columns = tuple((dataset, region) for dataset in datasets for region in spec.scores)
    cells = {}
    for method in methods:
        for dataset, region in columns:
            ours = summary_of(own.get(method, ()), spec.scores[region], dataset)
            place = (printed_as.get(method, ""), dataset, region)
            printed = paper.cells.get(place) if paper.quantity == spec.quantity else None
            verdict, profile = _verdict(ours, printed, quantity, own, method), shown.get((method, dataset), "")
            cells[method, dataset, region] = Cell(ours, printed, verdict, profile)
    counts = sorted(Counter((row.method, row.dataset) for row in rows).values())
    about = results.about(spec.experiment)
    if counts:
        about += f"; {counts[0] if counts[0] == counts[-1] else f'{counts[0]} to {counts[-1]}'} per cell"
        about += _UNEVEN if _other_splits(rows) else ""
    return MethodTable(spec, quantity, about, bool(rows), tuple(methods), columns, cells)


def _other_splits(rows: Iterable[Row]) -> bool:
    """Whether methods were run on other splits of a data set than others were."""
    splits: dict[str, dict[str, set[int]]] = {}
    for row in rows:
        splits.setdefault(row.dataset, {}).setdefault(row.method, set()).add(row.split)
    return any(one != other for own in splits.values() for one, other in pairwise(own.values()))


def _verdict(
    ours: Summary, printed: PaperValue | None, quantity: Quantity, own: dict[str, list[Row]], method: str
) -> Verdict | None:
    if printed is None:
        return None
    aims = None if quantity.better else aims_of(_rows_on(own, printed.dataset), printed, method)
    return compare_with_paper(ours, printed, quantity, aims)


def _rows_on(own: dict[str, list[Row]], dataset: str) -> dict[str, Sequence[Row]]:
    return {method: [row for row in rows if row.dataset == dataset] for method, rows in own.items()}


def all_method_tables(results: Results) -> list[MethodTable]:
    """Every table, run or not."""
    return [make_method_table(spec, results) for spec in METHOD_TABLES]


def verdict_counts(tables: list[MethodTable]) -> Counter[str]:
    """How often each verdict was given on a number that the paper prints; `not run` counts those without one.

    Where the paper prints N/A there is nothing to compare, so these cells do not count.
    """
    return Counter(
        "not run" if cell.verdict is None else cell.verdict.word
        for table in tables
        if table.spec.table is not None
        for cell in table.cells.values()
        if cell.paper is not None and cell.paper.mean is not None
    )
