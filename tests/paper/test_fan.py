"""The README's first picture: one data set, an ordinary model, and UNA with several seeds."""

import numpy as np

from unabases.datasets import cubic_gap
from unabases.paper.fan import fit_fan


def test_all_models_learn_from_the_same_rows_and_seeds_differ():
    fan = fit_fan(random_state=0, n_seeds=2, n_functions=3, max_steps=100)
    np.testing.assert_array_equal(fan.data.X_train, cubic_gap(random_state=0).X_train)
    assert fan.functions.shape == (3, len(fan.grid))
    first, second = fan.curves
    assert not np.allclose(first.epistemic_std, second.epistemic_std)
    inside = (fan.grid[:, 0] > -1) & (fan.grid[:, 0] < 1)
    beside = np.abs(np.abs(fan.grid[:, 0]) - 3) < 0.5
    spread = fan.functions.std(axis=0)
    assert spread[inside].mean() > 2 * spread[beside].mean()  # the functions fan out in the gap
