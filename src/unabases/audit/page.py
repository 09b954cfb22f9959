"""An audit as one HTML page with its pictures inside."""

import base64
import hashlib
import io
import math
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from unabases.audit.pictures import familiarity, risk
from unabases.audit.result import AuditResult
from unabases.audit.strips import strip_panels
from unabases.audit.words import change_text, group_name, group_sentence, interval_text, is_multiple, share_text, why
from unabases.datasets.user_text import printable
from unabases.storage import page_parts

__all__ = ["MARK", "audit_page"]

MARK = "unabases audit"  # what the page says about its origin

_MOST_LINES = 60  # of a table
_INCHES = 5.0  # of a picture: as wide as a phone


class Cell(NamedTuple):
    """What a cell says, and the number by which it is sorted, if it has one."""

    text: str
    value: float | None = None


class Line(NamedTuple):
    """One line of a table; named lines are marked."""

    cells: tuple[Cell, ...]
    named: bool = False


class ShownTable(NamedTuple):
    """A table as the page shows it."""

    head: tuple[str, ...]
    lines: list[Line]
    numeric: tuple[int, ...]
    """Columns of numbers, which are aligned to the right."""
    more: int = 0
    """Lines that are left out."""
    words: int = -1
    """The column of words, which is wide."""


def audit_page(result: AuditResult) -> str:
    """Write an audit as an HTML page that needs no other file and no network.

    All text that comes from the table is escaped. The page's policy lets no script run but its own.

    Parameters
    ----------
    result : AuditResult
        What an audit found.

    Returns
    -------
    str
        The page.
    """
    environment = Environment(
        loader=PackageLoader("unabases.audit"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: printable(value) if type(value) is str else value,
    )
    filters = {"group_name": group_name, "group_sentence": group_sentence, "count": "{:,.0f}".format}
    environment.filters |= filters
    o = result.overall
    curve, pairs = risk(result), result.pairs[result.pairs["named"].astype(bool)]
    scale, panels = strip_panels(result)
    least = result.defer_above / float(np.mean(result.reference_std))
    card = result.card()
    style, script = page_parts("unabases.audit", "templates/audit")
    return environment.get_template("audit.html").render(
        mark=MARK,
        style=Markup(style),
        script=Markup(script),
        policy=_policy(script),
        result=result,
        o=o,
        change=change_text(o["relative"], multiple=is_multiple(o["upper"])),
        interval=interval_text(o["lower"], o["upper"]),
        level=f"{100 * result.level:g} %",
        usable=result.rows - result.empty,
        named=result.named.to_dict("records"),
        card=card[-2:] if len(result.named) else card,  # the page tells the groups itself, their names in bold
        panels=panels,
        ticks=scale.ticks(),
        defer_at=scale.place(least) if scale.low <= least <= scale.high else None,
        columns=_columns(result),
        values=_groups(result.values, result.level),
        pairs=_groups(pd.DataFrame(pairs), result.level),
        deferral=None if result.deferral is None else _deferral(result.deferral, result.target),
        least_familiar=_rows(result.least_familiar),
        pictures={
            "familiarity": _picture(familiarity(result)),
            "risk": _picture(curve) if curve is not None else "",
        },
    )


def _policy(script: str) -> str:
    """Allow what the page holds and nothing else: no network, and no script but this one."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    return f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"


def _picture(panel: Any) -> str:
    """Draw a picture on a transparent ground and turn it into an address that holds all of it."""
    from unabases.plotting.audit import audit_figure

    file = io.BytesIO()
    audit_figure(panel, width=_INCHES).savefig(file, format="svg", metadata={"Date": None}, transparent=True)
    return f"data:image/svg+xml;base64,{base64.b64encode(file.getvalue()).decode('ascii')}"


def _columns(result: AuditResult) -> ShownTable:
    words = {(line["column"], line["value"]): why(line, result.level) for line in result.values.to_dict("records")}
    lines = []
    for line in result.columns.head(_MOST_LINES).to_dict("records"):
        said = _text(words[line["column"], line["value"]])
        facts = (_text(line["column"]), _text(line["value"]), _change(line["relative"]), said)
        lines.append(Line((*facts, _p(line["p"]), _count(line["named"]))))
    head = ("column", "strongest value", "its relative std", "what it means", "p", "values named")
    return ShownTable(head, lines, (2, 4, 5), words=3)


def _groups(table: pd.DataFrame, level: float) -> ShownTable:
    lines = []
    for line in table.head(_MOST_LINES).to_dict("records"):
        known = np.isfinite(line["lower"])
        interval = interval_text(line["lower"], line["upper"]) if known else "–"
        cells = (
            _text(group_name(line)),
            _count(line["rows"]),
            _share(line["share"]),
            _share(line["share_training"]),
            _change(line["relative"]),
            _text(why(line, level)),
            Cell(interval, line["lower"] if known else None),
            _change(line["relative_training"]),
            _count(line["deferred"]),
            _p(line["p"]),
        )
        lines.append(Line(cells, bool(line["named"])))
    head = ("value", "rows", "share", "in training", "relative std", "what it means", "interval", "of training rows")
    more = max(0, len(table) - _MOST_LINES)
    return ShownTable((*head, "deferred", "p"), lines, (1, 2, 3, 4, 6, 7, 8, 9), more, words=5)


def _deferral(table: pd.DataFrame, target: str) -> ShownTable:
    lines = []
    for line in table.to_dict("records"):
        wanted = "" if np.isnan(line["wanted"]) else f"for an error of {line['wanted']:.4g}"
        above = _text("–") if line["deferred"] == 0 else _number(line["threshold"])
        deferred = Cell(f"{100 * line['deferred']:.0f} %", line["deferred"])
        lines.append(Line((deferred, above, _number(line["mae"]), _text(wanted))))
    head = ("deferred", "epistemic std above", f"mean absolute error of {target}, others", "")
    return ShownTable(head, lines, (0, 1, 2))


def _rows(table: pd.DataFrame) -> ShownTable:
    others = [name for name in table if name not in ("row", "mean", "relative", "p", "named", "epistemic_std")][:8]
    lines = []
    for line in table.to_dict("records"):
        row = Cell(str(int(line["row"]) + 1), int(line["row"]) + 1)
        facts = (row, _number(line["mean"]), _number(line["epistemic_std"]), _change(line["relative"]), _p(line["p"]))
        values = (_number(line[name]) if isinstance(line[name], float) else _text(line[name]) for name in others)
        lines.append(Line((*facts, *values), bool(line["named"])))
    head = ("row", "mean", "epistemic std", "relative", "p", *map(str, others))
    return ShownTable(head, lines, (0, 1, 2, 3, 4))


def _text(value: Any) -> Cell:
    return Cell(str(value))


def _count(value: Any) -> Cell:
    return Cell(f"{int(value):,}", int(value))


def _number(value: float) -> Cell:
    return Cell(f"{value:.4g}", _sortable(value))


def _change(value: float) -> Cell:
    return Cell(change_text(value), _sortable(value))


def _share(value: float) -> Cell:
    return Cell("not known" if np.isnan(value) else share_text(value), _sortable(value))


def _p(value: float) -> Cell:
    return Cell("too few left" if np.isnan(value) else f"{value:.2g}", _sortable(value))


def _sortable(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
