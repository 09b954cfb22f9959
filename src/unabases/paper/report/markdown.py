"""The tables and claims as a Markdown page."""

from collections.abc import Mapping

import pandas as pd

from unabases.paper.report.claims import CheckedClaim
from unabases.paper.report.contents import Report
from unabases.paper.report.detail_tables import DetailTable
from unabases.paper.report.lunas import LUNAS
from unabases.paper.report.method_tables import CellText, MethodTable
from unabases.paper.report.provenance import costs, locked_runs, machines, runs
from unabases.paper.report.sizes import size_line, sizes
from unabases.paper.report.verdicts import RULE
from unabases.paper.report.words import METHOD_WORDS, TERMS

__all__ = ["COMMAND", "TITLE", "as_markdown", "markdown_page"]

TITLE = "# Results beside the paper's"

COMMAND = "unabases report --store docs/results.jsonl.gz --markdown docs/results.md"


CLAIM_COLUMNS = (
    "*printed*: the rule, put to the numbers that the paper prints. *here*: the rule, put to what was run here; if the "
    "claim is about LUNA, by the model in brackets. *ours*: the same rule for our models."
)


def as_markdown(frame: pd.DataFrame) -> str:
    r"""Write a table as Markdown; bars inside cells are escaped and lines broken by a tag.

    Examples
    --------
    >>> print(as_markdown(pd.DataFrame({"a": [1], "b": ["x|y"]})), end="")
    | a | b |
    | --- | --- |
    | 1 | x\|y |
    """
    lines = [list(frame), ["---"] * frame.shape[1], *frame.astype(str).to_numpy().tolist()]
    escaped = ([str(cell).replace("|", "\\|").replace("\n", "<br>") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in escaped) + "\n"


def markdown_page(report: Report) -> str:
    """Findings, claims, tables, runs and versions; figures are in the HTML report."""
    findings = "\n".join(f"{place}. {line}" for place, line in enumerate(report.findings, 1))
    claims = pd.DataFrame(
        [
            {
                "claim": f"**{claim.name}.** {claim.statement}",
                "printed": f"{claim.printed.sign} {claim.printed.verdict}" if claim.printed else "–",
                "here": f"{claim.sign} {claim.verdict}{f' ({claim.by})' if claim.by else ''}",
                "ours": "\n".join(f"{one.sign} {one.verdict} ({one.label})" for one in claim.ours) or "–",
            }
            for claim in report.claims
        ]
    )
    ends = {
        "Runs": runs(report.results),
        "What takes the time": costs(report.results),
        "Runs of locked halves": locked_runs(report.results),
        "Versions and machines": machines(report.results),
    }
    parts = [
        f"{TITLE}\n\nMade by `{COMMAND}` from the rows in that file.\n\n{LUNAS}\n",
        f"## Findings\n\n{findings}\n",
        _sizes(sizes(report.results)),
        f"## Words\n\n{_words(TERMS)}\n{_words(METHOD_WORDS)}",
        f"## The paper's claims\n\n{CLAIM_COLUMNS}\n\n{as_markdown(claims)}",
        f"## Behind each claim\n\n{''.join(map(_behind, report.claims))}",
        f"## Tables\n\n{RULE}\n",
        *map(_method_table, report.method_tables),
        *map(_detail_table, report.detail_tables),
        *(f"## {title}\n\n{as_markdown(frame)}" for title, frame in ends.items() if not frame.empty),
    ]
    return "\n".join(part for part in parts if part)


def _sizes(frame: pd.DataFrame) -> str:
    return "" if frame.empty else f"## How much was run\n\n{size_line(frame)}\n\n{as_markdown(frame)}"


def _behind(claim: CheckedClaim) -> str:
    """The rule and the numbers of a claim, as a list."""
    said = {"Rule": _sentence(claim.rule), "Here": f"{claim.evidence} ({claim.experiment}: {claim.about})."}
    said |= {"What differs": claim.differs} if claim.differs else {}
    said |= {one.label: f"{one.evidence}." for one in claim.ours if one.label != claim.by}
    said |= {"Printed": f"{claim.printed.evidence}."} if claim.printed else {}
    lines = "".join(f"    - *{name}*: {text}\n" for name, text in said.items())
    return f"- **{claim.name}**: {claim.sign} {claim.verdict}\n{lines}"


def _method_table(table: MethodTable) -> str:
    texts, notes = table.texts()
    names = [f"{dataset}\n{region}" if region else dataset for dataset, region in table.columns]
    lines = [[method, *map(_cell, cells)] for method, cells in texts.items()]
    shown = as_markdown(pd.DataFrame(lines, columns=pd.Index(["method", *names])))
    numbered = "".join(f"{place}. {why}\n" for place, why in enumerate(notes, 1))
    missing = table.missing()
    lacking = f"\nNot run: {'; '.join(missing)}.\n" if table.run and missing else ""
    about = f"{_sentence(table.about)}\n{_sentence(table.quantity.title)} Mean ± std. {table.which_luna()}".rstrip()
    return f"### {table.spec.heading}\n\n{about}\n\n{shown}\n{numbered}{lacking}"


def _cell(cell: CellText) -> str:
    mark = f" ({cell.note})" if cell.note else ""
    parts = [cell.ours, f"paper {cell.paper}" * bool(cell.paper), f"{cell.sign} {cell.verdict}{mark}".strip()]
    return "\n".join(part for part in parts if part)


def _detail_table(table: DetailTable) -> str:
    head = f"### {table.spec.title}\n\n{_sentence(table.about)}\n"
    if table.shown.empty:
        return head
    note = f"{table.spec.note}\n" if table.spec.note else ""
    return f"{head}{note}\n{as_markdown(table.shown.fillna(''))}"


def _words(meanings: Mapping[str, str]) -> str:
    return "".join(f"- **{word}**: {meaning}.\n" for word, meaning in meanings.items())


def _sentence(said: str) -> str:
    return f"{said[:1].upper()}{said[1:]}."
