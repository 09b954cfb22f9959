"""`unabases audit`, as a user types it."""

import json

import pandas as pd

from tests.cli.conftest import RUN, run
from unabases.cli.main import app


def test_audit_writes_a_page_and_a_table_and_can_fail(place):
    said = run("audit", place / "m.una", place / "new.csv", "--by", "rooms,heating", "--out", place / "a.html")
    assert "rooms = " in said
    assert "</html>" in (place / "a.html").read_text()
    table = pd.read_csv(place / "a.csv")
    assert {"rooms", "heating"} == set(table["column"].dropna())
    by = ["--by", "region", "--out", place / "b.html"]
    unknown = run("audit", place / "m.una", place / "new.csv", *by, "--fail-above", "1", code=3)
    assert "region = west" in unknown
    assert (place / "b.html").exists()
    run("audit", place / "m.una", place / "new.csv", *by, "--fail-above", "100000")


def test_audit_for_programs_prints_nothing_but_json(place):
    given = ["audit", place / "m.una", place / "new.csv", "--by", "region", "--out", place / "j.html", "--json"]
    result = RUN.invoke(app, [*map(str, given), "--fail-above", "1"])
    assert result.exit_code == 3
    found = json.loads(result.stdout)
    assert found["named"][0]["value"] == "west"
    assert found["card"][0].startswith("region = west: 33 % of your rows, an unknown share of the training rows; the ")
    assert found["page"] == str(place / "j.html")
    assert "above 1 %" in result.stderr


def test_audit_says_what_to_defer_for_an_error(place):
    said = run(
        "audit", place / "m.una", place / "new.csv", "--by", "heating", "--max-error", "20", "--out", place / "c.html"
    )
    assert "for a mean absolute error of 20" in said
