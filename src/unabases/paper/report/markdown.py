"""The tables and claims as a Markdown page."""

from collections.abc import Sequence

import pandas as pd

from unabases.paper.report.claims import all_claims
from unabases.paper.report.gathered import Results
from unabases.paper.report.grids import Grid, all_grids
from unabases.paper.report.html_parts import SIGNS, grid_title
from unabases.paper.report.listings import Listing, all_listings
from unabases.paper.report.provenance import machines, runs
from unabases.paper.report.summary import five_lines
from unabases.paper.report.tables import as_markdown
from unabases.paper.report.verdicts import NOT_COMPARABLE, RULE, general_reason

__all__ = ["COMMAND", "markdown_page"]

COMMAND = "unabases report --store docs/results.jsonl.gz --markdown docs/results.md"


def markdown_page(
    results: Results, grids: Sequence[Grid] | None = None, listings: Sequence[Listing] | None = None
) -> str:
    """What was found, claims, tables, runs and versions; figures are in the HTML report."""
    grids = all_grids(results) if grids is None else list(grids)
    listings = all_listings(results) if listings is None else list(listings)
    claims = all_claims(results)
    found = "\n".join(f"{i}. {line}" for i, line in enumerate(five_lines(results, grids, claims), 1))
    said = pd.DataFrame(
        [
            {
                "claim": f"**{claim.name}.** {claim.statement}\nRule: {claim.rule}.",
                "here": f"{SIGNS[claim.verdict]} {claim.verdict}",
                "evidence": f"{claim.evidence}\n{claim.experiment}: {claim.about}",
            }
            for claim in claims
        ]
    )
    parts = [
        f"# Results beside the paper's\n\nMade by `{COMMAND}` from the rows in that file.\n\n{found}\n",
        f"## The paper's claims\n\n{as_markdown(said)}",
        f"## Tables\n\n{RULE}\n",
        *map(_grid, grids),
        *map(_listing, listings),
        *(
            f"## {title}\n\n{as_markdown(frame)}"
            for title, frame in (("Runs", runs(results)), ("Versions and machines", machines(results)))
            if not frame.empty
        ),
    ]
    return "\n".join(parts)


def _grid(grid: Grid) -> str:
    reasons: dict[str, int] = {}
    lines = []
    for method in grid.methods:
        line = {"method": method}
        for dataset, region in grid.columns:
            cell = grid.cell(method, (dataset, region))
            parts = [grid.ours(cell)]
            if theirs := grid.theirs(cell):
                parts.append(f"paper {theirs}")
            if cell.verdict is not None:
                word, why = cell.verdict
                mark = ""
                if word == NOT_COMPARABLE:
                    mark = f" ({reasons.setdefault(general_reason(why), len(reasons) + 1)})"
                parts.append(f"{SIGNS[word]} {word}{mark}")
            line[f"{dataset}\n{region}" if region else dataset] = "\n".join(parts)
        lines.append(line)
    notes = "".join(f"{place}. {why}\n" for why, place in reasons.items())
    missing = grid.missing()
    lacking = f"\nNot run: {'; '.join(missing)}.\n" if grid.run and missing else ""
    head = f"### {grid_title(grid)}\n\n{_sentence(grid.about)}\n{_sentence(grid.quantity.title)} Mean ± std.\n"
    return f"{head}\n{as_markdown(pd.DataFrame(lines))}\n{notes}{lacking}"


def _listing(listing: Listing) -> str:
    head = f"### {listing.title}\n\n{_sentence(listing.about)}\n"
    if listing.shown.empty:
        return head
    note = f"{listing.note}\n" if listing.note else ""
    return f"{head}{note}\n{as_markdown(listing.shown.fillna(''))}"


def _sentence(said: str) -> str:
    return f"{said[:1].upper()}{said[1:]}."
