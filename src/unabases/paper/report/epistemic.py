"""What an epistemic std should be: with the noise as large as the model's error, by itself as a Gaussian process's."""

import math
import statistics
from collections.abc import Mapping, Sequence

from unabases.paper.methods import GP
from unabases.paper.report.paper_values import PaperValue, paper_value
from unabases.paper.report.rows import summary_of
from unabases.paper.report.verdicts import Aims
from unabases.paper.store import Row

__all__ = ["aims_of", "noise_of"]

_ERRORS = 2  # the paper's table of errors on the sets of its table of epistemic stds


def noise_of(rows: Sequence[Row]) -> float | None:
    """Standard deviation of the noise that models were given, in units of y; None if no row says it.

    Parameters
    ----------
    rows
        Results on one data set, of any methods.
    """
    given = [row.settings.get("sigma2") for row in rows]
    known = [value for value in given if isinstance(value, int | float)]
    return math.sqrt(statistics.fmean(known)) if known else None


def aims_of(rows: Mapping[str, Sequence[Row]], printed: PaperValue, method: str) -> tuple[Aims, Aims] | None:
    """What a method's epistemic std should be here, and in the paper; None if the rows cannot say.

    The paper does not print the noise, so both have the one that was estimated here from residuals, as in the paper.

    Parameters
    ----------
    rows
        Results on the data set of `printed`, by method.
    printed
        The number of the paper's table of epistemic stds.
    method
        Our method that stands beside it.
    """
    end = "_gap" if printed.region == "gap" else ""
    noise = noise_of([row for own in rows.values() for row in own])
    error = summary_of(rows.get(method, ()), f"rmse{end}")
    their_error = paper_value(_ERRORS, printed.method, printed.dataset, printed.region)
    if noise is None or not error.n or their_error is None or their_error.mean is None:
        return None
    process, their_process = None, None
    if printed.method != GP:
        found = summary_of(rows.get(GP, ()), f"epistemic{end}")
        process = found.mean if found.n else None
        cell = paper_value(printed.table, GP, printed.dataset, printed.region)
        their_process = None if cell is None else cell.mean
    return Aims(error.mean, noise, process), Aims(their_error.mean, noise, their_process)
