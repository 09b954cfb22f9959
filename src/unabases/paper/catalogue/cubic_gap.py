"""All methods on the Cubic Gap data."""

from unabases.paper.catalogue.profiles import CHOSEN, EACH_SPLIT, tiny
from unabases.paper.methods import DROPOUT, HMC, METHODS
from unabases.paper.presets import PRESETS, preset_method
from unabases.paper.spec import Experiment, Extent, Search

_SEARCHES = {DROPOUT: Search({"rate": (1e-3, 0.5, "log")})}
CUBIC_METHODS = {
    label: preset_method("cubic-gap", label, _SEARCHES.get(label))
    for label, method in METHODS.items()
    if method.regressor in PRESETS["cubic-gap"]
}

EXPERIMENT = Experiment(
    name="cubic-gap",
    title="Every method on the Cubic Gap data",
    question="Which methods know that there is no data in the middle?",
    shows="Figure: in-between uncertainty of all methods",
    function="unabases.paper.synthetic_scores:cubic_gap",
    data="cubic-gap",
    datasets=("cubic-gap",),
    methods=tuple(CUBIC_METHODS.values()),
    extents={
        "tiny": tiny(),
        "quick": Extent(
            splits=2,
            by_method={HMC: {"n_warmup": 300, "n_samples": 300}},
            chosen=CHOSEN["consistency"],
            searches=(),
        ),
        "paper": Extent(splits=20, **EACH_SPLIT),
    },
)
