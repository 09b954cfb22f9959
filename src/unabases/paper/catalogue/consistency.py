"""How often a method is uncertain in the gap, over many restarts on the same data."""

from unabases.paper.catalogue.cubic_gap import CUBIC_METHODS
from unabases.paper.catalogue.methods import BETWEEN, TINY, TINY_SEARCH
from unabases.paper.chosen import CHOSEN
from unabases.paper.spec import Experiment, Extent

_LABELS = (
    BETWEEN,
    "LUNA",
    "NLM, MAP",
    "NLM, MLE",
    "NLM, marginal",
    "Anchored ensemble",
    "Bootstrap ensemble",
    "Vanilla ensemble",
)

_FEW = ("LUNA", "NLM, MAP", "NLM, MLE", "Vanilla ensemble")
_SMALLER = {label: {"n_members": 10} for label in ("Bootstrap ensemble", "Vanilla ensemble")}

CONSISTENCY = Experiment(
    name="consistency",
    title="Consistency over restarts on the Cubic Gap data",
    question="In how many of the restarts is the epistemic std in the gap more than twice that on the data?",
    shows="Not in the paper: share of restarts with EURC above +100 %",
    function="unabases.paper.synthetic:cubic_gap",
    data="cubic-gap",
    datasets=("cubic-gap",),
    methods=tuple(CUBIC_METHODS[label] for label in _LABELS),
    extents={
        "tiny": Extent(seeds=2, methods=_FEW, parameters=TINY, **TINY_SEARCH),
        "quick": Extent(seeds=20, by_method=_SMALLER, chosen=CHOSEN["consistency"]),
        "paper": Extent(seeds=20),
    },
    together=True,
)
