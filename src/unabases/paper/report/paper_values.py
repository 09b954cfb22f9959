"""The numbers that the paper prints, in its seven tables and its text, under our names and in our units."""

import json
import math
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from unabases.paper.methods import METHODS, VANILLA

__all__ = [
    "PaperTable",
    "PaperValue",
    "paper_table",
    "paper_tables",
    "paper_text",
    "paper_value",
    "why_not_comparable",
]

_LABELS = {method.printed: method.label for method in METHODS.values() if method.printed}
_LABELS["ENS VAE"] = VANILLA  # a misprint, in table 2 alone

REGIONS = {"": "", "Not Gap": "not gap", "Gap": "gap"}
_SHORT = 0.5  # nats: further than this below what its own RMSE allows, a log-likelihood has another noise variance
_ROUNDED = 0.05  # EURC from rounded numbers, and a ratio of means where the paper has a mean of ratios
_APART = 2.0  # times the worst of the other methods' RMSE: the paper's own fit failed


class PaperValue(NamedTuple):
    """A cell of a table; `mean` and `std` are None if the paper prints N/A. EURC is a ratio: 1.0 is +100 %."""

    table: int
    method: str
    dataset: str
    region: str
    mean: float | None
    std: float | None
    half_unit: float
    """Half a unit of the last printed digit: how far rounding may have moved either number."""


class PaperTable(NamedTuple):
    """A table's quantity, what its rows and columns are in our names, and its cells."""

    number: int
    quantity: str
    methods: tuple[str, ...]
    datasets: tuple[str, ...]
    regions: tuple[str, ...]
    cells: dict[tuple[str, str, str], PaperValue]


@cache
def paper_tables() -> dict[int, PaperTable]:
    """All tables by their number."""
    return {entry["number"]: _table(entry) for entry in _read()["tables"]}


def paper_text(dataset: str, score: str) -> float | None:
    """A number that the paper's text gives for LUNA, or None; changes are ratios.

    Examples
    --------
    >>> paper_text("faces-men", "rise_gap")
    1.68
    """
    return _read()["text"].get(dataset, {}).get(score)


@cache
def _read() -> dict[str, Any]:
    return json.loads(resources.files("unabases.paper.report").joinpath("paper.json").read_text(encoding="utf-8"))


def paper_table(number: int) -> PaperTable:
    """A table of the paper."""
    if number not in paper_tables():
        raise ValueError(f"the paper has no table {number!r}; its tables are {', '.join(map(str, paper_tables()))}.")
    return paper_tables()[number]


def paper_value(table: int, method: str, dataset: str, region: str = "") -> PaperValue | None:
    """The number that the paper prints, or None if the table has no such cell.

    Examples
    --------
    >>> paper_value(2, "LUNA (paper)", "boston-rm", "gap")[4:6]
    (3.17, 0.38)
    """
    return paper_table(table).cells.get((method, dataset, region))


def _dataset(printed: str) -> str:
    """Our name of a data set: "Yacht - FROUDE" is yacht-froude."""
    name = printed.lower().replace(" - ", "-")
    return "wine_red" if name == "wine" else name


def _table(entry: dict[str, Any]) -> PaperTable:
    number, scale = entry["number"], 0.01 if entry["unit"] == "%" else 1.0
    half_unit = scale * 0.5 * 10.0 ** -entry["decimals"]
    datasets = [_dataset(name) for name in entry["datasets"]]
    regions = [REGIONS[name] for name in entry["regions"]]
    places = [(dataset, region) for dataset in datasets for region in regions]
    cells = {}
    for name, printed in entry["rows"].items():
        for (dataset, region), cell in zip(places, printed, strict=True):
            mean, std = (None, None) if cell == "N/A" else (scale * cell[0], scale * cell[1])
            key = (_LABELS[name], dataset, region)
            cells[key] = PaperValue(number, *key, mean, std, half_unit)
    methods = tuple(_LABELS[name] for name in entry["rows"])
    return PaperTable(number, entry["quantity"], methods, tuple(datasets), tuple(regions), cells)


def why_not_comparable(value: PaperValue) -> str:
    """Why a number of the paper cannot be compared with ours, or an empty string if it can.

    - The paper prints N/A.
    - Tuning a support vector machine: the paper does not say on how many images the machine was trained.
    - Standard-UCI log-likelihoods: on some data sets they are more than 0.5 nats below what the RMSE of the same model
      allows. The noise variance, the same for all methods, must have been far too large.
    - Gap sets: the RMSE outside the gap is more than twice the worst of all other methods. The fit must have failed.
    - EURC: it is further than 0.05, and further than its spread, from what the two epistemic standard deviations give.
    """
    if value.mean is None:
        return "the paper gives none"
    if (value.table, value.dataset) == (4, "svm"):
        return "the paper does not say on how many images the machine was trained; here it is the first 5,000"
    if value.table == 5:
        return _noise_too_large(value)
    if value.table in (1, 2, 3, 7):
        return _did_not_fit(value) or (_contradicted(value) if value.table == 1 else "")
    return ""


def _printed(table: int, method: str, dataset: str, region: str = "") -> float:
    mean = paper_table(table).cells[method, dataset, region].mean
    assert mean is not None  # only log-likelihoods are N/A
    return mean


def _noise_too_large(value: PaperValue) -> str:
    table, worst = paper_table(5), (0.0, "", 0.0, 0.0)
    for method in table.methods:
        printed = table.cells[method, value.dataset, ""].mean
        if printed is not None:
            error = _printed(6, method, value.dataset)
            allowed = -0.5 * math.log(2 * math.pi * error**2) - 0.5  # a Gaussian's, with the RMSE for its std
            worst = max(worst, (allowed - printed, method, allowed, printed))
    short, method, allowed, printed = worst
    if short <= _SHORT:
        return ""
    return (
        "the paper's noise variance was far too large on this data set: "
        f"{method} is printed at {printed:.2f}, and its RMSE allows {allowed:.2f}"
    )


def _did_not_fit(value: PaperValue) -> str:
    error = {method: _printed(2, method, value.dataset, "not gap") for method in paper_table(2).methods}
    own = error.pop(value.method)
    if own <= _APART * max(error.values()):
        return ""
    return (
        f"the paper's own fit failed there: RMSE {own:.2f} outside the gap, where its other methods have "
        f"{min(error.values()):.2f} to {max(error.values()):.2f}"
    )


def _contradicted(value: PaperValue) -> str:
    inside, outside = (_printed(7, value.method, value.dataset, region) for region in ("gap", "not gap"))
    implied = inside / outside - 1
    assert value.mean is not None
    assert value.std is not None
    if abs(implied - value.mean) <= max(_ROUNDED, value.std):
        return ""
    return f"the paper contradicts itself: its table 7 gives {100 * implied:+.0f} %"
