"""The whole report as one HTML page that needs nothing else: no fonts, no files beside it, one script that sorts."""

import base64
from collections.abc import Callable, Mapping
from typing import NamedTuple

import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from unabases.paper.catalogue import EXPERIMENTS
from unabases.paper.report.contents import Report
from unabases.paper.report.figures.glance import GLANCES
from unabases.paper.report.findings import claims_line
from unabases.paper.report.lunas import LUNAS
from unabases.paper.report.provenance import costs, failures, locked_runs, machines, runs, settings, warnings_given
from unabases.paper.report.rows import Results, command
from unabases.paper.report.sizes import size_line, sizes
from unabases.paper.report.verdicts import RULE
from unabases.paper.report.words import METHOD_WORDS, TERMS
from unabases.storage import page_parts

__all__ = ["TITLE", "report_page"]

TITLE = "Uncertainty-aware bases: every table and figure, beside the paper's numbers"


LEAD = (
    "A model should be less sure where it has seen no data. The paper proposes LUNA for that; this page runs its "
    "experiments again and holds every number beside the printed one."
)


class _Part(NamedTuple):
    """A table of how the results were made."""

    name: str
    title: str
    make: Callable[[Results], pd.DataFrame]
    note: str = ""


_PARTS = (
    _Part("runs", "Runs", runs, "Times of single trials, added up over all processes."),
    _Part("costs", "What takes the time", costs, "Processor seconds of all threads, with compilation."),
    _Part("machines", "Versions and machines", machines),
    _Part("settings", "Settings", settings, "If trials differ, for example by a search: all values, or their range."),
    _Part("locked-runs", "Runs of locked halves", locked_runs, "Data sets and their splits, by version of the code."),
    _Part("failures", "Failures", failures),
    _Part("warnings", "Warnings", warnings_given),
)


def report_page(report: Report, images: Mapping[str, bytes] | None = None) -> str:
    """Write the page.

    Parameters
    ----------
    report
        What it shows.
    images
        The figures as PNG files, by name, if they were made already.
    """
    results, made = report.results, dict(images or {})
    for picture in report.pictures:
        if picture.figure is not None and picture.spec.name not in made:
            made[picture.spec.name] = picture.image()
    run = sizes(results)
    environment = Environment(
        loader=PackageLoader("unabases.paper.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style, script = page_parts("unabases.paper.report", "page")
    return environment.get_template("page.html").render(
        title=TITLE,
        lead=f"{LEAD} {claims_line(report.claims)}",
        style=Markup(style),
        script=Markup(script),
        glances=GLANCES,
        glance_images={one.spec.name: base64.b64encode(one.image()).decode("ascii") for one in report.glances},
        terms=TERMS,
        method_words=METHOD_WORDS,
        rule=RULE,
        lunas=LUNAS,
        report=report,
        images={name: base64.b64encode(image).decode("ascii") for name, image in made.items()},
        sizes=run,
        size_line=size_line(run),
        tiny="tiny" in results.profiles.values(),
        missing={EXPERIMENTS[name].title: command(name) for name in results.missing()},
        parts=[(part, part.make(results)) for part in _PARTS],
    )
