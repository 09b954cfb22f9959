"""Transfer: features learned beside the gap, a last layer for the gap itself."""

from unabases.paper.catalogue.methods import BETWEEN, TINY, TINY_SEARCH, preset_method, searched
from unabases.paper.spec import Experiment, Extent, Method

_FEATURES = (5, 10, 20, 50, 100)
# The prior of the last layer is chosen anew by the evidence of the new data, as the kernel's amplitude of SNGP is: with
# the α of the first data, thousands of times less than the squiggle asks for, no features could follow it.
_EVIDENCE = {"prior_variance": "evidence"}
_LUNA, _BETWEEN = ({**preset_method("cubic-gap", label).settings, **_EVIDENCE} for label in ("LUNA", BETWEEN))


def _with_features(label: str, regressor: str, k: int, settings: dict[str, object], equal: bool = False) -> Method:
    """A network whose last layer has k units; a residual network has as many in the first."""
    hidden = (k, k) if equal else (50, k)
    return Method(label, regressor, {**settings, "hidden_layer_sizes": hidden}, searched(label), {"n_features": k})


TRANSFER = Experiment(
    name="transfer",
    title="Transfer on the Squiggle Gap data",
    question="How well do features, learned without the gap, serve a last layer that is fitted to it?",
    shows="Figures: the Squiggle Gap data; log-likelihood against the number of features",
    function="unabases.paper.synthetic:transfer",
    data="squiggle-gap",
    datasets=("squiggle-gap",),
    methods=(
        Method("data"),
        *(_with_features("LUNA", "LUNA", k, _LUNA) for k in _FEATURES),
        *(_with_features(BETWEEN, "LUNA", k, _BETWEEN) for k in _FEATURES),
        *(_with_features("NLM, MAP", "NeuralLinear", k, {"objective": "map", **_EVIDENCE}) for k in _FEATURES),
        *(_with_features("SNGP", "SNGP", k, {"length_scale": 1.0}, equal=True) for k in _FEATURES),
    ),
    extents={
        "tiny": Extent(splits=1, parameters=TINY, notes={"n_features": (20,)}, **TINY_SEARCH),
        "quick": Extent(splits=5, by_method={"SNGP": {"n_fourier": 200}}, searches=()),
        "paper": Extent(splits=10, each_split=True),
    },
    headline="log_likelihood",
)
