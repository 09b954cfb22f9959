"""One whole report, written once for all tests that look at it."""

import pytest

from tests.paper.report.synthetic import all_rows
from unabases.paper.report.figures import Picture
from unabases.paper.report.files import write_report
from unabases.paper.report.rows import gather

AS_PDF = ("cubic-gap", "transfer")  # drawing the others a second time would take long and show nothing new


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    out, image = tmp_path_factory.mktemp("report"), Picture.image

    def quick_image(self, kind="png"):
        return image(self, kind) if kind == "png" or self.spec.name in AS_PDF else b"%PDF"

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Picture, "image", quick_image)
        return write_report(gather(all_rows(n_restarts=1)), out / "new" / "place", out / "other" / "results.md")
