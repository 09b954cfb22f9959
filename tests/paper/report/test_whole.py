"""Everything from the command to the page: all experiments of the profile tiny, their report, and a browser."""

import re

import pytest
from typer.testing import CliRunner

from tests.paper.report.browser import open_in_browser
from unabases.cli.main import app
from unabases.paper.catalogue import EXPERIMENTS
from unabases.paper.report.figures import FIGURES
from unabases.paper.report.figures.glance import GLANCES
from unabases.paper.report.figures.honesty import HONESTY_FIGURES
from unabases.paper.report.method_tables import METHOD_TABLES

RUN = CliRunner()


@pytest.mark.slow
def test_the_profile_tiny_runs_to_its_end_and_its_report_shows_all(data_directory, tmp_path):
    store, out = tmp_path / "results.sqlite", tmp_path / "report"
    run = RUN.invoke(app, ["reproduce", *EXPERIMENTS, "--profile", "tiny", "--jobs", "1", "--store", str(store)])
    assert run.exit_code == 0, run.output
    again = RUN.invoke(app, ["reproduce", "--all", "--profile", "tiny", "--jobs", "1", "--store", str(store)])
    assert "0 trials were run" in again.output

    written = RUN.invoke(app, ["report", "--store", str(store), "--out", str(out)])
    assert written.exit_code == 0, written.output
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "Not run yet" not in page
    assert page.count("<img ") == len(FIGURES) + len(HONESTY_FIGURES) + len(GLANCES)
    assert len(list((out / "figures").glob("*.png"))) == len(FIGURES) + len(HONESTY_FIGURES)
    filled = {file.stem for file in (out / "tables").glob("*.csv")}
    assert {spec.name for spec in METHOD_TABLES} <= filled
    failures = re.search(r'<section id="failures">(.*?)</section>', page, re.DOTALL)
    assert failures
    assert "None." in failures[1]

    complaints, _ = open_in_browser(out / "report.html", tmp_path)
    assert complaints == []
