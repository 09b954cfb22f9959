"""Reproduction of one paper: its experiments, how they are run and stored, and the report."""

from unabases.paper.comparison import SETTINGS, Comparison, Demo, DemoResult, compare, run_demo, summarise

__all__ = ["SETTINGS", "Comparison", "Demo", "DemoResult", "compare", "run_demo", "summarise"]
