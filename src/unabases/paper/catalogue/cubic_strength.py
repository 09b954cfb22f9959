"""The paper's LUNA with weak and strong diversity on the Cubic Gap data, all else as its search chose it."""

from unabases.paper.catalogue.cubic_gap import CUBIC_METHODS
from unabases.paper.catalogue.luna_strength import STRENGTHS
from unabases.paper.catalogue.profiles import CHOSEN, tiny
from unabases.paper.methods import LUNA_PAPER
from unabases.paper.spec import Experiment, Extent, Method

_CHOSEN = CHOSEN["consistency"]["cubic-gap"][LUNA_PAPER]
_LUNA = CUBIC_METHODS[LUNA_PAPER]

EXPERIMENT = Experiment(
    name="cubic-strength",
    title="The paper's LUNA with weak and strong diversity on the Cubic Gap data",
    question="How wide does λ make the band in the gap?",
    shows="Not in the paper: epistemic std in the gap by λ, with the γ that the searches chose",
    function="unabases.paper.synthetic_scores:cubic_gap",
    data="cubic-gap",
    datasets=("cubic-gap",),
    methods=tuple(
        Method(f"{LUNA_PAPER}, λ = {lam:g}", _LUNA.regressor, {**_LUNA.settings, **_CHOSEN, "lam": lam})
        for lam in STRENGTHS
    ),
    extents={"tiny": tiny(), "quick": Extent(splits=5), "paper": Extent(splits=5)},
)
