from math import exp, sqrt, tanh

import numpy as np
import pytest
from numpy.testing import assert_allclose

from unabases.objectives.schedules import SCHEDULES, check_schedule, schedule_values

FORMULAS = {
    "sqrt": lambda t, T: sqrt(t / T),
    "sigmoid": lambda t, T: 1 / (1 + exp(-6 * t / T + 3)),
    "tanh": lambda t, T: (tanh(6 * t / T - 3) + 1) / 2,
    "none": lambda t, T: 1.0,
}


@pytest.mark.parametrize("name", SCHEDULES)
def test_schedule_follows_its_formula(name):
    T = 20
    expected = [FORMULAS[name](t, T) for t in range(1, T + 1)]
    assert_allclose(schedule_values(name, np.arange(1, T + 1) / T), expected, rtol=1e-6)


def test_unknown_name_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"unknown schedule 'linear'; known ones are sqrt, sigmoid, tanh, none"):
        check_schedule("linear")
