"""Everything that a report shows, made once from the stored results."""

from typing import NamedTuple

from unabases.paper.report.claims import CheckedClaim, all_claims
from unabases.paper.report.detail_tables import DetailTable, all_detail_tables
from unabases.paper.report.figures import Picture, all_pictures
from unabases.paper.report.figures.glance import all_glances
from unabases.paper.report.findings import five_findings
from unabases.paper.report.method_tables import MethodTable, all_method_tables
from unabases.paper.report.rows import Results

__all__ = ["Report", "make_report"]


class Report(NamedTuple):
    """The parts of a report; `findings` are its first lines."""

    results: Results
    findings: list[str]
    claims: list[CheckedClaim]
    method_tables: list[MethodTable]
    detail_tables: list[DetailTable]
    pictures: list[Picture]
    glances: list[Picture]
    """The small figures of the first screen."""


def make_report(results: Results, figures: bool = True) -> Report:
    """Check the claims, fill the tables and draw the figures.

    Parameters
    ----------
    results
        The rows to show, from `gather`.
    figures
        Whether to draw the figures; a Markdown page has none.
    """
    claims, tables = all_claims(results), all_method_tables(results)
    findings = five_findings(results, claims, tables)
    pictures = all_pictures(results) if figures else []
    glances = all_glances(results) if figures else []
    return Report(results, findings, claims, tables, all_detail_tables(results), pictures, glances)
