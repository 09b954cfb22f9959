"""Ctrl-C and SIGTERM, once and twice."""

import signal
import subprocess
import sys

import pytest

from unabases.cli.interrupt import hear_interrupts

TWICE = """
import os, signal
from unabases.cli.interrupt import hear_interrupts
hear_interrupts()
try:
    os.kill(os.getpid(), signal.SIGINT)
except KeyboardInterrupt:
    print("once", flush=True)  # and lost
os.kill(os.getpid(), signal.SIGINT)
print("twice", flush=True)
"""


IGNORED = """
import gc, os, signal, time
from unabases.cli.interrupt import hear_interrupts
hear_interrupts()
def at_collection(phase, facts):
    gc.callbacks.remove(at_collection)
    os.kill(os.getpid(), signal.SIGINT)
    len("where it is raised, and ignored")
gc.callbacks.append(at_collection)
try:
    gc.collect()
    for _ in range(100):  # what is raised again is heard between two steps of Python
        time.sleep(0.1)
    print("lost")
except KeyboardInterrupt:
    print("heard")
class Other:
    def __del__(self):
        raise ValueError("another error")
del Other
"""
WRITING = """
import os, signal, sys
from pathlib import Path
from unabases.cli.interrupt import hear_interrupts
from unabases.storage import open_whole
hear_interrupts()
with open_whole(Path(sys.argv[1]) / "file") as file:
    file.write(b"half")
    os.kill(os.getpid(), signal.SIGTERM)
"""
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a process cannot send itself Ctrl-C there")


def run(script: str, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True)


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_an_interrupt_that_would_be_ignored_is_heard(number):
    ended = run(IGNORED.replace("SIGINT", number))
    assert (ended.stdout, ended.stderr) == ("heard\n", "")


def test_a_terminated_process_leaves_no_half_file(tmp_path):
    ended = run(WRITING, str(tmp_path))
    assert "KeyboardInterrupt" in ended.stderr  # which commands answer: they heard it
    assert list(tmp_path.iterdir()) == []


def test_other_errors_that_are_ignored_are_shown_as_ever():
    ended = run(IGNORED.replace("del Other", "Other()"))
    assert ended.stdout == "heard\n"
    assert "ValueError: another error" in ended.stderr


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_a_second_interrupt_ends_a_command_that_lost_the_first(number):
    ended = run(TWICE.replace("SIGINT", number))
    assert ended.stdout == "once\n"
    assert ended.returncode == 130


@pytest.mark.parametrize("handler", [signal.SIG_IGN, lambda *_: None])
def test_somebody_who_takes_care_of_interrupts_already_is_left_alone(handler):
    before = signal.signal(signal.SIGINT, handler)
    try:
        hear_interrupts()
        assert signal.getsignal(signal.SIGINT) is handler
    finally:
        signal.signal(signal.SIGINT, before)
