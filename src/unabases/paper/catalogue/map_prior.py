"""What a weight penalty does to the prior over functions."""

from unabases.paper.catalogue.profiles import tiny
from unabases.paper.methods import NLM_MAP, find_method
from unabases.paper.spec import Experiment, Extent, Method


def penalised(gamma: float) -> Method:
    """A neural linear model of the size that the paper has in these figures, with a given weight penalty."""
    own = find_method(NLM_MAP)
    settings = {**own.settings, "hidden_layer_sizes": (50, 20), "gamma": gamma}
    return Method(f"{NLM_MAP}, γ = {gamma:g}", own.regressor, settings)


EXPERIMENT = Experiment(
    name="map-prior",
    title="Prior and posterior of a neural linear model trained by MAP, with and without a weight penalty",
    question="Does a weight penalty leave the prior's functions room to differ in the gap?",
    shows="Figure: prior and posterior predictive with γ = 0 and γ = 10",
    function="unabases.paper.synthetic_scores:map_prior",
    data="cubic-gap",
    datasets=("cubic-gap",),
    methods=(penalised(0.0), penalised(10.0)),
    extents={"tiny": tiny(seeds=2), "quick": Extent(seeds=20), "paper": Extent(seeds=20)},
    headline="prior_variation_gap",
    together=True,
)
