from tests.paper.catalogue import trials
from unabases.paper.catalogue.transfer import DATA
from unabases.paper.methods import LUNA, LUNA_PAPER, NLM_MAP, SNGP


def test_transfer_varies_the_features_and_shows_the_data():
    found = trials("transfer")
    assert {trial.method for trial in found} == {DATA, LUNA_PAPER, LUNA, NLM_MAP, SNGP}
    for trial in found:
        assert trial.method == DATA or trial.settings["hidden_layer_sizes"][-1] == trial.notes["n_features"]
