"""What an audit says in words: a sentence for each group, one for single rows, and why a group is not named."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd

__all__ = [
    "MULTIPLE",
    "RowFacts",
    "change_text",
    "group_name",
    "group_sentence",
    "interval_text",
    "is_multiple",
    "less_sure",
    "rows_sentence",
    "share_text",
    "value_text",
    "why",
]

MULTIPLE = 10.0  # from ten times training on, a change is shown as a multiple
_COUNTABLE = 1e6  # a larger multiple is written by its power of ten
_NOTICEABLE = 0.05  # a change below this is "as sure"
_TIMES = 0.5  # from this change on, it is told as "1.5 times"
_ALIKE = 0.5  # a share of the change that is explained if it is at least this large


def is_multiple(value: float) -> bool:
    """Whether a relative change is so large that it is written as a multiple."""
    return bool(math.isfinite(value) and value >= MULTIPLE - 1)


def change_text(value: float, *, multiple: bool = False) -> str:
    """Write a relative change in per cent or, from ten times on, as a multiple.

    Parameters
    ----------
    value : float
        The change: 0.2 means 20 % more.
    multiple : bool
        Whether to write it as a multiple in any case, as beside others that are.

    Examples
    --------
    >>> change_text(0.34), change_text(-0.001), change_text(232.6), change_text(float("nan"))
    ('+34 %', '+0 %', '× 234', '–')
    >>> change_text(3.7, multiple=True), change_text(-0.49, multiple=True)
    ('× 4.7', '× 0.51')
    """
    if not math.isfinite(value):
        return "–"
    return f"× {_multiple(1 + value)}" if multiple or is_multiple(value) else f"{round(100 * value):+d} %"


def interval_text(lower: float, upper: float) -> str:
    """Write an interval of relative changes, both ends in the same way.

    Examples
    --------
    >>> interval_text(-0.2, 0.34), interval_text(3.7, 11.0), interval_text(-0.3, 27.0)
    ('-20 % to +34 %', '× 4.7 to × 12', '× 0.7 to × 28')
    """
    multiple = is_multiple(upper)
    return f"{change_text(lower, multiple=multiple)} to {change_text(upper, multiple=multiple)}"


def _multiple(times: float) -> str:
    if times < MULTIPLE:
        return f"{times:.2g}"
    return f"{times:,.0f}" if times < _COUNTABLE else f"{times:.0e}"


def share_text(share: float) -> str:
    """Write a share of rows, with a digit more if it is small.

    Examples
    --------
    >>> share_text(0.25), share_text(0.0123), share_text(0.0), share_text(0.0004), share_text(float("nan"))
    ('25 %', '1.2 %', 'none', 'less than 0.1 %', 'an unknown share')
    """
    if math.isnan(share):
        return "an unknown share"
    if share == 0:
        return "none"
    if share < 0.001:
        return "less than 0.1 %"
    return f"{100 * share:.0f} %" if share >= 0.0995 else f"{100 * share:.2g} %"


def value_text(value: Any) -> str:
    """Write a cell of a table, numbers with four digits.

    Examples
    --------
    >>> value_text(3.14159), value_text("islands"), value_text(float("nan")), value_text(None)
    ('3.142', 'islands', 'missing', 'missing')
    """
    if pd.isna(value):
        return "missing"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def group_name(line: Mapping[Any, Any]) -> str:
    """Name the group that a line of `values` or `pairs` is about.

    Examples
    --------
    >>> group_name({"column": "region", "value": "islands"})
    'region = islands'
    """
    second = line.get("column_2", "")
    both = isinstance(second, str) and second
    return f"{line['column']} = {line['value']}" + (f" and {second} = {line['value_2']}" if both else "")


def less_sure(relative: float) -> str:
    """Say how sure the model is beside rows like the training data.

    Parameters
    ----------
    relative : float
        Epistemic std relative to those: 0.2 means 20 % above.

    Examples
    --------
    >>> less_sure(2.3), less_sure(0.2), less_sure(0.01), less_sure(-0.3), less_sure(24.0)
    ('3.3 times less sure', '20 % less sure', 'as sure', 'surer, by 30 %', '25 times less sure')
    """
    if abs(relative) < _NOTICEABLE:
        return "as sure"
    if relative < 0:
        return f"surer, by {-100 * relative:.0f} %"
    if relative < _TIMES:
        return f"{100 * relative:.0f} % less sure"
    times = 1 + relative
    return f"{times:.1f} times less sure" if round(times, 1) < MULTIPLE else f"{_multiple(times)} times less sure"


def group_sentence(line: Mapping[Any, Any], *, name: bool = True) -> str:
    """Say in a sentence what was found about a group.

    Parameters
    ----------
    line : mapping
        A line of `AuditResult.values` or `pairs`.
    name : bool
        Whether the group's name comes first.

    Returns
    -------
    str
        How frequent the group is here and in the training data, how sure the model is, and how many rows are deferred.

    Examples
    --------
    >>> line = {"column": "site", "value": "B", "rows": 300, "share": 0.25, "share_training": 0.01}
    >>> group_sentence(line | {"relative": 2.3, "deferred": 85})
    'site = B: 25 % of your rows, 1 % of the training rows; the model is 3.3 times less sure; 85 of 300 deferred'
    """
    said = f"{share_text(line['share'])} of your rows, {share_text(line['share_training'])} of the training rows"
    if line["rows"]:
        said += f"; the model is {less_sure(line['relative'])}; {line['deferred']:,} of {line['rows']:,} deferred"
    return f"{group_name(line)}: {said}" if name else said


def why(line: Mapping[Any, Any], level: float) -> str:
    """Say why a group is named, or why it is not although the model is less sure about it.

    Parameters
    ----------
    line : mapping
        A line of `AuditResult.values` or `pairs`.
    level : float
        The chance of a false alarm that was allowed.

    Examples
    --------
    >>> line = {"named": False, "rows": 80, "relative": 0.6, "relative_training": 0.1, "p": 1.0}
    >>> line |= {"rows_rest": 30, "relative_rest": 0.02}
    >>> why(line, 0.05)
    'comes from rows of named groups: +2 % without them'
    >>> why(line | {"relative_rest": 0.6, "relative_training": 0.5}, 0.05)
    'no news: training rows with this value are at +50 %'
    """
    relative, rest, training = line["relative"], line["relative_rest"], line["relative_training"]
    if line["named"]:
        return "named: more of it, or less familiar, than in training"
    if line["rows"] == 0:
        return "not among your rows"
    if relative < _NOTICEABLE:
        return "as familiar as the training data" + (", or more" if relative < 0 else "")
    if math.isnan(rest):
        return "all its rows belong to named groups as well"
    if rest < _ALIKE * relative:
        return f"comes from rows of named groups: {change_text(rest)} without them"
    if math.isnan(line["p"]):
        outside = " outside named groups" if line["rows_rest"] < line["rows"] else ""
        return f"too few rows to test{outside} ({line['rows_rest']:,})"
    if training >= _ALIKE * relative:
        return f"no news: training rows with this value are at {change_text(training)}"
    if line["p"] <= level:
        return "no less familiar than your other rows"
    return "can be chance, with so few rows or so small a difference"


class RowFacts(NamedTuple):
    """What decides whether single rows can be named."""

    rows: int
    """Rows that were judged."""
    reference_rows: int
    named: int
    beyond: int
    """Rows that are less familiar than every reference row."""
    level: float


def rows_sentence(facts: RowFacts) -> str:
    """Say which single rows are unlike the training data, or why none can be named.

    No p-value is below 1 / (reference rows + 1). So k rows beyond all m reference rows are named among n only if
    1 / (m + 1) ≤ level · k / n; with fewer reference rows nothing can be said about single rows, however odd they are.

    Parameters
    ----------
    facts : RowFacts
        The counts.

    Examples
    --------
    >>> rows_sentence(RowFacts(rows=300, reference_rows=100, named=40, beyond=38, level=0.05))
    '40 of 300 rows are unlike the training data, each on its own'
    >>> rows_sentence(RowFacts(300, 100, 0, 12, 0.05))[:77]
    'Single rows cannot be named: 12 are less familiar than all 100 reference rows'
    """
    n, m, level = facts.rows, facts.reference_rows, facts.level
    if facts.named:
        verb = "is" if facts.named == 1 else "are"
        return f"{facts.named:,} of {n:,} rows {verb} unlike the training data, each on its own"
    if not facts.beyond:
        return f"No row is less familiar than all {m:,} reference rows, so no single row is named"
    enough = math.ceil(n / (level * facts.beyond)) - 1
    which = "1 is" if facts.beyond == 1 else f"{facts.beyond:,} are"
    return (
        f"Single rows cannot be named: {which} less familiar than all {m:,} reference rows, but with so few reference "
        f"rows that can be chance; at least {enough:,} are needed"
    )
