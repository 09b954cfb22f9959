"""An audit as one HTML page with its pictures inside."""

import base64
import io
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined

from unabases.audit.pictures import familiarity, group_changes, risk
from unabases.audit.result import AuditResult, change_text, group_name
from unabases.datasets.user_text import printable

__all__ = ["MARK", "audit_page"]

MARK = "unabases audit"  # what the page says about its origin

_MOST_LINES = 60  # of a table
_WIDE = 8.5  # inches of the picture of values


class Line(NamedTuple):
    """One line of a table; named lines are marked."""

    cells: tuple[Any, ...]
    named: bool = False


class ShownTable(NamedTuple):
    """A table as the page shows it."""

    head: tuple[str, ...]
    lines: list[Line]
    numeric: range
    """Columns of numbers, which are aligned to the right."""
    more: int = 0
    """Lines that are left out."""


def audit_page(result: AuditResult) -> str:
    """Write an audit as an HTML page that needs no other file; all text that comes from the table is escaped."""
    environment = Environment(
        loader=PackageLoader("unabases.audit"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: printable(value) if type(value) is str else value,
    )
    environment.filters |= {"change": change_text, "group_name": group_name, "count": "{:,.0f}".format}
    curve, pairs = risk(result), result.pairs[result.pairs["named"].astype(bool)]
    return environment.get_template("audit.html").render(
        mark=MARK,
        result=result,
        o=result.overall,
        level=f"{100 * result.level:g} %",
        usable=result.rows - result.empty,
        named=result.named.to_dict("records"),
        columns=_columns(result.columns),
        values=_groups(result.values),
        pairs=_groups(pd.DataFrame(pairs)),
        deferral=None if result.deferral is None else _deferral(result.deferral, result.target),
        least_familiar=_rows(result.least_familiar),
        pictures={
            "familiarity": _picture(familiarity(result), 7.0),
            "groups": _picture(group_changes(result), _WIDE) if len(result.columns) else "",
            "risk": _picture(curve, 7.0) if curve is not None else "",
        },
    )


def _picture(panel: Any, width: float) -> str:
    """Draw a picture and turn it into an address that holds all of it."""
    from unabases.plotting.audit import audit_figure

    file = io.BytesIO()
    audit_figure(panel, width=width).savefig(file, format="svg", metadata={"Date": None})
    return f"data:image/svg+xml;base64,{base64.b64encode(file.getvalue()).decode('ascii')}"


def _columns(table: pd.DataFrame) -> ShownTable:
    lines = [
        Line((line["column"], line["value"], change_text(line["relative"]), _p(line["p"]), int(line["named"])))
        for line in table.head(_MOST_LINES).to_dict("records")
    ]
    return ShownTable(("column", "strongest value", "its relative std", "p", "values named"), lines, range(2, 5))


def _groups(table: pd.DataFrame) -> ShownTable:
    lines = []
    for line in table.head(_MOST_LINES).to_dict("records"):
        interval = f"{change_text(line['lower'])} to {change_text(line['upper'])}"
        shares = (_share(line["share"]), _share(line["share_training"]))
        changes = (change_text(line["relative"]), interval if np.isfinite(line["lower"]) else "–")
        cells = (group_name(line), f"{int(line['rows']):,}", *shares, *changes, change_text(line["relative_training"]))
        lines.append(Line((*cells, _p(line["p"])), bool(line["named"])))
    head = ("value", "rows", "share", "in training", "relative std", "interval", "of training rows", "p")
    return ShownTable(head, lines, range(1, 8), max(0, len(table) - _MOST_LINES))


def _deferral(table: pd.DataFrame, target: str) -> ShownTable:
    lines = []
    for line in table.to_dict("records"):
        wanted = "" if np.isnan(line["wanted"]) else f"for an error of {line['wanted']:.4g}"
        above = "–" if line["deferred"] == 0 else f"{line['threshold']:.4g}"
        lines.append(Line((f"{100 * line['deferred']:.0f} %", above, f"{line['mae']:.4g}", wanted)))
    head = ("deferred", "epistemic std above", f"mean absolute error of {target}, others", "")
    return ShownTable(head, lines, range(3))


def _rows(table: pd.DataFrame) -> ShownTable:
    others = [name for name in table if name not in ("row", "mean", "relative", "p", "named", "epistemic_std")][:8]
    lines = []
    for line in table.to_dict("records"):
        facts = (int(line["row"]) + 1, f"{line['mean']:.4g}", f"{line['epistemic_std']:.4g}")
        values = (f"{line[name]:.4g}" if isinstance(line[name], float) else str(line[name]) for name in others)
        lines.append(Line((*facts, change_text(line["relative"]), _p(line["p"]), *values), bool(line["named"])))
    return ShownTable(("row", "mean", "epistemic std", "relative", "p", *map(str, others)), lines, range(5))


def _share(value: float) -> str:
    return "not known" if np.isnan(value) else f"{100 * value:.1f} %"


def _p(value: float) -> str:
    return "too few left" if np.isnan(value) else f"{value:.2g}"
