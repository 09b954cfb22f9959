"""Tables with a line for each method or setting, each with numbers for a file and text for a reader."""

import statistics
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import pandas as pd

from unabases.paper.methods import LUNA, LUNA_PAPER, METHODS, NLM_MAP
from unabases.paper.report.accuracy_tables import ACCURACY_TABLES
from unabases.paper.report.detail_lines import DetailTable, DetailTableSpec, Line
from unabases.paper.report.honesty_tables import HONESTY_TABLES
from unabases.paper.report.paper_values import paper_text, paper_value
from unabases.paper.report.rows import Results, by_method, grouped, range_of
from unabases.paper.report.scores import mean_std, number, short
from unabases.paper.store import Row

__all__ = ["DETAIL_TABLES", "KNOWS", "DetailTable", "Share", "all_detail_tables", "share_that_knows"]

KNOWS = 1.0  # EURC above which a fit is said to know of the gap: +100 %


class Share(NamedTuple):
    """How many out of how many."""

    count: int
    total: int

    def __str__(self) -> str:
        return f"{self.count} of {self.total}"


def share_that_knows(rows: Sequence[Row]) -> Share:
    """How many fits have an EURC above +100 %; a fit that failed does not."""
    return Share(sum(not row.failed and row.scores.get("eurc", 0.0) > KNOWS for row in rows), len(rows))


def all_detail_tables(results: Results) -> list[DetailTable]:
    """Every table of this kind, in the order of the report.

    A table of the paper is empty if its experiment was not run; those of accuracy and honesty, which the paper lacks,
    are absent.
    """
    tables = []
    for spec in DETAIL_TABLES:
        if spec in (*ACCURACY_TABLES, *HONESTY_TABLES) and not results.of(spec.experiment):
            continue
        lines = spec.lines(results.of(spec.experiment))
        frames = (pd.DataFrame([getattr(line, name) for line in lines]) for name in ("numbers", "words"))
        tables.append(DetailTable(spec, results.about(spec.experiment), *frames))
    return tables


def _method_lines(rows: Sequence[Row], scores: dict[str, str], seeds: bool = False) -> list[Line]:
    """Mean ± std of some scores, with their titles, for each method; a score that no row has is left out."""
    lines = []
    for method, part in by_method(rows).items():
        line = Line(part, {"method": method} | ({"seeds": len(part)} if seeds else {}))
        for score, title in scores.items():
            if any(score in row.scores for row in rows):
                line.add_mean(score, title, percent=score == "eurc")
        lines.append(line)
    return lines


_GAP_SCORES = {
    "log_likelihood": "log-likelihood",
    "epistemic_data": "epistemic std, data",
    "epistemic_gap": "epistemic std, gap",
    "eurc": "EURC",
}
_PRIOR = {"prior_variation_data": "prior variation, data", "prior_variation_gap": "prior variation, gap"}


def _cubic_gap(rows: Sequence[Row]) -> list[Line]:
    said = {label: method.in_gap for label, method in METHODS.items()}
    lines = _method_lines(rows, {"rmse": "RMSE"} | _GAP_SCORES)
    for line in lines:
        line.words["the paper"] = said.get(line.words["method"], "")
    return lines


def _calibration(rows: Sequence[Row]) -> list[Line]:
    gap = any("coverage_90_gap" in row.scores for row in rows)
    scores = {}
    for score, title in (("coverage_90", "inside the 90 % interval"), ("calibration_error", "calibration error")):
        scores |= {score: f"{title}, not gap", f"{score}_gap": f"{title}, gap"} if gap else {score: title}
    return _method_lines(rows, scores)


def _consistency(rows: Sequence[Row]) -> list[Line]:
    return [_restart_line({"method": method}, part) for method, part in by_method(rows).items()]


def _restarts(rows: Sequence[Row]) -> list[Line]:
    parts = grouped(rows, lambda row: (row.dataset, row.method))
    return [_restart_line({"figure": figure, "setting": setting}, part) for (figure, setting), part in parts.items()]


def _restart_line(names: dict[str, str], rows: Sequence[Row]) -> Line:
    share = share_that_knows(rows)
    numbers = {"restarts": share.total, "above_100_percent": share.count, "share": share.count / share.total}
    line = Line(rows, names | numbers, names | {"restarts": str(share.total), "EURC above +100 %": str(share)})
    line.add_range("eurc", "EURC", partial(number, percent=True), " %")
    line.add_range("epistemic_gap", "epistemic std, gap")
    line.numbers["failed"] = sum(bool(row.failed) for row in rows)
    line.words["failed"] = str(line.numbers["failed"])
    return line


def _cost(rows: Sequence[Row]) -> list[Line]:
    parts = by_method(rows)
    base, lines = range_of(parts.get(NLM_MAP, []), "fit_seconds"), []
    for method, part in parts.items():
        line = Line(part, {"method": method, "fits": len(part)})
        line.add_range("fit_seconds", "seconds to fit")
        own = line.numbers.get("fit_seconds_median")
        if own is not None and base is not None and base.median > 0:
            line.numbers["times_nlm"] = own / base.median
            line.words[f"times {NLM_MAP}"] = f"{own / base.median:.1f}"
        line.add_range("predict_seconds", "seconds to predict")
        lines.append(line)
    return lines


def _transfer(rows: Sequence[Row]) -> list[Line]:
    fitted = [row for row in rows if row.method != "data"]
    lines = []
    for k in sorted({int(row.settings["n_features"]) for row in fitted}):
        own = by_method(row for row in fitted if row.settings["n_features"] == k)
        line = Line((), {"n_features": k}, {"features": str(k)})
        for method in by_method(fitted):
            line.rows = own.get(method, [])
            line.add_mean("log_likelihood", f"{method}: log-likelihood", key=f"{method} log_likelihood")
            line.add_mean("rmse", f"{method}: RMSE", key=f"{method} rmse")
        lines.append(line)
    return lines


def _searches(rows: Sequence[Row]) -> list[Line]:
    lines = []
    for dataset, method, part in _by_dataset(rows):
        failed = sum(bool(row.failed) for row in part)
        searches = f"{len(part)} ({failed} failed)" if failed else str(len(part))
        line = Line(
            part,
            {"dataset": dataset, "method": method, "searches": len(part), "failed": failed},
            {"problem": dataset, "method": method, "searches": searches},
        )
        line.add_range("regret", "regret", short)
        line.add_range("seconds_per_step", "seconds per evaluation")
        printed = paper_value(4, LUNA_PAPER if method == LUNA else method, dataset)
        if printed is not None and printed.mean is not None and printed.std is not None:
            line.numbers |= {"paper_mean": printed.mean, "paper_std": printed.std}
            line.words["the paper, mean ± std"] = mean_std(printed.mean, printed.std, digits=2)
        spent = [row.provenance["cpu_seconds"] for row in part if "cpu_seconds" in row.provenance]
        if spent:
            line.numbers["cpu_seconds_median"] = statistics.median(spent)
            line.words["processor seconds per search"] = number(statistics.median(spent))
        lines.append(line)
    return lines


def _by_dataset(rows: Sequence[Row]) -> list[tuple[str, str, list[Row]]]:
    datasets = dict.fromkeys(row.dataset for row in rows)
    return [(d, m, part) for d in datasets for m, part in by_method(r for r in rows if r.dataset == d).items()]


_FACES = {
    "mae": "error, people like the training data",
    "mae_gap": "error, people missing from it",
    "rise": "change of epistemic std, people like the training data",
    "rise_gap": "change of epistemic std, people missing from it",
    "auroc": "AUROC",
    "fit_seconds": "seconds to fit",
}


def _faces(rows: Sequence[Row]) -> list[Line]:
    lines = []
    for dataset, method, part in _by_dataset(rows):
        names = {"method": method, "fits": len(part)}
        line = Line(part, {"dataset": dataset} | names, {"data set": dataset, "method": method, "fits": str(len(part))})
        for score, title in _FACES.items():
            percent = score.startswith("rise")
            line.add_mean(score, title, percent)
            printed = paper_text(dataset, score) if method == LUNA else None
            if printed is not None:
                line.numbers[f"{score}_paper"] = printed
                line.words[title] += f" (paper {number(printed, percent)}{' %' if percent else ''})"
        lines.append(line)
    return lines


_CALIBRATION = "Mean ± std over all data sets and splits. Best is 0.90 for the intervals and 0 for the error."
DETAIL_TABLES: tuple[DetailTableSpec, ...] = (
    DetailTableSpec(
        "map-prior",
        "MAP: prior and posterior variation",
        "map-prior",
        partial(_method_lines, scores=_PRIOR | _GAP_SCORES, seeds=True),
    ),
    DetailTableSpec(
        "cubic-gap",
        "Cubic Gap: all methods",
        "cubic-gap",
        _cubic_gap,
        "Mean ± std over splits, each with data of its own.",
    ),
    DetailTableSpec(
        "consistency",
        "Cubic Gap: consistency over restarts",
        "consistency",
        _consistency,
        "The data stay the same; only the seed of the method changes. A fit that failed counts as one that does not "
        "know of the gap.",
    ),
    DetailTableSpec("restarts", "Cubic Gap: restarts in each figure", "restarts", _restarts),
    DetailTableSpec("calibration-gap", "UCI gap sets: calibration", "uci-gap", _calibration, _CALIBRATION),
    DetailTableSpec("calibration-standard", "Standard UCI: calibration", "uci-standard", _calibration, _CALIBRATION),
    DetailTableSpec(
        "cost",
        "UCI gap sets: cost",
        "uci-gap",
        _cost,
        "Over all data sets and splits, on the machines listed below. Times include compilation if it happened during "
        "the fit.",
    ),
    DetailTableSpec("transfer", "Squiggle Gap: transfer", "transfer", _transfer, "Scores on test rows from the gap."),
    DetailTableSpec(
        "searches",
        "Bayesian optimisation: regret and time",
        "bayesopt",
        _searches,
        "Over searches. Seconds per evaluation are what a method takes to suggest a point and to learn its value, not "
        "the evaluation itself: the median over a search after its first points, on the machines listed below. "
        "Processor seconds count all threads, with evaluations and compilation; other work on the machine affects them "
        "less. The paper's LUNA is compared with the package's own.",
    ),
    DetailTableSpec(
        "faces",
        "Faces: sampling bias",
        "faces",
        _faces,
        "The training data have men but no women (faces-men), or nobody aged 30 to 40 (faces-ages). Errors are mean "
        "absolute errors in years. Changes of the mean epistemic std are relative to the training rows. AUROC says how "
        "well the epistemic std tells people missing from the training data from people like them; 0.5 is chance. The "
        "paper's LUNA is compared with the package's own; the paper used other image features.",
    ),
    *ACCURACY_TABLES,
    *HONESTY_TABLES,
)
"""Every table of this kind, in the order of the report."""
