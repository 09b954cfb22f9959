"""The report on disk: one HTML page, figures as PNG and PDF, tables as CSV."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from unabases.paper.report.contents import make_report
from unabases.paper.report.markdown import markdown_page
from unabases.paper.report.page import report_page
from unabases.paper.report.rows import Results
from unabases.storage import write_whole

__all__ = ["Written", "write_report"]


class Written(NamedTuple):
    """What was written."""

    page: Path
    figures: list[Path]
    tables: list[Path]
    markdown: Path | None


def write_report(
    results: Results, out: Path, markdown: Path | None = None, on_figure: Callable[[int, int], None] | None = None
) -> Written:
    """Write `report.html`, `figures/` and `tables/` into a directory, and a Markdown page if asked.

    Each file is written whole or not at all. Files of an earlier report stay if this one has nothing to replace them.
    `on_figure` is called before each figure with its place, from 1, and how many there are.
    """
    report = make_report(results)
    drawn = [picture for picture in report.pictures if picture.figure is not None]
    images = {}
    for place, picture in enumerate(drawn, 1):
        if on_figure is not None:
            on_figure(place, len(drawn))
        images |= {(picture.spec.name, kind): picture.image(kind) for kind in ("png", "pdf")}
    frames = {table.spec.name: table.frame() for table in report.method_tables if table.run}
    frames |= {table.spec.name: table.frame for table in report.detail_tables if not table.frame.empty}
    frames["claims"] = pd.DataFrame([claim.plain() for claim in report.claims])
    page = report_page(report, {name: image for (name, kind), image in images.items() if kind == "png"})
    figures = [_write(out / "figures" / f"{name}.{kind}", image) for (name, kind), image in images.items()]
    tables = [_write(out / "tables" / f"{name}.csv", frame.to_csv(index=False)) for name, frame in frames.items()]
    if markdown is not None:
        _write(markdown, markdown_page(report))
    return Written(_write(out / "report.html", page), figures, tables, markdown)


def _write(path: Path, data: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, data.encode() if isinstance(data, str) else data)
    return path
