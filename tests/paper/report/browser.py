"""A page seen through a browser without a window."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest


def open_in_browser(page: Path, scratch: Path) -> tuple[list[str], np.ndarray]:
    """What the browser complains of when it opens a page, and a picture of its top."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("needs a browser: install Debian's package chromium")
    shot = scratch / "page.png"
    run = subprocess.run(
        [
            *(browser, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--log-level=0"),
            *(f"--user-data-dir={scratch / 'profile'}", f"--screenshot={shot}", "--window-size=1400,1000"),
            page.resolve().as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    from matplotlib.image import imread

    return [line for line in run.stderr.splitlines() if "CONSOLE" in line], imread(shot)
