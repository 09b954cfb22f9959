import numpy as np
import pytest

from unabases.audit.strips import Scale, scale_for, strip_panels


def test_a_strip_shows_the_rows_of_its_group_in_their_places(found):
    scale, panels = strip_panels(found)
    assert [panel.column for panel in panels] == found.columns["column"].tolist()
    assert panels[0].column == "gender"
    women, men = panels[0].strips
    assert (women.name, women.named, men.named) == ("gender = f", True, False)
    assert women.reference == []  # training has no women
    stds = found.group_stds["gender", "f"].audited
    typical = found.reference_std.mean()
    assert [mark.x for mark in women.audited] == pytest.approx([scale.place(s / typical) for s in stds], abs=0.01)
    assert all(0 <= mark.x <= 100 and 0 <= mark.height <= 1 for mark in (*women.audited, *men.reference))
    assert np.mean([mark.x for mark in women.audited]) > np.mean([mark.x for mark in men.audited])


@pytest.mark.parametrize("multiples", [[0.9, 1.1], [0.5, 2.0], [0.3, 40.0], [1e-4, 1e4], [0.0, 0.0], [1.0, 1.0]])
def test_every_axis_has_a_few_round_ticks_in_order_and_a_place_for_all(multiples):
    scale = scale_for(np.array(multiples))
    ticks = scale.ticks()
    assert 1 <= len(ticks) <= 7
    assert [tick.x for tick in ticks] == sorted({tick.x for tick in ticks})
    assert all("e" not in tick.text for tick in ticks if multiples[-1] < 1e4)
    assert all(0 <= scale.place(value) <= 100 for value in multiples)


def test_a_logarithmic_axis_gives_equal_room_to_equal_ratios():
    scale = Scale(0.5, 8.0, log=True)
    places = [scale.place(value) for value in (0.5, 1.0, 2.0, 4.0, 8.0)]
    assert np.diff(places) == pytest.approx(np.full(4, 24.0))
