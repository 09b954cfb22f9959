"""LUNA's auxiliary heads and its posterior."""

from unabases.paper.catalogue.methods import BETWEEN, TINY, TINY_SEARCH, preset_method
from unabases.paper.chosen import CHOSEN
from unabases.paper.spec import Experiment, Extent

SMALL_LUNAS = tuple(preset_method("cubic-gap", label, hidden_layer_sizes=(50, 20)) for label in ("LUNA", BETWEEN))

LUNA_HEADS = Experiment(
    name="luna-heads",
    title="LUNA's auxiliary regressors and posterior",
    question="Do heads that all fit the data disagree in the gap?",
    shows="Figure: auxiliary regressors and posterior predictive of LUNA",
    function="unabases.paper.synthetic:luna_heads",
    data="cubic-gap",
    datasets=("cubic-gap",),
    methods=SMALL_LUNAS,
    extents={
        "tiny": Extent(parameters=TINY, **TINY_SEARCH),
        "quick": Extent(chosen=CHOSEN["luna-heads"]),
        "paper": Extent(),
    },
)
