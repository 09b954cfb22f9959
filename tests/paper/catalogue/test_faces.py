from tests.paper.catalogue import trials
from unabases.paper.catalogue.faces import EXPERIMENT


def test_the_experiment_expands_to_trials_of_the_papers_network():
    found = trials("faces")
    assert len(found) == 2 * 5 * len(EXPERIMENT.methods)
    assert {trial.settings["hidden_layer_sizes"] for trial in found} == {(500,), (50,)}
    assert {trial.settings["batch_size"] for trial in found} == {1024}
