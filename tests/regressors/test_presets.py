"""The paper's settings are complete, are parameters, and the ones in use train."""

import pytest

from unabases import all_regressors
from unabases.regressors.presets import PRESETS, from_preset

PAIRS = [(experiment, name) for experiment, known in PRESETS.items() for name in known]


@pytest.mark.parametrize(("experiment", "name"), PAIRS)
def test_every_setting_is_a_parameter_with_its_place_in_the_paper(experiment, name):
    preset = PRESETS[experiment][name]
    parameters = set(all_regressors()[name]().get_params())
    assert set(preset.printed) | set(preset.instead) <= parameters
    assert "Appendix" in preset.source
    assert bool(preset.instead) <= bool(preset.why)


def test_all_regressors_have_settings_for_the_gap_experiments():
    for experiment in ("cubic-gap", "uci-gap", "uci-standard"):
        assert set(PRESETS[experiment]) == set(all_regressors())


def test_what_is_printed_can_be_kept_and_what_is_given_wins():
    printed = from_preset("uci-gap", "AnchoredEnsemble", as_printed=True)
    assert (printed.optimizer, printed.learning_rate, printed.max_steps) == ("sgd", 1e-5, 10_000)
    used = from_preset("uci-gap", "AnchoredEnsemble", n_members=7)
    assert (used.optimizer, used.n_members, used.prior_variance) == ("adam", 7, 1.0)


def test_unknown_names_list_the_known_ones():
    with pytest.raises(ValueError, match="cubic-gap"):
        from_preset("cubic", "LUNA")
    with pytest.raises(ValueError, match="SNGP"):
        from_preset("bayesopt", "Oracle")
