"""Our models as a user gets them, on the gap sets of the paper."""

from unabases.datasets import GAP_SETS
from unabases.paper.catalogue.profiles import tiny
from unabases.paper.methods import LUNA_DEFAULTS, UNA
from unabases.paper.spec import Experiment, Extent, Method

EXPERIMENT = Experiment(
    name="our-gap-sets",
    title="Our models with their defaults on six UCI data sets with a gap",
    question="With defaults, noise included, does epistemic uncertainty grow inside a gap, and at what cost in fit?",
    shows="Not in the paper: UNA() and LUNA() in tables 1, 2, 3 and 7",
    function="unabases.paper.uci_scores:gap_split",
    data="gap",
    datasets=tuple(GAP_SETS),
    methods=(Method(LUNA_DEFAULTS, "LUNA"), Method(UNA, "UNA")),
    extents={"tiny": tiny(datasets=("yacht-froude",)), "quick": Extent(splits=2), "paper": Extent(splits=10)},
)
