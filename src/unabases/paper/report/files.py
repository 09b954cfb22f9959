"""The report on disk: one HTML page, figures as PNG and PDF, tables as CSV."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd

from unabases.paper.report.claims import all_claims
from unabases.paper.report.figures import all_pictures
from unabases.paper.report.gathered import Results
from unabases.paper.report.grids import all_grids
from unabases.paper.report.listings import all_listings
from unabases.paper.report.markdown import markdown_page
from unabases.paper.report.page import report_page
from unabases.storage import write_whole

__all__ = ["Written", "write_report"]


class Written(NamedTuple):
    """What was written."""

    page: Path
    figures: list[Path]
    tables: list[Path]
    markdown: Path | None


def write_report(results: Results, out: Path, markdown: Path | None = None) -> Written:
    """Write `report.html`, `figures/` and `tables/` into a directory, and the Markdown page where asked.

    Each file is written whole or not at all. Files of an earlier report stay where this one has nothing to put.
    """
    grids, listings, pictures = all_grids(results), all_listings(results), all_pictures(results)
    for directory in (out, out / "figures", out / "tables"):
        directory.mkdir(parents=True, exist_ok=True)
    figures, images = [], {}
    for picture in pictures:
        if picture.figure is not None:
            for kind in ("png", "pdf"):
                image = picture.image(kind)
                images |= {picture.name: image} if kind == "png" else {}
                figures.append(out / "figures" / f"{picture.name}.{kind}")
                write_whole(figures[-1], image)
    frames = {grid.spec.name: grid.frame() for grid in grids if grid.run}
    frames |= {listing.name: listing.frame for listing in listings if not listing.frame.empty}
    frames["claims"] = pd.DataFrame(all_claims(results))
    tables = []
    for name, frame in frames.items():
        tables.append(out / "tables" / f"{name}.csv")
        write_whole(tables[-1], frame.to_csv(index=False).encode())
    page = out / "report.html"
    write_whole(page, report_page(results, grids, listings, pictures, images).encode())
    if markdown is not None:
        markdown.parent.mkdir(parents=True, exist_ok=True)
        write_whole(markdown, markdown_page(results, grids, listings).encode())
    return Written(page, figures, tables, markdown)
