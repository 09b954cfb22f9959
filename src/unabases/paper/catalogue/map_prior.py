"""What a weight penalty does to the prior over functions."""

from unabases.paper.catalogue.methods import TINY
from unabases.paper.spec import Experiment, Extent, Method


def penalised(gamma: float) -> Method:
    """A neural linear model of the paper's size for these figures, with a given penalty."""
    return Method(
        f"NLM, MAP, γ = {gamma:g}", "NeuralLinear", {"objective": "map", "hidden_layer_sizes": (50, 20), "gamma": gamma}
    )


MAP_PRIOR = Experiment(
    name="map-prior",
    title="Prior and posterior of MAP without and with a weight penalty",
    question="Does a weight penalty leave the prior's functions room to differ in the gap?",
    shows="Figure: prior and posterior predictive with γ = 0 and γ = 10",
    function="unabases.paper.synthetic:map_prior",
    data="cubic-gap",
    datasets=("cubic-gap",),
    methods=(penalised(0.0), penalised(10.0)),
    extents={
        "tiny": Extent(seeds=2, parameters=TINY),
        "quick": Extent(seeds=20),
        "paper": Extent(seeds=20),
    },
    headline="prior_variation_gap",
    together=True,
)
