import numpy as np
import pytest
from matplotlib.figure import Figure

from unabases import GaussianProcess
from unabases.bayesopt import BayesOpt, Space
from unabases.plotting import (
    Map,
    draw_best,
    draw_map,
    draw_slice,
    figure_bytes,
    map_over,
    slice_along,
    study_figure,
)

SPACE = Space(x=(-1.0, 1.0), n=(1, 100, "log-integer"), kind=["a", "b"])


@pytest.fixture(scope="module")
def study():
    study = BayesOpt(SPACE, surrogate=GaussianProcess(restarts=0), n_initial=5, random_state=0)
    study.minimize(lambda p: (p["x"] - 0.2) ** 2 + np.log10(p["n"]) + (p["kind"] == "a"), n=9)
    study.fail(study.ask())
    return study


def axes(count=1):
    return Figure().subplots(count, 1)


def test_the_best_so_far_never_rises_and_failures_are_shown(study):
    ax = draw_best(axes(), study)
    told, best, failed = ax.lines[:3]
    np.testing.assert_array_equal(told.get_ydata(), study.history_["value"].to_numpy()[:9])
    assert np.all(np.diff(np.asarray(best.get_ydata(), dtype=float)) <= 0)
    assert list(failed.get_xdata()) == [10]


def test_a_slice_is_what_the_study_predicts_through_the_best_point(study):
    part = slice_along(study, "x", n=11)
    np.testing.assert_allclose(part.x, np.linspace(-1, 1, 11))
    mean, std = study.predict([{**study.best_.x, "x": x} for x in part.x])
    np.testing.assert_allclose(part.mean, mean)
    np.testing.assert_allclose(part.std, std)
    assert part.best == (study.best_.x["x"], study.best_.value)
    above, below = axes(2)
    draw_slice(above, part, below)
    np.testing.assert_allclose(above.lines[0].get_ydata(), mean)
    np.testing.assert_allclose(below.lines[0].get_ydata(), np.maximum(part.acquisition, part.acquisition.max() - 20))
    assert below.get_xlabel() == "x"


def test_slices_along_whole_numbers_and_choices(study):
    whole = slice_along(study, "n", n=50)
    assert whole.log
    assert all(isinstance(value, int) for value in whole.x)
    assert (whole.x[0], whole.x[-1]) == (1, 100)
    draw_slice(axes(), whole)
    choice = slice_along(study, "kind")
    assert choice.x == ["a", "b"]
    draw_slice(axes(), choice, axes())
    at = slice_along(study, "x", at={"x": 0, "n": 50, "kind": "a"}, n=3)
    np.testing.assert_allclose(at.mean, study.predict([{"x": x, "n": 50, "kind": "a"} for x in (-1, 0, 1)])[0])


def test_a_map_is_what_the_study_predicts(study):
    part = map_over(study, ("x", "n"), n=7)
    assert part.layers["mean"].shape == (len(part.y), len(part.x))
    point = {**study.best_.x, "x": part.x[2], "n": int(part.y[1])}
    assert part.layers["mean"][1, 2] == pytest.approx(study.predict([point])[0][0])
    assert part.layers["standard deviation"][1, 2] == pytest.approx(study.predict([point])[1][0])
    assert len(part.told) == 9
    for layer in part.layers:
        ax = draw_map(axes(), part, layer)
        assert ax.get_yscale() == "log"
    with pytest.raises(ValueError, match="unknown layer 'x'; known ones are mean"):
        draw_map(axes(), part, "x")
    with pytest.raises(ValueError, match="`kind` is a choice"):
        map_over(study, ("x", "kind"))
    with pytest.raises(ValueError, match="unknown parameter 'z'; known ones are x, n, kind"):
        slice_along(study, "z")


def test_whole_figures_have_their_panels(study):
    assert len(study_figure(study).axes) == 4 + 3  # and three bars of colours
    one = BayesOpt(Space(x=(0.0, 1.0)), surrogate=GaussianProcess(restarts=0), n_initial=3, random_state=0)
    one.minimize(lambda p: p["x"] ** 2, n=4)
    assert len(study_figure(one).axes) == 3


def test_names_and_choices_that_look_like_formulas_are_drawn_as_they_are():
    study = BayesOpt(
        Space(**{r"$\frac{$": ["$a$", r"$\sqrt{$"]}), surrogate=GaussianProcess(restarts=0), n_initial=2, random_state=0
    )
    study.tell({r"$\frac{$": "$a$"}, 1.0)
    study.tell({r"$\frac{$": r"$\sqrt{$"}, 2.0)
    figure_bytes(study_figure(study), dpi=30)
    values = np.ones((2, 2))
    part = Map(
        (r"$\frac{$", "$b"), np.arange(2.0), np.arange(2.0), {"mean": values}, np.zeros((1, 2)), (0, 0), (False, False)
    )
    ax = draw_map(axes(), part)
    assert ax.get_xlabel() == r"\$\frac{\$"


def test_logarithmic_axes_have_plain_numbers():
    grid = np.array([1e-3, 1e-2, 1e-1])
    part = Map(
        ("rate", "x"), grid, np.arange(3.0), {"mean": np.eye(3)}, grid[:1, None].repeat(2, 1), (0.01, 1), (True, False)
    )
    ax = draw_map(axes(), part)
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "linear")
    assert ax.xaxis.get_major_formatter()(0.001) == "0.001"
