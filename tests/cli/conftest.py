"""Commands as a user types them, and a folder with tables and a model."""

import numpy as np
import pytest
from typer.testing import CliRunner

from tests.tables.conftest import make_homes
from unabases.cli.main import app

RUN = CliRunner(env={"COLUMNS": "160", "NO_COLOR": "1"})
QUICK = ["--method", "GaussianProcess", "--set", "restarts=0"]


def run(*arguments, code=0):
    result = RUN.invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output
    return result.output


@pytest.fixture(scope="session")
def place(tmp_path_factory):
    """A folder with a training table, new rows of which some are far away, and a model."""
    place = tmp_path_factory.mktemp("homes")
    make_homes(150).to_csv(place / "train.csv", index=False)
    new = make_homes(120, seed=1)
    far = new.index < 40
    new["rooms"] = new["rooms"] + 15 * far
    new.insert(0, "region", np.where(far, "west", "east"))
    new.to_csv(place / "new.csv", index=False)
    (place / "fit.txt").write_text(
        run("fit", place / "train.csv", "--target", "price", "--out", place / "m.una", *QUICK)
    )
    return place
