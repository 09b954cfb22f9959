"""Our models as a user gets them, on the usual UCI splits."""

from unabases.paper.catalogue.profiles import tiny
from unabases.paper.catalogue.uci_standard import EXPERIMENT as STANDARD
from unabases.paper.methods import LUNA_DEFAULTS, UNA
from unabases.paper.spec import Experiment, Extent, Method

EXPERIMENT = Experiment(
    name="our-standard-sets",
    title="Our models with their defaults on six UCI data sets with ordinary splits",
    question="With defaults, noise included, do our models fit as well as the others?",
    shows="Not in the paper: UNA() and LUNA() in tables 5 and 6",
    function=STANDARD.function,
    data=STANDARD.data,
    datasets=STANDARD.datasets,
    methods=(Method(LUNA_DEFAULTS, "LUNA"), Method(UNA, "UNA")),
    extents={"tiny": tiny(datasets=("yacht",)), "quick": Extent(splits=2), "paper": Extent(splits=20)},
    headline="log_likelihood",
)
