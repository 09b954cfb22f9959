"""Maximum likelihood with few and many steps: how often a model then knows of the gap."""

from unabases.paper.catalogue.profiles import tiny
from unabases.paper.methods import NLM_MLE
from unabases.paper.presets import preset_method
from unabases.paper.spec import Experiment, Extent, Method

STEPS = (30, 100, 300, 1000, 3000, 10_000)


def _trained(sizes: tuple[int, ...], steps: int) -> Method:
    label = f"{NLM_MLE}, {' and '.join(map(str, sizes))} units, {steps} steps"
    return preset_method("cubic-gap", label, hidden_layer_sizes=sizes, max_steps=steps)


EXPERIMENT = Experiment(
    name="training-length",
    title="Maximum likelihood with few and many training steps, many restarts on the same Cubic Gap data",
    question="Does a model trained by maximum likelihood know of the gap in some restarts and not in others, and when?",
    shows="Not in the paper: share of restarts with EURC above +100 %, by steps and size of the network",
    function="unabases.paper.synthetic_scores:cubic_gap",
    data="cubic-gap",
    datasets=("cubic-gap",),
    methods=tuple(_trained(sizes, steps) for sizes in ((50, 5), (50, 20), (50, 50)) for steps in STEPS),
    extents={"tiny": tiny(seeds=2), "quick": Extent(seeds=20), "paper": Extent(seeds=20)},
    together=True,
)
