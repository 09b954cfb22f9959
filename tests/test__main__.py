"""The command line as a module."""

import subprocess
import sys

from unabases import __version__


def test_python_m_is_the_command_line():
    answer = subprocess.run([sys.executable, "-m", "unabases", "--version"], capture_output=True, text=True, check=True)
    assert __version__ in answer.stdout
    bad = subprocess.run([sys.executable, "-m", "unabases", "fitt"], capture_output=True, text=True)
    assert bad.returncode == 2
    assert "Usage: unabases " in bad.stderr
