from tests.paper.catalogue import trials
from unabases.paper.catalogue.map_prior import penalised
from unabases.paper.methods import NLM_MAP, find_method


def test_the_label_says_the_penalty():
    assert {(trial.method, trial.settings["gamma"]) for trial in trials("map-prior")} == {
        (f"{NLM_MAP}, γ = 0", 0.0),
        (f"{NLM_MAP}, γ = 10", 10.0),
    }
    assert find_method(penalised(0.5).label).label == NLM_MAP
