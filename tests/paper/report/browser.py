"""A page seen through a browser without a window."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest


def open_in_browser(page: Path, scratch: Path, width: int = 1400, dark: bool = False) -> tuple[list[str], np.ndarray]:
    """What the browser complains of when it opens a page, and a picture of its top, in light or dark colours."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("needs a browser: install Debian's package chromium")
    shot = scratch / "page.png"
    run = subprocess.run(
        [
            *(browser, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--log-level=0"),
            *(f"--user-data-dir={scratch / 'profile'}", f"--screenshot={shot}", f"--window-size={width},1000"),
            *("--hide-scrollbars", f"--blink-settings=preferredColorScheme={0 if dark else 1}"),
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
