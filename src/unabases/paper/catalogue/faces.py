"""Faces: models of age that have seen no women, or nobody in their thirties."""

from unabases.datasets.faces import FACES_SETS
from unabases.paper.faces import METHODS, SHARED, steps_of
from unabases.paper.spec import Experiment, Extent, Method

_NETWORK = {name: SHARED[name] for name in ("hidden_layer_sizes", "activation")}
_TRAINING = {name: value for name, value in SHARED.items() if name not in _NETWORK}

FACES = Experiment(
    name="faces",
    title="Sampling bias in images of faces",
    question="Is a model of age less sure about people whom its training data lacks?",
    shows="Text: epistemic std relative to training, +168 % and +14 %, +27 % and +2 %",
    function="unabases.paper.faces:faces_scores",
    data="faces",
    datasets=tuple(FACES_SETS),
    methods=(
        *(Method(label, regressor, {**_NETWORK, **settings}) for label, regressor, settings in METHODS),
        Method(
            "LUNA, 50 units, 200 heads",
            "LUNA",
            {**_NETWORK, "n_points": 16, "hidden_layer_sizes": (50,), "n_heads": 200},
        ),
    ),
    extents={
        "tiny": Extent(
            datasets=("faces-men",),
            methods=("LUNA", "NLM, MAP"),
            parameters={"max_steps": 20, "hidden_layer_sizes": (20,)},
        ),
        "quick": Extent(methods=("LUNA", "LUNA, 50 units", "NLM, MAP", "NLM, MAP, 50 units")),
        "paper": Extent(splits=5),
    },
    headline="rise_gap",
    noise=True,
    by_dataset={name: {**_TRAINING, "max_steps": steps_of(n)} for name, n in FACES_SETS.items()},
)
