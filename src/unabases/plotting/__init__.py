"""Pictures of models, searches and studies.

Functions named `draw_…` draw on Axes that you give them and return those Axes; they never fit, save or show anything.
Functions named `…_figure` arrange several such drawings on a new figure, and `save_figure` writes one to a file.
"""

from unabases.plotting.calibration import draw_calibration
from unabases.plotting.files import figure_bytes, save_figure
from unabases.plotting.fit import draw_predictions, fit_figure
from unabases.plotting.gap import (
    GapData,
    GapPanel,
    draw_functions,
    draw_gap,
    draw_gap_grid,
    gap_panel,
    legend_below,
    shade_gap,
)
from unabases.plotting.left_out import LeftOutPanel, draw_left_out, left_out_panel
from unabases.plotting.regret import Course, draw_regret, draw_seconds, median_course
from unabases.plotting.search import SearchPanel, draw_search, search_panel
from unabases.plotting.study import Map, Slice, draw_best, draw_map, draw_slice, map_over, slice_along, study_figure
from unabases.plotting.style import Look, end_labels, literal, looks_for, percent_axis, plain_axes, plain_log

__all__ = [
    "Course",
    "GapData",
    "GapPanel",
    "LeftOutPanel",
    "Look",
    "Map",
    "SearchPanel",
    "Slice",
    "draw_best",
    "draw_calibration",
    "draw_functions",
    "draw_gap",
    "draw_gap_grid",
    "draw_left_out",
    "draw_map",
    "draw_predictions",
    "draw_regret",
    "draw_search",
    "draw_seconds",
    "draw_slice",
    "end_labels",
    "figure_bytes",
    "fit_figure",
    "gap_panel",
    "left_out_panel",
    "legend_below",
    "literal",
    "looks_for",
    "map_over",
    "median_course",
    "percent_axis",
    "plain_axes",
    "plain_log",
    "save_figure",
    "search_panel",
    "shade_gap",
    "slice_along",
    "study_figure",
]
