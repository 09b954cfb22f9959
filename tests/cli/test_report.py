"""`unabases report`, as a user types it."""

import gzip
import re

import pytest
from typer.testing import CliRunner

from tests.paper.report.synthetic import gap_rows
from unabases.cli.main import app
from unabases.paper.store import ResultStore

RUN = CliRunner()


def filled(path, profile="quick"):
    store, rows = ResultStore(path), gap_rows(methods=("LUNA (paper)", "GP"), datasets=("boston-rm",), n=2)
    store.set_plan("uci-gap", profile, [str(place) for place in range(len(rows))])
    for place, one in enumerate(rows):
        store.put(str(place), one)
    return path


@pytest.fixture
def no_pictures(monkeypatch):
    """Pictures are not drawn, which takes long; the first test draws them."""
    monkeypatch.setattr("unabases.paper.report.figures.record.Picture.image", lambda self, kind="png": b"")


def report(*options):
    return RUN.invoke(app, ["report", *map(str, options)])


def test_it_writes_a_page_figures_tables_and_markdown(tmp_path):
    store, out = filled(tmp_path / "results.sqlite"), tmp_path / "new" / "place"
    result = report("--store", store, "--out", out, "--markdown", tmp_path / "docs" / "results.md")
    assert result.exit_code == 0, result.output
    assert "report.html" in result.output
    assert "not run yet: map-prior" in result.output
    assert "boston-rm" in (out / "report.html").read_text(encoding="utf-8")
    assert (out / "tables" / "table-1.csv").is_file()
    assert (out / "figures" / "eurc.pdf").is_file()
    assert (tmp_path / "docs" / "results.md").read_text(encoding="utf-8").startswith("# Results")


def test_a_terminal_shows_how_many_figures_are_drawn(tmp_path, no_pictures, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    result = report("--store", filled(tmp_path / "results.sqlite"), "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    places = re.findall(r"drawing figures: (\d+) of (\d+)", result.stderr)
    assert places
    assert places[-1] == (places[-1][1], places[-1][1])
    assert "drawing figures" not in result.stdout


def test_rows_without_curves_give_the_same_tables(tmp_path, no_pictures):
    store, rows, pages = filled(tmp_path / "results.sqlite"), tmp_path / "docs" / "results.jsonl.gz", []
    for source, further in ((store, ["--rows", rows]), (rows, [])):
        pages.append(tmp_path / f"{source.stem}{source.suffix}.md")
        result = report("--store", source, "--out", tmp_path / "b", "--markdown", pages[-1], *further)
        assert result.exit_code == 0, result.output
    assert pages[0].read_text(encoding="utf-8") == pages[1].read_text(encoding="utf-8")


def test_of_several_stores_each_trial_counts_once(tmp_path, no_pictures):
    stores = [filled(tmp_path / "a.sqlite"), filled(tmp_path / "b.sqlite"), filled(tmp_path / "c.sqlite", "paper")]
    options = [option for store in stores for option in ("--store", store)]
    rows = tmp_path / "rows.jsonl.gz"
    assert report(*options, "--out", tmp_path / "out", "--rows", rows, "--profile", "quick").exit_code == 0
    assert len(gzip.decompress(rows.read_bytes()).splitlines()) == 1 + 2 * 2


def test_a_damaged_file_of_rows_is_refused(tmp_path):
    text = b'{"format": "unabases rows 1", "settings": [], "shared": []}\n{"provenance": {"shared": 0}}\n'
    (tmp_path / "rows.jsonl.gz").write_bytes(gzip.compress(text))
    result = report("--store", tmp_path / "rows.jsonl.gz", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "not a file of rows" in result.output


def test_without_results_it_says_what_to_run_and_makes_no_store(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = report("--out", "out")
    assert result.exit_code == 0, result.output
    assert "unabases reproduce" in result.output
    assert (tmp_path / "out" / "report.html").is_file()
    assert not (tmp_path / "reproduction").exists()


def test_a_store_that_is_named_has_to_be_there(tmp_path):
    result = report("--store", tmp_path / "absent.sqlite", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "absent.sqlite; expected results" in " ".join(result.output.split())
    assert list(tmp_path.iterdir()) == []


def test_a_profile_without_results_is_refused_with_the_known_ones(tmp_path):
    result = report("--store", filled(tmp_path / "results.sqlite"), "--profile", "paper", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "quick" in result.output
    assert not (tmp_path / "out").exists()


def test_a_file_that_is_no_store_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("no database, but long enough to look at" * 30)
    result = report("--store", tmp_path / "notes.txt", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "notes.txt" in result.output


def test_folders_of_something_else_are_left_alone(tmp_path, no_pictures):
    store, out = filled(tmp_path / "s.sqlite"), tmp_path / "out"
    (out / "tables").mkdir(parents=True)
    (out / "tables" / "claims.csv").write_text("mine")
    refused = report("--store", store, "--out", out)
    assert refused.exit_code == 1
    assert "holds files of something else than a report" in refused.output
    assert [path.name for path in out.rglob("*") if path.is_file()] == ["claims.csv"]
    assert report("--store", store, "--out", out, "--overwrite").exit_code == 0
    assert report("--store", store, "--out", out).exit_code == 0  # it is a report now


def test_a_folder_that_cannot_be_made_is_told(tmp_path, no_pictures):
    store = filled(tmp_path / "s.sqlite")
    (tmp_path / "figures").write_text("a file")
    result = report("--store", store, "--out", tmp_path)
    assert isinstance(result.exception, SystemExit)
    assert "Error: " in result.output
