"""Experiments: what is fitted, on which data, and how it is scored."""

from unabases.paper.comparison import SETTINGS, VARIANTS, Comparison, compare, make_method, summarise
from unabases.paper.demo import DemoResult, demo_methods, run_demo

__all__ = [
    "SETTINGS",
    "VARIANTS",
    "Comparison",
    "DemoResult",
    "compare",
    "demo_methods",
    "make_method",
    "run_demo",
    "summarise",
]
