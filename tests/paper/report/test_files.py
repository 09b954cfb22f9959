"""The report on disk is complete."""

import pandas as pd


def test_figures_and_tables_lie_beside_the_page(written):
    names = {path.name for path in written.figures}
    assert {"cubic-gap.png", "cubic-gap.pdf", "restarts-luna.png", "transfer.pdf"} <= names
    assert all(path.read_bytes()[:4] in (b"\x89PNG", b"%PDF") for path in written.figures)
    assert {"table-1.csv", "consistency.csv", "claims.csv"} <= {path.name for path in written.tables}


def test_tables_hold_numbers_and_claims_their_verdicts(written):
    files = {path.name: path for path in written.tables}
    assert pd.read_csv(files["table-1.csv"])["mean"].between(-1, 1).all()
    assert set(pd.read_csv(files["claims.csv"])["verdict"]) <= {"holds", "does not hold", "open"}


def test_the_page_and_the_markdown_page_are_there(written):
    assert written.page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert written.markdown.read_text(encoding="utf-8").startswith("# Results")
