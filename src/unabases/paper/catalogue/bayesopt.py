"""Bayesian optimisation: every surrogate, and what else a user would pick, on four problems."""

from unabases.paper.bayesopt import PEERS, SURROGATES, surrogate_spec
from unabases.paper.spec import Experiment, Extent, Method

_FULL = {"evaluations": None}  # as many as the paper gives the problem

BAYESOPT = Experiment(
    name="bayesopt",
    title="Bayesian optimisation",
    question="Do searches with LUNA's uncertainty find optima as good as others do?",
    shows="Table 4: regret; regret and time over evaluations",
    function="unabases.paper.bayesopt:search_trial",
    data="",
    datasets=("branin", "hartmann6", "svm", "logistic"),
    methods=(
        *(Method(label, name, _FULL | own) for label in SURROGATES for name, own in [surrogate_spec(label)]),
        *(Method(label, "", _FULL, requires=("torch",) if label == "Optuna GP" else ()) for label in PEERS),
    ),
    extents={
        "tiny": Extent(
            seeds=1,
            datasets=("branin",),
            methods=("NLM, MAP", "Random search", "Optuna TPE"),
            parameters={"evaluations": 8, "max_steps": 20},
        ),
        "quick": Extent(
            seeds=2, datasets=("branin",), methods=("LUNA", "GP", "NLM, MAP", "Random search", "Optuna TPE")
        ),
        "paper": Extent(seeds=10, seeds_on={"svm": 3, "logistic": 3}),
    },
    headline="regret",
    files={"svm": "mnist", "logistic": "mnist"},
)
