"""The paper's LUNA with weak and strong diversity on the UCI gap sets, all else as the searches chose it."""

from unabases.datasets import GAP_SETS
from unabases.paper.catalogue.profiles import CHOSEN, tiny
from unabases.paper.catalogue.uci_gap import QUICK_REAL, REAL_METHODS
from unabases.paper.methods import LUNA_PAPER
from unabases.paper.spec import Experiment, Extent, Method

STRENGTHS = (0.01, 0.1, 1.0, 10.0, 100.0)
"""λ, over the whole range of the paper's searches."""
_LABELS = {f"{LUNA_PAPER}, λ = {lam:g}": lam for lam in STRENGTHS}
_PENALTIES = {name: found[LUNA_PAPER]["gamma"] for name, found in CHOSEN["gap-search"].items()}

_SHORT = Extent(
    splits=3,
    by_method=dict.fromkeys(_LABELS, QUICK_REAL[LUNA_PAPER]),
    chosen={name: {label: {"gamma": gamma} for label in _LABELS} for name, gamma in _PENALTIES.items()},
)
EXPERIMENT = Experiment(
    name="luna-strength",
    title="The paper's LUNA with weak and strong diversity on the UCI gap sets",
    question="What does λ do to uncertainty and error in a gap?",
    shows="Not in the paper: EURC and error in the gap by λ, with the γ that the searches chose",
    function="unabases.paper.uci_scores:gap_split",
    data="gap",
    datasets=tuple(GAP_SETS),
    methods=tuple(
        Method(label, REAL_METHODS[LUNA_PAPER].regressor, {**REAL_METHODS[LUNA_PAPER].settings, "lam": lam})
        for label, lam in _LABELS.items()
    ),
    extents={"tiny": tiny(datasets=("yacht-froude",)), "quick": _SHORT, "paper": _SHORT},
    noise=True,
)
