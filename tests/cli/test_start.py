"""The program itself, in a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

STOPPED = """
from unittest.mock import patch
from unabases.cli import start

with patch("unabases.cli.main.app", side_effect=KeyboardInterrupt):
    start.run()
"""


def run(code, **options):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, **options)


def test_an_interrupt_before_a_command_has_begun_ends_it_without_a_word():
    done = run(STOPPED)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_closed_output_is_said_in_a_sentence():
    code = "import sys; sys.argv = ['unabases', '--version']; from unabases.cli.start import run; run()"
    assert run(code).returncode == 0
    closed = subprocess.run(
        [sys.executable, "-c", f"import os; os.close(1)\n{code}"], stderr=subprocess.PIPE, text=True, timeout=120
    )
    assert closed.returncode == 1
    assert "nowhere to write" in closed.stderr
    assert "Traceback" not in closed.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
def test_full_output_is_said_in_a_sentence():
    code = "import sys; sys.argv = ['unabases', '--version']; from unabases.cli.start import run; run()"
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-u", "-c", code], stdout=full, stderr=subprocess.PIPE, text=True, timeout=120
        )
    assert done.returncode == 1
    assert "no space left" in done.stderr
    assert "Traceback" not in done.stderr
