"""Reasons on synthetic data are decided by the rows, whichever way these point."""

import pytest

from tests.paper.report.synthetic import restart_rows, row, transfer_rows
from unabases.paper.methods import LUNA, LUNA_PAPER, NLM_MLE
from unabases.paper.report.claims.why_synthetic import why_level, why_marginal, why_maximum_likelihood, why_transfer
from unabases.paper.report.rows import gather


def trained(knows):
    """Four restarts of two sizes and two lengths; `knows` says which of them know of the gap."""
    return [
        row(
            *("training-length", "cubic-gap", f"{NLM_MLE}, 50 and {k} units, {steps} steps", 0, seed),
            scores={"eurc": 3.0 if knows(k, steps) else 0.2},
        )
        for k in (5, 50)
        for steps in (30, 10_000)
        for seed in range(4)
    ]


def test_features_or_steps_count_more_as_the_rows_say():
    features = why_maximum_likelihood(gather(trained(lambda k, steps: k == 50)))
    assert features.startswith("The number of features changes the result more than the length of training. ")
    assert "from 30 to 10,000 steps: with 5 features 0 of 4, with 50 features 4 of 4" in features
    steps = why_maximum_likelihood(gather(trained(lambda k, steps: steps == 30)))
    assert steps.startswith("The length of training changes the result more than the number of features. ")
    assert "with 5 features 0 to 4 of 4, with 50 features 0 to 4 of 4" in steps
    neither = why_maximum_likelihood(gather(trained(lambda k, steps: True)))
    assert neither.startswith("Restarts that know of the gap")


def test_the_size_with_which_the_claim_was_checked_comes_from_its_rows():
    own = row("consistency", "cubic-gap", NLM_MLE, scores={"eurc": 1.0}, settings={"hidden_layer_sizes": [50, 7]})
    said = why_maximum_likelihood(gather([*trained(lambda k, steps: k == 50), own]))
    assert said.endswith("The claim was checked with 7 features.")
    assert "was checked" not in why_maximum_likelihood(gather(trained(lambda k, steps: k == 50)))


def test_the_worst_and_the_best_prior_variance_are_named_unless_they_are_alike():
    rows = [
        one._replace(scores={"eurc": 0.0}) if (one.dataset, one.method) == ("marginal-1", "α = 10") else one
        for one in restart_rows()
    ]
    said = why_marginal(gather(rows))
    assert "It hangs on the prior variance and the penalty" in said
    assert "from 0 of 5 with γ = 1 and α = 10 to 3 of 5 with γ = 1 and α = 0.1" in said
    blind = why_marginal(gather([one._replace(scores={"eurc": 0.0}) for one in rows]))
    assert "do not decide it: 0 of 5 with each" in blind
    assert "hangs on" not in blind


@pytest.mark.parametrize(
    ("why", "rows", "experiment"),
    [(why_marginal, restart_rows(), "restarts"), (why_transfer, transfer_rows(), "transfer")],
)
def test_what_was_run_is_not_asked_for(why, rows, experiment):
    assert f"unabases reproduce {experiment} --profile paper" in why(gather(rows))
    assert "--profile paper" not in why(gather([one._replace(profile="paper") for one in rows]))


def test_the_width_of_bands_is_said_beside_what_strength_makes_of_it():
    widths = {LUNA_PAPER: 4.0, LUNA: 50.0, "GP": 9.0}
    rows = [
        row("cubic-gap", "cubic-gap", name, scores={"epistemic_gap": width}, settings={"lam": 0.02})
        for name, width in widths.items()
    ]
    said = why_level(gather(rows))
    assert said.startswith(
        "Epistemic std in the gap: LUNA (paper) 4.00, GP 9.00. The λ that was chosen for LUNA (paper)"
    )
    assert "is 0.02. What λ does: unabases reproduce cubic-strength." in said
    strong = [
        row(
            "cubic-strength",
            "cubic-gap",
            f"{LUNA_PAPER}, λ = {lam:g}",
            scores={"epistemic_gap": w},
            settings={"lam": lam},
        )
        for lam, w in ((10.0, 8.0), (0.1, 3.0))
    ]
    assert "(cubic-strength): 3.00 with λ = 0.1, 8.00 with λ = 10." in why_level(gather([*rows, *strong]))
    assert "What decides the width of the anchored ensemble: unabases reproduce cubic-anchored." in said
    for prior, start, decides in ((9.0, 30.0, "prior"), (29.0, 3.0, "start"), (20.0, 20.0, "")):
        widths = {"as printed": 30.0, "prior variance 1": prior, "start variance 0.1": start}
        anchored = [
            row("cubic-anchored", "cubic-gap", f"Anchored ensemble, {name}", scores={"epistemic_gap": width})
            for name, width in widths.items()
        ]
        told = why_level(gather([*rows, *anchored]))
        assert f"The anchored ensemble (cubic-anchored): 30.00 as printed, {prior:.2f} prior variance 1, " in told
        assert (f"The variance of the {decides} decides how wide" in told) == bool(decides)


def test_sizes_at_which_nobody_follows_the_squiggle_are_named():
    rows = [
        one._replace(scores=one.scores | {"rmse": 9.0 if one.settings["n_features"] == 5 else 5.0})
        for one in transferred(0.0).of("transfer")
    ]
    said = why_transfer(gather(rows))
    assert said.startswith(
        "No method follows the squiggle at 1 of 2 sizes (5 features): their mean errors in the gap are 9.00 to 9.00, "
        "and the cube alone, without the squiggle, has 8.46."
    )
    assert "squiggle" not in why_transfer(gather([one for one in rows if one.settings["n_features"] == 10]))


def transferred(by):
    """Five draws that differ much, on which the paper's LUNA is ahead of the best baseline by `by`, nearly the same."""
    rows = []
    for k in (5, 10):
        for split in range(5):
            for name, more in (("NLM, MAP", 0.0), ("SNGP", -0.5), (LUNA_PAPER, by + 0.01 * (split - 2))):
                scores = {"log_likelihood": -5.0 + split + more}
                rows.append(row("transfer", "squiggle-gap", name, split, scores=scores, settings={"n_features": k}))
    return gather(rows)


def test_orders_in_transfer_are_settled_draw_by_draw():
    assert (
        "by more than two standard errors at 2 of 2 sizes (5, 10 features), and ahead of it at 0 of 2"
        in why_transfer(transferred(-0.1))
    )
    assert "ahead of it at 2 of 2 sizes (5, 10 features). No order is settled at 0 of 2" in why_transfer(
        transferred(0.1)
    )
    assert "No order is settled at 2 of 2 sizes" in why_transfer(transferred(0.0))
