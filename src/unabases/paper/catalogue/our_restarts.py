"""Our models as a user gets them, over many restarts on the same data."""

from unabases.paper.catalogue.profiles import tiny
from unabases.paper.methods import LUNA_DEFAULTS, UNA
from unabases.paper.spec import Experiment, Extent, Method

EXPERIMENT = Experiment(
    name="our-restarts",
    title="Our models with their defaults, many restarts on the same Cubic Gap data",
    question="With defaults, in how many restarts is the epistemic std in the gap more than twice that on the data?",
    shows="Not in the paper: share of restarts of UNA() and LUNA() with EURC above +100 %",
    function="unabases.paper.synthetic_scores:cubic_gap",
    data="cubic-gap",
    datasets=("cubic-gap",),
    methods=(Method(LUNA_DEFAULTS, "LUNA"), Method(UNA, "UNA")),
    extents={"tiny": tiny(seeds=2), "quick": Extent(seeds=20), "paper": Extent(seeds=20)},
)
