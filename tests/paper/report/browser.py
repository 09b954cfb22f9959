"""A page seen through a browser without a window."""

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest


def open_in_browser(page: Path, scratch: Path, width: int = 1400, dark: bool = False) -> tuple[list[str], np.ndarray]:
    """What the browser complains of when it opens a page, and a picture of its top, in light or dark colours."""
    shot = scratch / "page.png"
    logged = ("--enable-logging=stderr", "--log-level=0")
    colours = ("--hide-scrollbars", f"--blink-settings=preferredColorScheme={0 if dark else 1}")
    run = _browse(page, scratch, f"--screenshot={shot}", *logged, *colours, width=width)
    from matplotlib.image import imread

    return [line for line in run.stderr.splitlines() if "CONSOLE" in line], imread(shot)


def ask_in_browser(page: Path, question: str, scratch: Path, width: int = 1400) -> Any:
    """What a function returns that is run on a page, written as the body of a JavaScript function.

    It runs on a copy of the page without its security policy, which would not let it.
    """
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page.read_text(encoding="utf-8"))
    answer = "const answer = document.createElement('pre'); answer.id = 'answer'; document.body.append(answer);"
    reply = f"answer.textContent = JSON.stringify((() => {{ {question} }})());"
    ask = f"addEventListener('load', () => {{ {answer} {reply} }})"
    copy = scratch / "asked.html"
    before, _, after = text.rpartition("</body>")
    copy.write_text(f"{before}<script>{ask}</script></body>{after}", encoding="utf-8")
    seen = re.search(r'<pre id="answer">(.*?)</pre>', _browse(copy, scratch, "--dump-dom", width=width).stdout, re.S)
    assert seen, "the page did not answer"
    return json.loads(html.unescape(seen[1]))


def read_in_browser(address: str, scratch: Path, width: int = 1400) -> str:
    """The page at an address as it is when its scripts have run."""
    return _browse(address, scratch, "--dump-dom", width=width).stdout


def _browse(page: Path | str, scratch: Path, *options: str, width: int) -> subprocess.CompletedProcess[str]:
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("needs a browser: install Debian's package chromium")
    address = page if isinstance(page, str) else page.resolve().as_uri()
    run = subprocess.run(
        [
            *(browser, "--headless", "--no-sandbox", "--disable-gpu", f"--window-size={width},1000"),
            *(f"--user-data-dir={scratch / 'profile'}", *options, address),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run
