import os
from pathlib import Path

import pytest

from unabases.datasets.directory import DATA_DIR_VARIABLE
from unabases.datasets.files import OFFLINE_VARIABLE
from unabases.datasets.registry import entry
from unabases.datasets.uci import UCI
from unabases.training.compilation import release_programs

os.environ[OFFLINE_VARIABLE] = "1"  # no test downloads anything, unless it asks for it


@pytest.fixture(scope="session")
def data_directory():
    """The data directory named by the environment, or a skip that says what is missing."""
    named = os.environ.get(DATA_DIR_VARIABLE)
    if not named:
        pytest.skip(f"needs real data: set {DATA_DIR_VARIABLE} to a directory with uci/*.csv and *.csv.gz")
    files = [file.path for name in (*UCI, "gap_splits", "standard_splits") for file in entry(name).files]
    if missing := [file for file in files if not (Path(named) / file).is_file()]:
        pytest.skip(f"needs real data: {named} lacks {', '.join(missing)}")
    return Path(named)


@pytest.fixture(scope="module", autouse=True)
def _few_programs():
    """Drop programs between modules, so that the library, which does so when there are many, never does in a test."""
    release_programs(share=0.25, now=True)
