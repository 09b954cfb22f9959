"""One whole report, written once for all tests that look at it."""

import pytest

from tests.paper.report.synthetic import all_rows
from unabases.paper.report.files import write_report
from unabases.paper.report.rows import gather


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    out = tmp_path_factory.mktemp("report")
    return write_report(gather(all_rows(n_restarts=2)), out / "new" / "place", out / "other" / "results.md")
