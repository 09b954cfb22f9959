"""Searched models on all ten splits of the UCI gap sets: what model selection is worth."""

from unabases.datasets import GAP_SETS
from unabases.paper.catalogue.profiles import QUICK_SEARCH, tiny
from unabases.paper.catalogue.uci_gap import QUICK_REAL, REAL_METHODS
from unabases.paper.methods import LUNA, LUNA_PAPER, NLM_MAP
from unabases.paper.spec import Experiment, Extent

EXPERIMENT = Experiment(
    name="gap-search",
    title="What a hyper-parameter search gains on the UCI gap data",
    question="Do LUNA's searches, on the first split alone, choose models that know the gap on all splits?",
    shows="EURC, RMSE, log-likelihood and epistemic std of searched models beside the paper's LUNA",
    function="unabases.paper.uci_scores:gap_split",
    data="gap",
    datasets=tuple(GAP_SETS),
    methods=tuple(REAL_METHODS[label] for label in (NLM_MAP, LUNA_PAPER, LUNA)),
    extents={
        "tiny": tiny(datasets=("yacht-froude",)),
        "quick": Extent(datasets=("boston-lstat",), by_method=QUICK_REAL, **QUICK_SEARCH),
        "paper": Extent(splits=10, by_method=QUICK_REAL, n_trials=20),
    },
    noise=True,
)
