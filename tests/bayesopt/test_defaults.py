from unabases import LUNA
from unabases.bayesopt.defaults import SETTINGS, default_surrogate
from unabases.bayesopt.proposer import Proposer
from unabases.regressors.luna import AS_IN_PAPER
from unabases.selection import Space


def test_the_default_surrogate_has_the_papers_architecture_and_can_be_changed():
    model = default_surrogate(warm_start=True, max_steps=10)
    assert type(model) is LUNA
    assert model.hidden_layer_sizes == (50, 50, 50)
    assert model.n_heads == 50
    assert (model.warm_start, model.max_steps) == (True, 10)


def test_the_surrogate_does_not_follow_lunas_own_defaults():
    assert set(AS_IN_PAPER) <= set(SETTINGS)
    assert (SETTINGS["where"], SETTINGS["n_points"], SETTINGS["lam"]) == ("between", 64, 1.5)


def test_it_is_what_a_search_uses():
    assert Proposer(Space(x=(0.0, 1.0))).estimator.get_params() == default_surrogate().get_params()
