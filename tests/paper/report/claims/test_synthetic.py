"""Claims about synthetic data hold or do not hold by the numbers of their rows."""

import pytest

from tests.paper.report.claims.checks import changed, claim
from tests.paper.report.synthetic import consistency_rows, cubic_rows, prior_rows, restart_rows, transfer_rows
from unabases.paper.methods import LUNA_PAPER
from unabases.paper.report.claims import DOES_NOT_HOLD, HOLDS, OPEN


def test_maps_prior_is_flat_below_a_tenth():
    found = claim("MAP's prior", prior_rows())  # 1.5 against 40.5
    assert found.verdict == HOLDS
    assert "1.50 ± 0.50" in found.evidence
    assert "3.7 %" in found.evidence
    bent = changed(prior_rows(), "NLM, MAP, γ = 10", prior_variation_gap=4.1)
    assert claim("MAP's prior", bent).verdict == DOES_NOT_HOLD


def test_maps_posterior_is_narrow_up_to_a_hundred_per_cent():
    assert claim("MAP's posterior", prior_rows()).verdict == HOLDS
    wide = changed(prior_rows(), "NLM, MAP, γ = 10", eurc=1.01)
    assert claim("MAP's posterior", wide).verdict == DOES_NOT_HOLD


def test_luna_is_consistent_only_if_every_restart_is():
    found = claim("LUNA over restarts", consistency_rows())
    assert found.verdict == HOLDS
    assert found.evidence.startswith("20 of 20")
    rows = consistency_rows()
    one_fell = [
        r._replace(scores=r.scores | {"eurc": 1.0}) if (r.method, r.seed) == (LUNA_PAPER, 7) else r for r in rows
    ]
    assert claim("LUNA over restarts", one_fell).verdict == DOES_NOT_HOLD
    failed = [r._replace(failed="DivergedError: NaN") if (r.method, r.seed) == (LUNA_PAPER, 7) else r for r in rows]
    assert claim("LUNA over restarts", failed).verdict == DOES_NOT_HOLD


@pytest.mark.parametrize(
    ("name", "method"), [("MLE over restarts", "NLM, MLE"), ("Marginal likelihood over restarts", "NLM, marginal")]
)
def test_a_method_is_inconsistent_if_some_restarts_know_and_others_do_not(name, method):
    assert claim(name, consistency_rows()).verdict == HOLDS
    always = claim(name, changed(consistency_rows(), method, eurc=2.0))
    assert always.verdict == DOES_NOT_HOLD
    assert always.evidence.endswith("it always knows")
    never = claim(name, changed(consistency_rows(), method, eurc=-0.2))
    assert never.verdict == DOES_NOT_HOLD
    assert never.evidence.endswith("it is blind")


def test_marginal_likelihood_is_checked_for_every_prior_variance():
    found = claim("Marginal likelihood over α and γ", restart_rows())
    assert found.verdict == HOLDS
    assert "γ = 0.1, α = 10: 3 of 5" in found.evidence
    one = [r._replace(scores=r.scores | {"eurc": 9.0}) if r.dataset == "marginal-1" else r for r in restart_rows()]
    assert claim("Marginal likelihood over α and γ", one).verdict == DOES_NOT_HOLD
    blind = [r._replace(scores=r.scores | {"eurc": 0.1}) if "marginal" in r.dataset else r for r in restart_rows()]
    assert claim("Marginal likelihood over α and γ", blind).verdict == DOES_NOT_HOLD


def test_our_models_are_held_to_the_same_rule_beside_the_papers():
    own = [r._replace(experiment="our-restarts", method="UNA") for r in consistency_rows() if r.method == LUNA_PAPER]
    found = claim("LUNA over restarts", [*consistency_rows(), *changed(own, "UNA", eurc=0.5)])
    assert (found.by, found.verdict) == (LUNA_PAPER, HOLDS)
    verdicts = {one.label: one.verdict for one in found.ours}
    assert verdicts == {"LUNA": OPEN, "LUNA, defaults": OPEN, "UNA": DOES_NOT_HOLD}


def test_the_gold_standards_set_the_level_on_cubic_gap():
    rows = cubic_rows()
    level = changed(changed(rows, "GP", epistemic_gap=9.0), "BNN, HMC", epistemic_gap=11.0)
    for method in ("Anchored ensemble", "Linearised Laplace"):
        level = changed(level, method, epistemic_gap=10.0)
    assert claim("Cubic Gap", changed(level, LUNA_PAPER, epistemic_gap=20.0)).verdict == HOLDS
    assert claim("Cubic Gap", changed(level, LUNA_PAPER, epistemic_gap=20.1)).verdict == DOES_NOT_HOLD
    part = [one for one in level if one.method != "Linearised Laplace"]  # what was not run cannot hold
    assert claim("Cubic Gap", changed(part, LUNA_PAPER, epistemic_gap=20.0)).verdict == OPEN
    assert claim("Cubic Gap", changed(part, LUNA_PAPER, epistemic_gap=20.1)).verdict == DOES_NOT_HOLD


def test_luna_must_be_best_at_every_number_of_features():
    assert claim("Transfer", transfer_rows()).verdict == HOLDS
    lost = [
        r._replace(scores=r.scores | {"log_likelihood": -1.0})
        if r.method == "SNGP" and r.settings["n_features"] == 20
        else r
        for r in transfer_rows()
    ]
    found = claim("Transfer", lost)
    assert found.verdict == DOES_NOT_HOLD
    assert found.evidence.startswith("best at 4 of 5")
