"""Why a claim does not hold here: what differs from the paper, and what shows it."""

from unabases.paper.report.rows import Results

__all__ = ["what_differs"]


def what_differs(name: str, results: Results) -> str:
    """What differs from the paper for a claim that does not hold, with the measurement that shows it."""
    return ""
