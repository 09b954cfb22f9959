"""All methods on the Cubic Gap data."""

from unabases.paper.catalogue.methods import BETWEEN, TINY, TINY_SEARCH, preset_method
from unabases.paper.chosen import CHOSEN
from unabases.paper.comparison import VARIANTS
from unabases.paper.spec import Experiment, Extent, Search

_SEARCHES = {"MC dropout": Search({"rate": (1e-3, 0.5)})}
_LABELS = (*(variant[0] for variant in VARIANTS), BETWEEN)
CUBIC_METHODS = {label: preset_method("cubic-gap", label, _SEARCHES.get(label)) for label in _LABELS}
_SHORTER = {"BNN, HMC": {"n_warmup": 300, "n_samples": 300}}

CUBIC_GAP = Experiment(
    name="cubic-gap",
    title="All methods on the Cubic Gap data",
    question="Which methods know that there is no data in the middle?",
    shows="Figure: in-between uncertainty of all methods",
    function="unabases.paper.synthetic:cubic_gap",
    data="cubic-gap",
    datasets=("cubic-gap",),
    methods=tuple(CUBIC_METHODS.values()),
    extents={
        "tiny": Extent(splits=1, parameters=TINY, **TINY_SEARCH),
        "quick": Extent(splits=2, by_method=_SHORTER, chosen=CHOSEN["consistency"], searches=()),
        "paper": Extent(splits=10, each_split=True),
    },
)
