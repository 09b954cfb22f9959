"""Faces: models of age that have seen no women, or nobody in their thirties."""

from unabases.datasets.faces import FACES_SETS
from unabases.experiments.faces import METHODS, SHARED, steps_of
from unabases.experiments.spec import Experiment, Extent, Method

_NETWORK = {name: SHARED[name] for name in ("hidden", "activation")}
_TRAINING = {name: value for name, value in SHARED.items() if name not in _NETWORK}

FACES = Experiment(
    name="faces",
    title="Sampling bias in images of faces",
    question="Is a model of age less sure about people whom its training data lacks?",
    shows="Text: epistemic std relative to training, +168 % and +14 %, +27 % and +2 %",
    function="unabases.experiments.faces:faces_scores",
    data="faces",
    datasets=tuple(FACES_SETS),
    methods=(
        *(Method(label, regressor, {**_NETWORK, **settings}) for label, regressor, settings in METHODS),
        Method("LUNA, 50 units, 200 heads", "LUNA", {**_NETWORK, "n_points": 16, "hidden": (50,), "n_heads": 200}),
    ),
    extents={
        "tiny": Extent(
            datasets=("faces-men",), methods=("LUNA", "NLM, MAP"), parameters={"steps": 20, "hidden": (20,)}
        ),
        "quick": Extent(methods=("LUNA", "LUNA, 50 units", "NLM, MAP", "NLM, MAP, 50 units")),
        "paper": Extent(splits=5),
    },
    headline="rise_gap",
    noise=True,
    by_dataset={name: {**_TRAINING, "steps": steps_of(n)} for name, n in FACES_SETS.items()},
)
