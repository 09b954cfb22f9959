"""The anchored ensemble on the Cubic Gap data with other priors and starts, and trained to the end."""

from typing import Any

from unabases.paper.catalogue.cubic_gap import CUBIC_METHODS
from unabases.paper.catalogue.profiles import tiny
from unabases.paper.methods import ANCHORED
from unabases.paper.spec import Experiment, Extent, Method

_OWN = CUBIC_METHODS[ANCHORED]
_TRAINED = {"optimizer": "adam", "learning_rate": 1e-2, "decay": "cosine", "batch_size": None, "max_steps": 2000}
VARIANTS: dict[str, dict[str, Any]] = {
    "as printed": {},
    "prior variance 1": {"prior_variance": 1.0},
    "prior variance 0.1": {"prior_variance": 0.1},
    "start variance 0.1": {"init_variance": 0.1},
    "start variance 0.02": {"init_variance": 0.02},
    "trained longer": _TRAINED,
    "trained longer, prior divided by fan-in": {**_TRAINED, "by_fan_in": True, "init_variance": None},
}
"""What each one changes of the printed settings: prior variance 10, start variance 0.5, 1,563 small steps."""

EXPERIMENT = Experiment(
    name="cubic-anchored",
    title="The anchored ensemble with other priors and starts on the Cubic Gap data",
    question="What decides how wide its band in the gap is?",
    shows="Not in the paper: epistemic std in the gap of the anchored ensemble by prior, start and training",
    function="unabases.paper.synthetic_scores:cubic_gap",
    data="cubic-gap",
    datasets=("cubic-gap",),
    methods=tuple(
        Method(f"{ANCHORED}, {name}", _OWN.regressor, {**_OWN.settings, **other}) for name, other in VARIANTS.items()
    ),
    extents={"tiny": tiny(), "quick": Extent(splits=5), "paper": Extent(splits=5)},
)
