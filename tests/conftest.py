import os
from pathlib import Path

import pytest

from unabases.datasets.directory import DATA_DIR_VARIABLE
from unabases.datasets.uci import UCI


@pytest.fixture(scope="session")
def data_directory():
    """The data directory named by the environment, or a skip that says what is missing."""
    named = os.environ.get(DATA_DIR_VARIABLE)
    if not named:
        pytest.skip(f"needs real data: set {DATA_DIR_VARIABLE} to a directory with uci/*.csv")
    files = [*(f"uci/{name}.csv" for name in UCI), "uci/gap_splits.npz"]
    if missing := [file for file in files if not (Path(named) / file).is_file()]:
        pytest.skip(f"needs real data: {named} lacks {', '.join(missing)}")
    return Path(named)
