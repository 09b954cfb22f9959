"""The paper's claims, each checked by a number of the stored results."""

from typing import NamedTuple

from unabases.paper.report import bayesopt_checks as searches
from unabases.paper.report import claim_checks as checks
from unabases.paper.report.gathered import Results, command

__all__ = ["DOES_NOT_HOLD", "HOLDS", "NOT_RUN", "Claim", "all_claims"]

HOLDS, DOES_NOT_HOLD, NOT_RUN = "holds", "does not hold", "not run"


class Claim(NamedTuple):
    """What the paper says, by which rule it was checked, whether it holds here, and the numbers."""

    name: str
    statement: str
    rule: str
    experiment: str
    about: str
    verdict: str
    evidence: str


def all_claims(results: Results) -> list[Claim]:
    """Check every claim; one whose experiment has no rows says what to run."""
    claims = []
    for name, statement, rule, experiment, check in CLAIMS:
        found = check(results.of(experiment))
        if found is None:
            verdict, evidence = NOT_RUN, f"run {command(experiment)}"
        elif results.profiles[experiment] == "tiny":
            verdict, evidence = NOT_RUN, f"the profile tiny decides nothing: {found[1]}"
        elif found[0] is None:
            verdict, evidence = NOT_RUN, f"undecided so far: {found[1]}; run {command(experiment)}"
        else:
            verdict, evidence = (HOLDS if found[0] else DOES_NOT_HOLD), found[1]
        claims.append(Claim(name, statement, rule, experiment, results.about(experiment), verdict, evidence))
    return claims


_NO_WORSE = "on every data set, no worse than the median baseline by more than the larger of the two spreads"
_KNOWS = "a restart knows of the gap when its EURC is above +100 %"
_RISES = (
    "epistemic std relative to training rises more on them than on other test rows, by more than 5 % and either spread"
)
CLAIMS: tuple[tuple[str, str, str, str, checks.Check], ...] = (
    (
        "MAP's prior",
        "With γ = 10 the prior functions of a MAP-trained model do not vary in the gap.",
        "they leave the chord across the gap by less than a tenth of what they do with γ = 0",
        "map-prior",
        checks.prior_is_flat,
    ),
    (
        "MAP's posterior",
        "With γ = 10 its posterior has little uncertainty in the gap.",
        "mean EURC is not above +100 %",
        "map-prior",
        checks.posterior_is_narrow,
    ),
    (
        "MLE over restarts",
        "Trained by maximum likelihood, a model knows of the gap in some restarts and not in others.",
        f"{_KNOWS}; fewer than all do",
        "consistency",
        checks.is_inconsistent("NLM, MLE"),
    ),
    (
        "Marginal likelihood over restarts",
        "Trained by marginal likelihood, likewise.",
        f"{_KNOWS}; fewer than all do",
        "consistency",
        checks.is_inconsistent("NLM, marginal"),
    ),
    (
        "Marginal likelihood over α and γ",
        "No prior variance α makes it consistent, with γ = 0.1 or with γ = 1.",
        f"{_KNOWS}; with every α fewer than all do",
        "restarts",
        checks.marginal_figures,
    ),
    (
        "LUNA over restarts",
        "LUNA knows of the gap in every restart.",
        f"{_KNOWS}; all do",
        "consistency",
        checks.is_consistent("LUNA"),
    ),
    (
        "Cubic Gap",
        "In the gap, LUNA, anchored ensembles and linearised Laplace resemble the Gaussian process and HMC.",
        "mean epistemic std between half and twice the mean of the two",
        "cubic-gap",
        checks.like_gold,
    ),
    (
        "LUNA on the gap sets",
        "LUNA is more uncertain in the gap on 5 of 6 data sets.",
        "mean EURC above 0 by more than its std, on at least 5",
        "uci-gap",
        checks.positive("LUNA"),
    ),
    (
        "Vanilla ensembles on the gap sets",
        "A vanilla ensemble is more uncertain in the gap on 5 of 6 data sets.",
        "mean EURC above 0 by more than its std, on at least 5",
        "uci-gap",
        checks.positive("Vanilla ensemble"),
    ),
    (
        "Other ensembles on the gap sets",
        "Ensembles are more uncertain in the gap on 5 of 6 data sets.",
        "bootstrap and anchored ensembles by the same count",
        "uci-gap",
        checks.other_ensembles,
    ),
    (
        "RMSE, gap sets",
        "LUNA's error outside the gap is like the baselines'.",
        _NO_WORSE,
        "uci-gap",
        checks.comparable("rmse"),
    ),
    (
        "RMSE in the gap",
        "LUNA's error in the gap is like the baselines'.",
        _NO_WORSE,
        "uci-gap",
        checks.comparable("rmse_gap"),
    ),
    (
        "Log-likelihood, gap sets",
        "LUNA's log-likelihood outside the gap is like the baselines'.",
        _NO_WORSE,
        "uci-gap",
        checks.comparable("log_likelihood"),
    ),
    (
        "Log-likelihood in the gap",
        "LUNA's log-likelihood in the gap is like the baselines'.",
        _NO_WORSE,
        "uci-gap",
        checks.comparable("log_likelihood_gap"),
    ),
    (
        "RMSE, standard sets",
        "LUNA's error is like the baselines'.",
        _NO_WORSE,
        "uci-standard",
        checks.comparable("rmse"),
    ),
    (
        "Log-likelihood, standard sets",
        "LUNA's log-likelihood is like the baselines'.",
        _NO_WORSE,
        "uci-standard",
        checks.comparable("log_likelihood"),
    ),
    (
        "Transfer",
        "With every number of features, LUNA's carry over best to data from the gap.",
        "highest mean log-likelihood at each number",
        "transfer",
        checks.best_in_transfer,
    ),
    (
        "Bayesian optimisation",
        "LUNA finds optima as good as the baselines do.",
        _NO_WORSE,
        "bayesopt",
        checks.comparable("regret"),
    ),
    (
        "Branin",
        "Searches with LUNA find a minimum of Branin.",
        f"regret at most {searches.NEAR} in at least nine of ten searches",
        "bayesopt",
        searches.finds("branin"),
    ),
    (
        "Hartmann6",
        "Searches with LUNA come nearer to the minimum of Hartmann6 than those with a plain neural linear model.",
        "over three searches or more, median regret at most the paper's mean for LUNA and at most that of NLM, MAP",
        "bayesopt",
        searches.near_the_paper("hartmann6"),
    ),
    (
        "Tuning classifiers",
        "Searches with LUNA tune classifiers of digits.",
        "on both, over three searches or more, mean regret at most that of random search and, where the paper's can be "
        "compared, at most a standard deviation above it",
        "bayesopt",
        searches.tunes(("svm", "logistic")),
    ),
    (
        "Women, trained on men",
        "Trained on faces of men, LUNA is less sure about women than about other men.",
        _RISES,
        "faces",
        checks.rises("faces-men"),
    ),
    (
        "Ages 30 to 40, trained on others",
        "Trained on faces of people below 30 and above 40, LUNA is less sure about those between.",
        _RISES,
        "faces",
        checks.rises("faces-ages"),
    ),
    (
        "Women told from men",
        "Trained on faces of men, LUNA's epistemic std tells women from other men better than MAP's.",
        "mean AUROC of epistemic std above that of NLM, MAP with as many units; the paper does not give it",
        "faces",
        checks.detects_better("faces-men"),
    ),
)
"""Name, what the paper says, the rule, the experiment, and the check."""
