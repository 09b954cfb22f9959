"""Experiments: what is fitted, on which data, and how it is scored."""

from unabases.experiments.demo import DemoResult, demo_methods, run_demo

__all__ = ["DemoResult", "demo_methods", "run_demo"]
