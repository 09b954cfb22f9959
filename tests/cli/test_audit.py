"""`unabases audit`, as a user types it."""

import pandas as pd

from tests.cli.conftest import run


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


def test_audit_says_what_to_defer_for_an_error(place):
    said = run(
        "audit", place / "m.una", place / "new.csv", "--by", "heating", "--max-error", "20", "--out", place / "c.html"
    )
    assert "for a mean absolute error of 20" in said
