"""Pictures and tables made from results."""

from unabases.paper.report.gap_figure import GapPanel, draw_gap, draw_gaps, gap_panel

__all__ = ["GapPanel", "draw_gap", "draw_gaps", "gap_panel"]
