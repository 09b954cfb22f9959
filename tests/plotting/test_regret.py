"""Pictures of searches show medians over searches."""

import numpy as np
from matplotlib.figure import Figure

from unabases.plotting import Look, draw_regret, draw_seconds, median_course

REGRET = {"LUNA": [[3.0, 2.0, 1.0], [5.0, 1.0, 0.5], [4.0, 4.0, 0.0]]}
SECONDS = {"LUNA": [[0.0, 0.2, 0.1], [0.0, 0.2, 0.2], [0.0, 0.2, 0.3]], "random": [[0.0, 0.0, 0.0]]}


def test_a_course_is_the_median_and_the_quartiles():
    course = median_course(REGRET["LUNA"])
    np.testing.assert_allclose(course.median, [4.0, 2.0, 0.5])
    np.testing.assert_allclose(course.low, [3.5, 1.5, 0.25])
    np.testing.assert_allclose(course.high, [4.5, 3.0, 0.75])


def test_regret_is_the_median_over_searches_on_a_logarithmic_axis():
    ax = draw_regret(Figure().subplots(), REGRET, {"LUNA": Look("#ff0000", "s")})
    np.testing.assert_allclose(ax.lines[0].get_ydata(), [4.0, 2.0, 0.5])
    assert (ax.get_yscale(), ax.get_xlabel(), ax.get_ylabel()) == ("log", "evaluation", "regret")
    assert ax.lines[0].get_marker() == "s"


def test_a_regret_of_nothing_has_a_place_on_the_axis():
    ax = draw_regret(Figure().subplots(), {"LUNA": REGRET["LUNA"][2:]})
    assert ax.lines[0].get_ydata()[-1] == 1e-6


def test_time_is_the_median_over_searches_and_what_takes_none_is_not_drawn():
    ax = draw_seconds(Figure().subplots(), SECONDS)
    (line,) = ax.lines
    np.testing.assert_allclose(line.get_ydata(), [np.nan, 0.2, 0.2])
    assert ax.get_ylabel() == "seconds per evaluation"
