"""LUNA's auxiliary heads and its posterior."""

from unabases.paper.catalogue.profiles import CHOSEN, tiny
from unabases.paper.methods import LUNA, LUNA_PAPER
from unabases.paper.presets import preset_method
from unabases.paper.spec import Experiment, Extent

SMALL_LUNAS = tuple(preset_method("cubic-gap", label, hidden_layer_sizes=(50, 20)) for label in (LUNA_PAPER, LUNA))

EXPERIMENT = Experiment(
    name="luna-heads",
    title="LUNA's auxiliary heads and its posterior",
    question="Do heads that all fit the data disagree in the gap?",
    shows="Figure: auxiliary regressors and posterior predictive of LUNA",
    function="unabases.paper.synthetic_scores:luna_heads",
    data="cubic-gap",
    datasets=("cubic-gap",),
    methods=SMALL_LUNAS,
    extents={"tiny": tiny(), "quick": Extent(chosen=CHOSEN["luna-heads"]), "paper": Extent()},
)
