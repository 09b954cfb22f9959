from tests.paper.catalogue import trials
from unabases.paper.catalogue.training_length import STEPS


def test_training_lengths_differ_in_steps_and_size_alone():
    found = trials("training-length", "quick")
    assert {trial.settings["max_steps"] for trial in found} == set(STEPS)
    assert len({trial.method for trial in found}) == 3 * len(STEPS)
    assert {trial.settings["objective"] for trial in found} == {"mle"}
