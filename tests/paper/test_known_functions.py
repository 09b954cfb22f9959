"""Functions with known noise."""

import numpy as np
import pytest

from unabases.paper.known_functions import FUNCTIONS, draw_known


@pytest.mark.parametrize("name", FUNCTIONS)
def test_rows_are_those_of_the_seed_and_the_noise_has_mean_zero(name):
    rows, again, other = draw_known(name, 0), draw_known(name, 0), draw_known(name, 1)
    assert len(rows.y_train) == FUNCTIONS[name].n
    assert np.array_equal(rows.y_train, again.y_train)
    assert not np.array_equal(rows.y_train, other.y_train)
    noise = np.concatenate([draw.y_test - draw.f_test for draw in (draw_known(name, seed) for seed in range(20))])
    assert abs(noise.mean()) < 4 * noise.std() / np.sqrt(len(noise))


def test_the_sine_of_the_square_is_the_one_of_the_two_sides():
    rows = draw_known("sine-of-square", 3)
    x = rows.X_test[:, 0]
    assert np.abs(x).min() >= 1
    assert np.abs(x).max() <= 3
    assert (x < 0).mean() == pytest.approx(0.5, abs=0.06)
    assert np.array_equal(rows.f_test, np.sin(1.5 * x**2))


def test_noise_grows_is_skewed_or_has_heavy_tails_where_the_name_says_so():
    growing, heavy, skewed = (draw_known(name, 0) for name in ("varying-noise", "heavy-tails", "skewed"))
    right = growing.X_test[:, 0] > 0
    noise = growing.y_test - growing.f_test
    assert noise[right].std() > 2 * noise[~right].std()
    tails = np.abs(heavy.y_test - heavy.f_test)
    assert tails.max() > 5 * np.sqrt(np.mean(tails**2))
    assert skewed.y_test.min() > 0
    logs = np.log(skewed.y_test / skewed.f_test)
    assert logs.std() == pytest.approx(0.5, rel=0.1)


def test_an_unknown_function_is_refused():
    with pytest.raises(ValueError, match="unknown function 'flat'; known ones are sine-of-square"):
        draw_known("flat", 0)
