"""Ctrl-C, once and twice."""

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


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot send itself Ctrl-C there")
def test_a_second_interrupt_ends_a_command_that_lost_the_first():
    ended = subprocess.run([sys.executable, "-c", TWICE], capture_output=True, text=True)
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
