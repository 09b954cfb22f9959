"""The noise variance that all methods of a split are given."""

import pytest

from tests.paper.cheap import SMALL, make_trial
from unabases import NeuralLinear
from unabases.datasets import cubic_gap
from unabases.paper.trials import run_group


def test_the_noise_is_that_of_residuals():
    (row,) = run_group((make_trial("noise:settle_noise", alone=True, regressor=""),), [{}])
    data = cubic_gap()
    alone = NeuralLinear(**SMALL, random_state=0).fit(data.X_train, data.y_train)
    assert row.scores["sigma2"] == pytest.approx(alone.sigma2_, rel=1e-5)
