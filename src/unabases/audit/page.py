"""An audit as one HTML page with its pictures inside."""

import base64
import io
from html import escape
from typing import Any

import numpy as np
import pandas as pd

from unabases.audit.figures import draw_familiarity, draw_risk, draw_values, figure_of
from unabases.audit.result import AuditResult, change_text, group_name

__all__ = ["audit_page"]

_MOST_LINES = 60  # of a table

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 62rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
table { border-collapse: collapse; font-size: 0.9rem; } .wide { overflow-x: auto; }
th, td { padding: 0.25rem 0.6rem; text-align: left; border-bottom: 1px solid #ddd; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.named td { background: #fdecea; } img { max-width: 100%; height: auto; }
.verdict { border-left: 0.4rem solid #2166ac; background: #eef4fa; padding: 0.6rem 1rem; }
.verdict.found { border-color: #b2182b; background: #fdecea; } .small { color: #555; font-size: 0.85rem; }
"""


def audit_page(result: AuditResult) -> str:
    """The page; whatever comes from the table is escaped."""
    o = result.overall
    parts = [
        _verdict(result),
        f"<p>{result.rows:,} rows were audited against {int(o['reference_rows']):,} rows like the training data on "
        "which the model was not trained. Their epistemic standard deviation, what the model "
        f"({escape(result.method)}) does not know about {escape(result.target)}, is "
        f"<b>{change_text(o['relative'])}</b> relative to those "
        f"({change_text(o['lower'])} to {change_text(o['upper'])}; p = {o['p']:.2g}). "
        f"{result.named_rows:,} rows ({100 * result.named_rows / max(1, result.rows - result.empty):.1f} %) are unlike "
        "the training data.</p>",
    ]
    if result.sampled < result.rows - result.empty:
        parts.append(f"<p>Tests and curves are made of {result.sampled:,} rows drawn at random.</p>")
    if result.empty:
        parts.append(f"<p>{result.empty:,} rows have missing values and were left out.</p>")
    for name, levels in result.unknown_levels.items():
        listed = ", ".join(f"{escape(str(level))} ({n})" for level, n in levels.most_common(8))
        parts.append(f"<p>Column <b>{escape(name)}</b> has values that the model has never seen: {listed}.</p>")
    parts.append(_picture(figure_of(result, draw_familiarity), "Distribution of the epistemic std"))
    if len(result.columns):
        parts += [
            "<h2>Columns</h2><p>First the column that best tells unfamiliar rows from others.</p>",
            _columns(result.columns),
            "<h2>Values</h2>",
            _picture(figure_of(result, draw_values, width=8.5), "Relative epistemic std of each value"),
            _groups(result.values),
        ]
    pairs: Any = result.pairs[result.pairs["named"].astype(bool)]
    if len(pairs):
        text = "<p>Pairs that are less familiar than other rows with either of their values.</p>"
        parts += ["<h2>Pairs of values</h2>", text, _groups(pairs)]
    if result.risk is not None and result.deferral is not None:
        parts += ["<h2>Error and deferral</h2>", _picture(figure_of(result, draw_risk), "Error of the rows kept")]
        parts.append(_deferral(result.deferral, result.target))
    parts += ["<h2>Least familiar rows</h2>", _rows(result.least_familiar), _meaning(result)]
    body = "\n".join(parts)
    title = f"Audit of {escape(result.target)}"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE}</style></head>\n"
        f"<body><h1>{title}: is the training data like these rows?</h1>\n{body}\n</body></html>\n"
    )


def _verdict(result: AuditResult) -> str:
    named = result.named
    if len(named) == 0:
        whole = result.overall["p"] <= result.level
        said = "No value is named as under-represented"
        said += ", but the table as a whole is less familiar than the training data." if whole else "."
        return f'<p class="verdict{" found" if whole else ""}">{said}</p>'
    listed = "; ".join(
        f"<b>{escape(group_name(line))}</b> ({change_text(line['relative'])})"
        for line in named.head(5).to_dict("records")
    )
    more = f" and {len(named) - 5} more" if len(named) > 5 else ""
    return f'<p class="verdict found">Under-represented in the training data: {listed}{more}.</p>'


def _picture(figure: Any, alternative: str) -> str:
    file = io.BytesIO()
    figure.savefig(file, format="svg", metadata={"Date": None})
    encoded = base64.b64encode(file.getvalue()).decode("ascii")
    return f'<p><img alt="{escape(alternative)}" src="data:image/svg+xml;base64,{encoded}"></p>'


def _columns(table: pd.DataFrame) -> str:
    lines = [
        (line["column"], line["value"], change_text(line["relative"]), _p(line["p"]), int(line["named"]))
        for line in table.head(_MOST_LINES).to_dict("records")
    ]
    return _table(("column", "strongest value", "its relative std", "p", "values named"), lines, numeric={2, 3, 4})


def _groups(table: pd.DataFrame) -> str:
    shown = table.head(_MOST_LINES)
    lines = [
        (
            group_name(line),
            f"{int(line['rows']):,}",
            _share(line["share"]),
            _share(line["share_training"]),
            change_text(line["relative"]),
            f"{change_text(line['lower'])} to {change_text(line['upper'])}" if np.isfinite(line["lower"]) else "–",
            change_text(line["relative_training"]),
            _p(line["p"]),
        )
        for line in shown.to_dict("records")
    ]
    head = ("value", "rows", "share", "in training", "relative std", "interval", "of training rows", "p")
    more = f'<p class="small">{len(table) - len(shown)} more in the CSV file.</p>' if len(table) > len(shown) else ""
    return _table(head, lines, numeric=set(range(1, 8)), marked=shown["named"].tolist()) + more


def _deferral(table: pd.DataFrame, target: str) -> str:
    lines = []
    for line in table.to_dict("records"):
        wanted = "" if np.isnan(line["wanted"]) else f"for an error of {line['wanted']:.4g}"
        above = "–" if line["deferred"] == 0 else f"{line['threshold']:.4g}"
        lines.append((f"{100 * line['deferred']:.0f} %", above, f"{line['mae']:.4g}", wanted))
    head = ("deferred", "epistemic std above", f"mean absolute error of {target}, others", "")
    return _table(head, lines, numeric={0, 1, 2})


def _rows(table: pd.DataFrame) -> str:
    fixed = ("row", "mean", "relative", "p", "named", "epistemic_std")
    others = [name for name in table if name not in fixed][:8]
    lines = [
        (
            int(line["row"]) + 1,
            f"{line['mean']:.4g}",
            f"{line['epistemic_std']:.4g}",
            change_text(line["relative"]),
            _p(line["p"]),
            *(f"{line[name]:.4g}" if isinstance(line[name], float) else str(line[name]) for name in others),
        )
        for line in table.to_dict("records")
    ]
    head = ("row", "mean", "epistemic std", "relative", "p", *map(str, others))
    return _table(head, lines, numeric=set(range(5)), marked=table["named"].tolist())


def _meaning(result: AuditResult) -> str:
    level = f"{100 * result.level:g} %"
    return (
        "<h2>What this means</h2><ul>"
        "<li><b>Relative std</b>: mean epistemic standard deviation of these rows divided by that of all rows like the "
        "training data, less 1. Intervals hold on their own, each with confidence "
        f"{100 * (1 - result.level):g} %.</li>"
        "<li><b>Named</b> (red) is a value whose rows are more frequent or less familiar than in the training data, "
        "and less familiar than the other rows here. If these rows are drawn as the training data was, anything is "
        f"named with probability at most {level}; p is already corrected for the number of values. When a value is "
        "named, its rows are set aside, and the p of the others is without them, or there are too few left.</li>"
        f"<li><b>Rows</b> are named so that at most {level} of them, in expectation, are like the training data.</li>"
        "<li>A small epistemic standard deviation is what the model says. A group that the model confuses with another "
        "one, because its inputs do not tell them apart, cannot be found in this way.</li></ul>"
    )


def _table(head: tuple[str, ...], lines: list[tuple], numeric: set[int], marked: list[bool] | None = None) -> str:
    cell = lambda i, text, tag: f"<{tag}{' class=n' if i in numeric else ''}>{escape(str(text))}</{tag}>"  # noqa: E731
    rows = ["<tr>" + "".join(cell(i, text, "th") for i, text in enumerate(head)) + "</tr>"]
    for place, line in enumerate(lines):
        mark = ' class="named"' if marked and marked[place] else ""
        rows.append(f"<tr{mark}>" + "".join(cell(i, text, "td") for i, text in enumerate(line)) + "</tr>")
    return f'<div class="wide"><table>{"".join(rows)}</table></div>'


def _share(value: float) -> str:
    return "not known" if np.isnan(value) else f"{100 * value:.1f} %"


def _p(value: float) -> str:
    return "too few left" if np.isnan(value) else f"{value:.2g}"
