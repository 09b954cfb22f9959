"""What is shown of a score: its name, which way is better, and numbers as text."""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

__all__ = ["QUANTITIES", "Quantity", "Summary", "number", "short", "summarise_values", "text"]


class Quantity(NamedTuple):
    """A score as tables and figures name it."""

    title: str
    better: int
    """+1 where more is better, -1 where less is, 0 where neither is by itself."""
    percent: bool = False


QUANTITIES: dict[str, Quantity] = {
    "eurc": Quantity("relative change of epistemic std, gap against not gap (EURC)", 1, percent=True),
    "rmse": Quantity("root mean square error, in units of y", -1),
    "mae": Quantity("mean absolute error, in units of y", -1),
    "log_likelihood": Quantity("mean log-likelihood per row, in nats", 1),
    "crps": Quantity("continuous ranked probability score, in units of y", -1),
    "epistemic": Quantity("mean epistemic std, in units of y", 0),
    "regret": Quantity("distance of the best value found from the optimum", -1),
    "coverage_90": Quantity("share of rows inside the central 90 % interval", 0),
    "calibration_error": Quantity("distance of the calibration curve from the diagonal", -1),
    "fit_seconds": Quantity("time to fit, in seconds", -1),
    "predict_seconds": Quantity("time to predict, in seconds", -1),
}
"""Every score that is shown, by its name without `_gap`."""


class Summary(NamedTuple):
    """Mean and standard deviation over the rows that have the score, how many those are, and how many failed."""

    mean: float
    std: float
    n: int
    failed: int = 0


def summarise_values(values: Iterable[float], failed: int = 0) -> Summary:
    """Mean and (population) standard deviation of the finite values; the others count as failed.

    Examples
    --------
    >>> summarise_values([1.0, 3.0, float("nan")], failed=2)
    Summary(mean=2.0, std=1.0, n=2, failed=3)
    """
    given = np.asarray(list(values), dtype=np.float64)
    finite = given[np.isfinite(given)]
    failed += len(given) - len(finite)
    if len(finite) == 0:
        return Summary(math.nan, math.nan, 0, failed)
    return Summary(float(finite.mean()), float(finite.std()), len(finite), failed)


def number(value: float, percent: bool = False, digits: int | None = None) -> str:
    """A number with as many digits as a reader needs; a ratio as per cent, with its sign.

    Examples
    --------
    >>> number(3.14159), number(0.0756), number(-207.53), number(123456.0), number(0.5917, percent=True)
    ('3.14', '0.076', '-207.53', '1.2e+05', '+59.2')
    """
    digits = _digits(value, percent) if digits is None else digits
    value, sign = (100 * value, "+") if percent else (value, "")
    return f"{value:{sign}.1e}" if abs(value) >= 1e5 else f"{value:{sign}.{digits}f}"


def short(value: float) -> str:
    """A number with two digits that count if it is small, so that small ones are told apart.

    Examples
    --------
    >>> short(0.00056), short(0.032), short(7.6)
    ('0.00056', '0.032', '7.60')
    """
    return number(value) if value == 0 or abs(value) >= 0.01 else f"{value:.2g}"


def text(mean: float, std: float, percent: bool = False, digits: int | None = None) -> str:
    """Mean ± std, both with the digits of the mean or as many as are asked for.

    Examples
    --------
    >>> text(4.16, 1.98, percent=True), text(0.08, 0.0)
    ('+416 ± 198 %', '0.080 ± 0.000')
    """
    digits = _digits(mean, percent) if digits is None else digits
    shown, spread = (number(value, percent, digits) for value in (mean, std))
    return f"{shown} ± {spread.lstrip('+')}" + (" %" if percent else "")


def _digits(value: float, percent: bool) -> int:
    if percent:
        return 1 if abs(value) < 1 else 0
    return 3 if 0 < abs(value) < 0.0995 else 2
