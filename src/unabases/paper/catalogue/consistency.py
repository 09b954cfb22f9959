"""How often a method is uncertain in the gap, over many restarts on the same data."""

from unabases.paper.catalogue.cubic_gap import CUBIC_METHODS
from unabases.paper.catalogue.profiles import CHOSEN, tiny
from unabases.paper.methods import ANCHORED, BOOTSTRAP, LUNA, LUNA_PAPER, NLM_MAP, NLM_MARGINAL, NLM_MLE, VANILLA
from unabases.paper.spec import Experiment, Extent

_LABELS = (LUNA, LUNA_PAPER, NLM_MAP, NLM_MLE, NLM_MARGINAL, ANCHORED, BOOTSTRAP, VANILLA)
_FEWER = {label: {"n_members": 10} for label in (BOOTSTRAP, VANILLA)}

EXPERIMENT = Experiment(
    name="consistency",
    title="Many restarts on the same Cubic Gap data",
    question="In how many of the restarts is the epistemic std in the gap more than twice that on the data?",
    shows="Not in the paper: share of restarts with EURC above +100 %",
    function="unabases.paper.synthetic_scores:cubic_gap",
    data="cubic-gap",
    datasets=("cubic-gap",),
    methods=tuple(CUBIC_METHODS[label] for label in _LABELS),
    extents={
        "tiny": tiny(seeds=2, methods=(LUNA_PAPER, NLM_MAP, NLM_MLE, VANILLA)),
        "quick": Extent(seeds=20, by_method=_FEWER, chosen=CHOSEN["consistency"]),
        "paper": Extent(seeds=20),
    },
    together=True,
)
