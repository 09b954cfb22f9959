"""Searched models on all ten splits of the UCI gap sets: what model selection is worth."""

from unabases.datasets import GAP_SETS
from unabases.paper.catalogue.methods import BETWEEN, QUICK_SEARCH, TINY, TINY_SEARCH
from unabases.paper.catalogue.uci_gap import QUICK_REAL, REAL_METHODS
from unabases.paper.spec import Experiment, Extent

GAP_SEARCH = Experiment(
    name="gap-search",
    title="Searched models on the UCI gap data",
    question="Do LUNA's searches, on the first split alone, choose models that know the gap on all splits?",
    shows="EURC, RMSE, log-likelihood and epistemic std of searched models beside the paper's LUNA",
    function="unabases.paper.real_data:gap_split",
    data="gap",
    datasets=tuple(GAP_SETS),
    methods=tuple(REAL_METHODS[label] for label in ("NLM, MAP", "LUNA", BETWEEN)),
    extents={
        "tiny": Extent(splits=1, datasets=("yacht-froude",), parameters=TINY, **TINY_SEARCH),
        "quick": Extent(splits=1, datasets=("boston-lstat",), by_method=QUICK_REAL, **QUICK_SEARCH),
        "paper": Extent(splits=10, by_method=QUICK_REAL, n_trials=20),
    },
    noise=True,
)
