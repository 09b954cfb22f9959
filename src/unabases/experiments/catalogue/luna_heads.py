"""LUNA's auxiliary heads and its posterior."""

from unabases.experiments.catalogue.methods import BETWEEN, TINY, TINY_SEARCH, preset_method
from unabases.experiments.chosen import CHOSEN
from unabases.experiments.spec import Experiment, Extent

SMALL_LUNAS = tuple(preset_method("cubic-gap", label, hidden=(50, 20)) for label in ("LUNA", BETWEEN))

LUNA_HEADS = Experiment(
    name="luna-heads",
    title="LUNA's auxiliary regressors and posterior",
    question="Do heads that all fit the data disagree in the gap?",
    shows="Figure: auxiliary regressors and posterior predictive of LUNA",
    function="unabases.experiments.synthetic:luna_heads",
    data="cubic-gap",
    datasets=("cubic-gap",),
    methods=SMALL_LUNAS,
    extents={
        "tiny": Extent(parameters=TINY, **TINY_SEARCH),
        "quick": Extent(chosen=CHOSEN["luna-heads"]),
        "paper": Extent(),
    },
)
