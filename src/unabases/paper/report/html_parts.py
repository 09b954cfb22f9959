"""Tables and pictures as HTML; every text that comes in is escaped."""

import base64
from html import escape

import pandas as pd

from unabases.paper.report.claims import DOES_NOT_HOLD, HOLDS, NOT_RUN, Claim
from unabases.paper.report.figures import Picture
from unabases.paper.report.grids import Cell, Grid
from unabases.paper.report.listings import Listing
from unabases.paper.report.verdicts import AGREES, BETTER, NOT_COMPARABLE, WORSE, general_reason

__all__ = ["SIGNS", "claims_html", "frame_html", "grid_html", "grid_title", "listing_html", "picture_html"]

SIGNS = {AGREES: "=", BETTER: "▲", WORSE: "▼", NOT_COMPARABLE: "–", HOLDS: "✓", DOES_NOT_HOLD: "✗", NOT_RUN: "…"}
"""A sign beside each word, for those who do not see its colour."""


def grid_title(grid: Grid) -> str:
    """Its number in the paper, if it has one, and its title."""
    return f"Table {grid.spec.table}. {grid.spec.title}" if grid.spec.table else grid.spec.title


def grid_html(grid: Grid) -> str:
    """A table of methods against data sets, with the paper's figure and the verdict in each cell."""
    head = _section(grid.spec.name, grid_title(grid), grid.about)
    quantity = f"<p>{_capital(escape(grid.quantity.title))}; mean ± std.</p>"
    reasons: dict[str, int] = {}
    body = "".join(
        f'<tr><th scope="row">{escape(method)}</th>'
        + "".join(_cell_html(grid, grid.cell(method, column), reasons) for column in grid.columns)
        + "</tr>"
        for method in grid.methods
    )
    notes = "".join(f"<li>{escape(why)}</li>" for why in reasons)
    notes = f'<ol class="notes">{notes}</ol>' if notes else ""
    missing = grid.missing()
    said = f'<p class="missing">Not run: {escape("; ".join(missing))}.</p>' if grid.run and missing else ""
    table = _scroll(grid_title(grid), f"{_grid_head(grid)}<tbody>{body}</tbody>")
    return f"{head}{quantity}{table}{notes}{said}</section>"


def _grid_head(grid: Grid) -> str:
    regions = len(grid.spec.scores)
    datasets = list(dict.fromkeys(dataset for dataset, _ in grid.columns))
    if regions == 1:
        names = "".join(f'<th scope="col">{escape(dataset)}</th>' for dataset in datasets)
        return f"<thead><tr><td></td>{names}</tr></thead>"
    names = "".join(f'<th scope="colgroup" colspan="{regions}">{escape(dataset)}</th>' for dataset in datasets)
    below = "".join(f'<th scope="col">{escape(region)}</th>' for _, region in grid.columns)
    return f"<thead><tr><td></td>{names}</tr><tr><td></td>{below}</tr></thead>"


def _cell_html(grid: Grid, cell: Cell, reasons: dict[str, int]) -> str:
    parts = [f'<span class="ours">{escape(grid.ours(cell))}</span>']
    if theirs := grid.theirs(cell):
        parts.append(f'<span class="paper">paper {escape(theirs)}</span>')
    if cell.verdict is not None:
        word, why = cell.verdict
        mark = ""
        if word == NOT_COMPARABLE:
            mark = f"<sup>{reasons.setdefault(general_reason(why), len(reasons) + 1)}</sup>"
        parts.append(f'<span class="verdict {_css(word)}" title="{escape(why)}">{SIGNS[word]} {word}{mark}</span>')
    return f"<td>{''.join(parts)}</td>"


def listing_html(listing: Listing) -> str:
    """A table with a line a method."""
    head = _section(listing.name, listing.title, listing.about)
    note = f"<p>{escape(listing.note)}</p>" if listing.note and not listing.shown.empty else ""
    return f"{head}{note}{frame_html(listing.shown, listing.title)}</section>"


def frame_html(frame: pd.DataFrame, title: str) -> str:
    """Any table of text; nothing for an empty one."""
    if frame.empty:
        return ""
    head = "".join(f'<th scope="col">{escape(str(name))}</th>' for name in frame.columns)
    lines = []
    for first, *rest in frame.fillna("").astype(str).to_numpy().tolist():
        cells = "".join(f"<td>{escape(value)}</td>" for value in rest)
        lines.append(f'<tr><th scope="row">{escape(first)}</th>{cells}</tr>')
    return _scroll(title, f"<thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody>", "plain")


def claims_html(claims: list[Claim]) -> str:
    """A line a claim: what is said, whether it holds, by which rule, and the numbers."""
    head = "".join(f'<th scope="col">{name}</th>' for name in ("claim", "here", "evidence"))
    lines = []
    for claim in claims:
        word = f'<span class="verdict {_css(claim.verdict)}">{SIGNS[claim.verdict]} {claim.verdict}</span>'
        said = f"<strong>{escape(claim.name)}.</strong> {escape(claim.statement)}"
        said += f"<small>Rule: {escape(claim.rule)}.</small>"
        numbers = f"{escape(claim.evidence)}<small>{escape(claim.experiment)}: {escape(claim.about)}</small>"
        lines.append(f'<tr><th scope="row">{said}</th><td>{word}</td><td>{numbers}</td></tr>')
    table = f"<thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody>"
    return _scroll("Claims", table, "plain claims")


def picture_html(picture: Picture, image: bytes | None = None) -> str:
    """A figure with its caption, the picture (a PNG file, if it was made already) inside the page."""
    head = _section(f"figure-{picture.name}", picture.title, picture.about)
    if picture.figure is None:
        return f"{head}</section>"
    data = base64.b64encode(picture.image() if image is None else image).decode("ascii")
    shown = f'<img src="data:image/png;base64,{data}" alt="{escape(picture.alt)}">'
    return f"{head}<figure>{shown}<figcaption>{escape(picture.caption)}</figcaption></figure></section>"


def _section(name: str, title: str, about: str) -> str:
    return f'<section id="{escape(name)}"><h3>{escape(title)}</h3><p class="about">{escape(_capital(about))}.</p>'


def _scroll(title: str, table: str, kind: str = "grid") -> str:
    region = f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(title)}">'
    return f'{region}<table class="{kind}">{table}</table></div>'


def _css(word: str) -> str:
    return word.replace(" ", "-")


def _capital(said: str) -> str:
    return said[:1].upper() + said[1:]
