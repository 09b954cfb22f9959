"""Helpers for tests of the experiments."""

from unabases.paper.catalogue import EXPERIMENTS
from unabases.paper.plan import expand


def trials(name, profile="paper"):
    return [trial for group in expand(EXPERIMENTS[name], profile) for trial in group]
