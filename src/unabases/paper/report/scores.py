"""How scores are shown: their names, which way is better, and numbers as text."""

import math
from typing import NamedTuple

__all__ = ["QUANTITIES", "Quantity", "mean_std", "number", "short"]


_SMALL, _MOST = 0.00095, 7  # below which three digits tell nothing, and how many there are at most
_ROUNDING = 1e-9  # a spread of equal numbers


class Quantity(NamedTuple):
    """What a score measures.

    Parameters
    ----------
    title
        What tables call it.
    better
        +1 if more is better, -1 if less is, 0 if neither is by itself.
    percent
        Whether it is a ratio that is shown in per cent.
    """

    title: str
    better: int
    percent: bool = False


QUANTITIES: dict[str, Quantity] = {
    "eurc": Quantity("relative change of epistemic std from outside to inside the gap (EURC)", 1, percent=True),
    "rmse": Quantity("root mean square error, in units of y", -1),
    "log_likelihood": Quantity("mean log-likelihood per row, in nats", 1),
    "crps": Quantity("continuous ranked probability score, in units of y", -1),
    "interval_score": Quantity("interval score of 90 % intervals, in units of y", -1),
    "retention_area": Quantity("area under the error-retention curve, in squared units of y", -1),
    "epistemic": Quantity("mean epistemic std, in units of y", 0),
    "regret": Quantity("distance of the best value found from the optimum", -1),
}
"""The scores that tables compare, by name without `_gap` or `_tail`."""


def number(value: float, percent: bool = False, digits: int | None = None) -> str:
    """Write a number with as many digits as a reader needs; a ratio in per cent, with its sign.

    Examples
    --------
    >>> number(3.14159), number(0.0756), number(-207.53), number(123456.0), number(0.5917, percent=True)
    ('3.14', '0.076', '-207.53', '1.2e+05', '+59.2')
    >>> number(0.00023)
    '0.00023'
    """
    digits = _digits(value, percent) if digits is None else digits
    value, sign = (100 * value, "+") if percent else (value, "")
    return f"{value:{sign}.1e}" if abs(value) >= 1e5 else f"{value:{sign}.{digits}f}"


def short(value: float) -> str:
    """Write a number; a small one with two significant digits, so that small ones can be told apart.

    Examples
    --------
    >>> short(0.00056), short(0.032), short(7.6)
    ('0.00056', '0.032', '7.60')
    """
    return number(value) if value == 0 or abs(value) >= 0.01 else f"{value:.2g}"


def mean_std(mean: float, std: float, percent: bool = False, digits: int | None = None) -> str:
    """Write mean ± std, both with the digits of the mean or as many as are asked for; one run has no std.

    A std that these digits would show as 0 has one digit of its own, and so has the mean.

    Examples
    --------
    >>> mean_std(4.16, 1.98, percent=True), mean_std(0.08, 0.0), mean_std(0.43, float("nan"))
    ('+416 ± 198 %', '0.080 ± 0.000', '0.43 (one run)')
    >>> mean_std(3.07, 0.0031), mean_std(0.00023, 0.00011)
    ('3.070 ± 0.003', '0.00023 ± 0.00011')
    """
    unit = " %" if percent else ""
    if digits is None:
        digits, spread = _digits(mean, percent), 100 * std if percent else std
        if _ROUNDING * max(1.0, abs(mean)) < spread < 0.5 * 10**-digits:
            digits = min(_MOST, -math.floor(math.log10(spread)))
    if math.isnan(std):
        return f"{number(mean, percent, digits)}{unit} (one run)"
    shown, spread = (number(value, percent, digits) for value in (mean, std))
    return f"{shown} ± {spread.lstrip('+')}{unit}"


def _digits(value: float, percent: bool) -> int:
    if percent:
        return 1 if abs(value) < 1 else 0
    if 0 < abs(value) < _SMALL:
        return min(_MOST, 1 - math.floor(math.log10(abs(value))))  # two that tell something
    return 3 if 0 < abs(value) < 0.0995 else 2
