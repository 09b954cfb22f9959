"""Reproduction of one paper: its experiments, how they are run and stored, and the report."""

from unabases.paper.comparison import SETTINGS, Comparison, compare, summarise
from unabases.paper.demo import Demo, DemoResult, run_demo

__all__ = ["SETTINGS", "Comparison", "Demo", "DemoResult", "compare", "run_demo", "summarise"]
