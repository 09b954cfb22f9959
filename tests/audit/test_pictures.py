import numpy as np
import pytest


def test_a_picture_has_a_panel_for_each_question(found):
    figure = found.plot()
    assert [ax.get_title() for ax in figure.axes] == ["How familiar the rows are", "Values of columns", "Error of the rows kept"]  # fmt: skip  # noqa: E501


@pytest.mark.parametrize(("factor", "scale", "unit"), [(100.0, "log", 1), (0.01, "linear", 100)])
def test_large_changes_are_drawn_as_multiples(found, factor, scale, unit):
    values = found.values.assign(**{name: factor * found.values[name] for name in ("relative", "lower", "upper")})
    changed = type(found)(**{**vars(found), "values": values})
    ax = changed.plot().axes[1]
    words = "epistemic std, training = 1" if unit == 1 else "epistemic std relative to training, %"
    assert (ax.get_xscale(), ax.get_xlabel()) == (scale, words)
    drawn = np.asarray(ax.collections[1].get_offsets())[:, 0]
    shown = values[values["rows"] > 0]["relative"].head(24).to_numpy()
    assert drawn == pytest.approx(1 + shown if unit == 1 else 100 * shown)
