"""Tables with a line a method or a setting, as data: numbers for a file, text for a reader."""

import statistics
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pandas as pd

from unabases.paper.methods import METHODS
from unabases.paper.report.gathered import Results, by_method, median_of, summary_of
from unabases.paper.report.paper_values import paper_text, paper_value
from unabases.paper.report.quantities import number, short, text
from unabases.paper.store import Row

__all__ = ["KNOWS", "LISTINGS", "Listing", "all_listings", "share_that_knows"]

KNOWS = 1.0  # EURC above which a fit is said to know of the gap: +100 %


class Listing(NamedTuple):
    """A table; `frame` has numbers and `shown` the same as text."""

    name: str
    title: str
    experiment: str
    about: str
    frame: pd.DataFrame
    shown: pd.DataFrame
    note: str = ""


def share_that_knows(rows: Sequence[Row]) -> tuple[int, int]:
    """How many fits have an EURC above +100 %, and of how many; a fit that failed does not."""
    return sum(not row.failed and row.scores.get("eurc", 0.0) > KNOWS for row in rows), len(rows)


def all_listings(results: Results) -> list[Listing]:
    """Every table of this kind, in the order of the report; an empty one where the experiment was not run."""
    made = []
    for name, title, experiment, build, note in LISTINGS:
        numbers, texts = [], []
        for values, words in build(results.of(experiment)):
            numbers.append(values)
            texts.append(words)
        about = results.about(experiment)
        made.append(Listing(name, title, experiment, about, pd.DataFrame(numbers), pd.DataFrame(texts), note))
    return made


Line = tuple[dict[str, Any], dict[str, str]]


def _cubic_gap(rows: Sequence[Row]) -> list[Line]:
    said = {label: method.in_gap for label, method in METHODS.items()}
    lines = []
    for method, part in by_method(rows).items():
        values: dict[str, Any] = {"method": method}
        words = {"method": method}
        for score, title in (
            ("rmse", "RMSE"),
            ("log_likelihood", "log-likelihood"),
            ("epistemic_data", "epistemic std, data"),
            ("epistemic_gap", "epistemic std, gap"),
            ("eurc", "EURC"),
        ):
            _add(values, words, part, score, title, percent=score == "eurc")
        lines.append((values, {**words, "the paper": said.get(method, "")}))
    return lines


def _consistency(rows: Sequence[Row]) -> list[Line]:
    return [_restarts_line({"method": method}, part) for method, part in by_method(rows).items()]


def _restarts(rows: Sequence[Row]) -> list[Line]:
    lines = []
    for figure in dict.fromkeys(row.dataset for row in rows):
        own = [row for row in rows if row.dataset == figure]
        for setting in dict.fromkeys(row.method for row in own):
            part = [row for row in own if row.method == setting]
            lines.append(_restarts_line({"figure": figure, "setting": setting}, part))
    return lines


def _restarts_line(names: dict[str, str], rows: Sequence[Row]) -> Line:
    above, total = share_that_knows(rows)
    values: dict[str, Any] = {**names, "restarts": total, "above_100_percent": above, "share": above / total}
    words = {**names, "restarts": str(total), "EURC above +100 %": f"{above} of {total}"}
    for score, title, percent in (("eurc", "EURC", True), ("epistemic_gap", "epistemic std, gap", False)):
        found = median_of(rows, score)
        if found is not None:
            median, least, most = found
            values |= {f"{score}_median": median, f"{score}_least": least, f"{score}_most": most}
            unit = " %" if percent else ""
            shown = [number(value, percent) for value in (median, least, most)]
            words[f"{title}: median (least to most)"] = f"{shown[0]}{unit} ({shown[1]} to {shown[2]})"
    failed = sum(bool(row.failed) for row in rows)
    return {**values, "failed": failed}, {**words, "failed": str(failed)}


def _calibration(rows: Sequence[Row]) -> list[Line]:
    lines = []
    gap = any("coverage_90_gap" in row.scores for row in rows)
    for method, part in by_method(rows).items():
        values: dict[str, Any] = {"method": method}
        words = {"method": method}
        for score, title in (("coverage_90", "inside the 90 % interval"), ("calibration_error", "calibration error")):
            _add(values, words, part, score, f"{title}, not gap" if gap else title)
            if gap:
                _add(values, words, part, f"{score}_gap", f"{title}, gap")
        lines.append((values, words))
    return lines


def _cost(rows: Sequence[Row]) -> list[Line]:
    parts = by_method(rows)
    base = median_of(parts.get("NLM, MAP", []), "fit_seconds")
    lines = []
    for method, part in parts.items():
        values: dict[str, Any] = {"method": method, "fits": len(part)}
        words = {"method": method, "fits": str(len(part))}
        for score, title in (("fit_seconds", "seconds to fit"), ("predict_seconds", "seconds to predict")):
            found = median_of(part, score)
            if found is not None:
                values |= {f"{score}_median": found[0], f"{score}_least": found[1], f"{score}_most": found[2]}
                shown = [number(value) for value in found]
                words[f"{title}: median (least to most)"] = f"{shown[0]} ({shown[1]} to {shown[2]})"
                if score == "fit_seconds" and base is not None and base[0] > 0:
                    values["times_nlm"] = found[0] / base[0]
                    words["times NLM, MAP"] = f"{found[0] / base[0]:.1f}"
        lines.append((values, words))
    return lines


def _map_prior(rows: Sequence[Row]) -> list[Line]:
    lines = []
    for method, part in by_method(rows).items():
        values: dict[str, Any] = {"method": method, "seeds": len(part)}
        words = {"method": method, "seeds": str(len(part))}
        for score, title in (
            ("prior_variation_data", "prior variation, data"),
            ("prior_variation_gap", "prior variation, gap"),
            ("epistemic_data", "epistemic std, data"),
            ("epistemic_gap", "epistemic std, gap"),
            ("log_likelihood", "log-likelihood"),
            ("eurc", "EURC"),
        ):
            if any(score in row.scores for row in part):
                _add(values, words, part, score, title, percent=score == "eurc")
        lines.append((values, words))
    return lines


def _transfer(rows: Sequence[Row]) -> list[Line]:
    fitted = [row for row in rows if row.method != "data"]
    methods = list(by_method(fitted))
    lines = []
    for k in sorted({int(row.settings["n_features"]) for row in fitted}):
        values: dict[str, Any] = {"n_features": k}
        words = {"features": str(k)}
        for method in methods:
            part = [row for row in fitted if row.method == method and row.settings["n_features"] == k]
            _add(values, words, part, "log_likelihood", f"{method}: log-likelihood", key=f"{method} log_likelihood")
            _add(values, words, part, "rmse", f"{method}: RMSE", key=f"{method} rmse")
        lines.append((values, words))
    return lines


def _searches(rows: Sequence[Row]) -> list[Line]:
    lines = []
    for dataset in dict.fromkeys(row.dataset for row in rows):
        for method, part in by_method(row for row in rows if row.dataset == dataset).items():
            failed = sum(bool(row.failed) for row in part)
            values: dict[str, Any] = {"dataset": dataset, "method": method, "searches": len(part), "failed": failed}
            words = {"problem": dataset, "method": method, "searches": str(len(part))}
            words["searches"] += f" ({failed} failed)" if failed else ""
            for score, title, form in (
                ("regret", "regret", short),
                ("seconds_per_step", "seconds per evaluation", number),
            ):
                found = median_of(part, score)
                if found is not None:
                    values |= {f"{score}_median": found[0], f"{score}_least": found[1], f"{score}_most": found[2]}
                    shown = [form(value) for value in found]
                    words[f"{title}: median (least to most)"] = f"{shown[0]} ({shown[1]} to {shown[2]})"
            printed = paper_value(4, method, dataset)
            if printed is not None and printed.mean is not None and printed.std is not None:
                values |= {"paper_mean": printed.mean, "paper_std": printed.std}
                words["the paper, mean ± std"] = text(printed.mean, printed.std, digits=2)
            spent = [row.provenance["cpu_seconds"] for row in part if "cpu_seconds" in row.provenance]
            if spent:
                values["cpu_seconds_median"] = statistics.median(spent)
                words["processor seconds a search"] = number(statistics.median(spent))
            lines.append((values, words))
    return lines


def _faces(rows: Sequence[Row]) -> list[Line]:
    lines = []
    for dataset in dict.fromkeys(row.dataset for row in rows):
        for method, part in by_method(row for row in rows if row.dataset == dataset).items():
            values: dict[str, Any] = {"dataset": dataset, "method": method, "fits": len(part)}
            words = {"data set": dataset, "method": method, "fits": str(len(part))}
            for score, title, percent in _FACES:
                _add(values, words, part, score, title, percent)
                printed = paper_text(dataset, score) if method == "LUNA" else None
                if printed is not None:
                    values[f"{score}_paper"] = printed
                    words[title] += f" (paper {number(printed, percent)}{' %' if percent else ''})"
            lines.append((values, words))
    return lines


_FACES = (
    ("mae", "error, people like the training data", False),
    ("mae_gap", "error, people that it lacks", False),
    ("rise", "epistemic std beside training, like", True),
    ("rise_gap", "epistemic std beside training, lacked", True),
    ("auroc", "AUROC", False),
    ("fit_seconds", "seconds to fit", False),
)


def _add(
    values: dict[str, Any],
    words: dict[str, str],
    rows: Sequence[Row],
    score: str,
    title: str,
    percent: bool = False,
    key: str = "",
) -> None:
    """Add mean, std and count of a score to a line of numbers and to a line of text."""
    found, key = summary_of(rows, score), key or score
    values |= {f"{key}_mean": found.mean, f"{key}_std": found.std, f"{key}_n": found.n}
    if found.n == 0:
        words[title] = f"failed ({found.failed})" if found.failed else "not run"
        return
    shown = text(found.mean, found.std, percent)
    words[title] = f"{shown} ({found.failed} failed)" if found.failed else shown


Builder = Callable[[Sequence[Row]], list[Line]]
LISTINGS: tuple[tuple[str, str, str, Builder, str], ...] = (
    ("map-prior", "MAP: variation before and after the data", "map-prior", _map_prior, ""),
    ("cubic-gap", "Cubic Gap: every method", "cubic-gap", _cubic_gap, "Mean ± std over data sets of their own."),
    (
        "consistency",
        "Cubic Gap: how consistent each method is over restarts",
        "consistency",
        _consistency,
        "The data stay the same; only the seed of the method changes. A fit that failed counts as one that does not "
        "know of the gap.",
    ),
    ("restarts", "Restarts of the figures", "restarts", _restarts, ""),
    (
        "calibration-gap",
        "UCI gap sets: calibration",
        "uci-gap",
        _calibration,
        "Mean ± std over all data sets and splits. 0.90 is best for the intervals and 0 for the error.",
    ),
    (
        "calibration-standard",
        "Standard UCI: calibration",
        "uci-standard",
        _calibration,
        "Mean ± std over all data sets and splits. 0.90 is best for the intervals and 0 for the error.",
    ),
    (
        "cost",
        "UCI gap sets: cost",
        "uci-gap",
        _cost,
        "Over all data sets and splits, on the machines named below, compilation included where it fell into a fit.",
    ),
    ("transfer", "Squiggle Gap: transfer", "transfer", _transfer, "Scored on test rows from the gap."),
    (
        "searches",
        "Bayesian optimisation: regret and time",
        "bayesopt",
        _searches,
        "Over searches. The time is that of suggesting a point and learning its value, the median over the "
        "evaluations of a search after the first ones, without the evaluation itself, on the machines named below. "
        "Processor seconds are those of all threads, evaluations and compilation included: the median over searches, "
        "which what else the machine does moves less.",
    ),
    (
        "faces",
        "Faces: sampling bias",
        "faces",
        _faces,
        "Training has men and lacks women (faces-men), or lacks ages from 30 to 40 (faces-ages). Errors are mean "
        "absolute ones, in years. The change of the mean epistemic std is relative to the training rows, for people "
        "like them and for people they lack; AUROC is how well it tells the one from the other, 0.5 being chance. "
        "The paper had other image features.",
    ),
)
"""Name, title, experiment, how its lines are made, and a note."""
