"""The demonstration compares three models on data with a gap."""

import numpy as np

from unabases.datasets import cubic_gap
from unabases.paper.demo import run_demo
from unabases.paper.methods import GP, LUNA, NLM_MAP


def test_three_models_are_scored_on_the_data_of_the_seed():
    found = run_demo(random_state=3, max_steps=50)
    assert [result.method for result in found.results] == [NLM_MAP, LUNA, GP]
    assert np.array_equal(found.data.X_train, cubic_gap(random_state=3).X_train)
    for result in found.results:
        assert result.curve.mean.shape == (len(found.grid),)
        assert set(result.scores) == {"RMSE", "log-lik.", "epistemic std, data", "epistemic std, gap", "EURC"}
    assert found.results[2].scores["EURC"] > 1
