"""Transfer: features learned beside the gap, a last layer for the gap itself."""

from typing import Any

from unabases.paper.catalogue.profiles import EACH_SPLIT, tiny
from unabases.paper.methods import LUNA, LUNA_PAPER, NLM_MAP, SNGP, find_method
from unabases.paper.presets import preset_settings
from unabases.paper.spec import Experiment, Extent, Method

DATA = "data"  # the label of the row that shows the data alone
# The prior of the last layer is chosen anew by the evidence of the new data, as the kernel's amplitude of SNGP is: with
# the α of the first data, thousands of times less than the squiggle asks for, no features could follow it.
_EVIDENCE: dict[str, Any] = {"prior_variance": "evidence"}
_SETTINGS: dict[str, dict[str, Any]] = {
    LUNA_PAPER: {**preset_settings("cubic-gap", LUNA_PAPER), **_EVIDENCE},
    LUNA: {**preset_settings("cubic-gap", LUNA), **_EVIDENCE},
    NLM_MAP: {"objective": "map", **_EVIDENCE},
    SNGP: {"length_scale": 1.0},
}


def _with_features(label: str, k: int) -> Method:
    """A network whose last layer has k units; a residual network has as many in the first."""
    own = find_method(label)
    settings = {**_SETTINGS[label], "hidden_layer_sizes": (k, k) if label == SNGP else (50, k)}
    return Method(label, own.regressor, settings, own.search, {"n_features": k})


EXPERIMENT = Experiment(
    name="transfer",
    title="Features learned outside the gap of the Squiggle Gap data, last layer refitted inside it",
    question="How well do features learned without the gap serve a last layer that is fitted to it?",
    shows="Figures: the Squiggle Gap data; log-likelihood against the number of features",
    function="unabases.paper.synthetic_scores:transfer",
    data="squiggle-gap",
    datasets=("squiggle-gap",),
    methods=(Method(DATA), *(_with_features(label, k) for label in _SETTINGS for k in (5, 10, 20, 50, 100))),
    extents={
        "tiny": tiny(notes={"n_features": (20,)}),
        "quick": Extent(splits=5, by_method={SNGP: {"n_fourier": 200}}, searches=()),
        "paper": Extent(splits=20, **EACH_SPLIT),
    },
    headline="log_likelihood",
)
