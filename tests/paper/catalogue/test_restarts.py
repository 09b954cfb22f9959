from tests.paper.catalogue import trials


def test_figures_of_restarts_are_named_as_the_report_expects():
    assert {trial.dataset for trial in trials("restarts", "tiny")} == {
        "regularisation",
        "width",
        "depth",
        "marginal-0.1",
        "marginal-1",
        "luna",
    }


def test_a_restart_of_the_marginal_likelihood_has_the_prior_variance_of_its_label():
    found = [trial for trial in trials("restarts") if trial.dataset.startswith("marginal")]
    assert {f"α = {trial.settings['prior_variance']:g}" == trial.method for trial in found} == {True}
