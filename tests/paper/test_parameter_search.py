"""The search of a method's parameters as a trial of its own."""

import numpy as np
import pytest

from tests.paper.cheap import SMALL, make_trial
from unabases.paper.trials import run_group


def test_a_search_is_stored_with_its_choice_and_all_its_trials():
    settings = {"parameters": SMALL, "space": {"gamma": (0.1, 1.0)}, "rule": "likely", "n_random": 3, "n_trials": 0}
    trial = make_trial(
        "parameter_search:choose_parameters", settings={**settings, "restarts": 1, "validation": 5}, alone=True
    )
    (row,) = run_group((trial,), [{}])
    assert row.failed == ""
    assert len(row.curves["gamma"]) == 3
    best = row.curves["chosen"]
    assert best == int(np.argmax(row.curves["log_likelihood"]))
    assert row.settings["chosen"] == {"gamma": row.curves["gamma"][best]}
    assert row.scores["log_likelihood"] == pytest.approx(row.curves["log_likelihood"][best])
