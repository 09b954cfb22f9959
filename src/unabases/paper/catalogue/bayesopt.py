"""Bayesian optimisation: every surrogate, and what else a user would pick, on four problems."""

from unabases.paper.bayesopt import PEERS, SURROGATES
from unabases.paper.methods import GP, LUNA, NLM_MAP, OPTUNA_GP, OPTUNA_TPE, RANDOM_SEARCH, find_method
from unabases.paper.presets import preset_settings
from unabases.paper.spec import Experiment, Extent, Method

_FULL = {"evaluations": None}  # as many as the paper gives the problem


def _surrogate(label: str) -> Method:
    return Method(label, find_method(label).regressor, {**_FULL, **preset_settings("bayesopt", label)})


EXPERIMENT = Experiment(
    name="bayesopt",
    title="Bayesian optimisation",
    question="Do searches with LUNA's uncertainty find optima as good as others do?",
    shows="Table 4: regret; regret and time over evaluations",
    function="unabases.paper.bayesopt:search_trial",
    data="",
    datasets=("branin", "hartmann6", "svm", "logistic"),
    methods=(
        *map(_surrogate, SURROGATES),
        *(Method(label, "", _FULL, requires=("torch",) if label == OPTUNA_GP else ()) for label in PEERS),
    ),
    extents={
        "tiny": Extent(
            seeds=1,
            datasets=("branin",),
            methods=(NLM_MAP, RANDOM_SEARCH, OPTUNA_TPE),
            parameters={"evaluations": 8, "max_steps": 20},
        ),
        "quick": Extent(seeds=2, datasets=("branin",), methods=(LUNA, GP, NLM_MAP, RANDOM_SEARCH, OPTUNA_TPE)),
        "paper": Extent(seeds=10, seeds_on={"svm": 3, "logistic": 3}),
    },
    headline="regret",
    files={"svm": "mnist", "logistic": "mnist"},
)
