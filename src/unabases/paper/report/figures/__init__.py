"""The report's figures, each with its words and the function that draws it from stored rows."""

from unabases.paper.report.figures.comparison import comparison_figure, demo_figure, fan_figure
from unabases.paper.report.figures.drawn import FIGURES, OTHER_FIGURES, all_pictures
from unabases.paper.report.figures.record import FigureSpec, Picture

__all__ = [
    "FIGURES",
    "OTHER_FIGURES",
    "FigureSpec",
    "Picture",
    "all_pictures",
    "comparison_figure",
    "demo_figure",
    "fan_figure",
]
