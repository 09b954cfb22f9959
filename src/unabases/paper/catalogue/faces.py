"""Faces: models of age that have seen no women, or nobody in their thirties."""

from typing import Any

from unabases.datasets.faces import FACES_SETS
from unabases.paper import methods as m
from unabases.paper.faces import SHARED, steps_of
from unabases.paper.presets import BETWEEN
from unabases.paper.spec import Experiment, Extent, Method

_NETWORK = {name: SHARED[name] for name in ("hidden_layer_sizes", "activation")}
_TRAINING = {name: value for name, value in SHARED.items() if name not in _NETWORK}
_SMALL: dict[str, Any] = {"hidden_layer_sizes": (50,)}


def _method(label: str, **settings: Any) -> Method:
    own = m.find_method(label)
    pinned = {**BETWEEN, "n_points": 16} if own.regressor == "LUNA" else own.settings
    return Method(label, own.regressor, {**pinned, **_NETWORK, **settings})


EXPERIMENT = Experiment(
    name="faces",
    title="Sampling bias in images of faces",
    question="Is a model of age less sure about people whom its training data lacks?",
    shows="Text: epistemic std relative to training, +168 % and +14 %, +27 % and +2 %",
    function="unabases.paper.faces:faces_scores",
    data="faces",
    datasets=tuple(FACES_SETS),
    methods=(
        _method(m.LUNA),
        _method(f"{m.LUNA}, 50 units", **_SMALL),
        _method(m.NLM_MAP),
        _method(f"{m.NLM_MAP}, 50 units", **_SMALL),
        *map(_method, (m.RFF_SNGP, m.DROPOUT, m.MEAN_FIELD)),
        *(_method(label, n_members=5) for label in (m.VANILLA, m.BOOTSTRAP, m.ANCHORED)),
        _method(f"{m.LUNA}, 50 units, 200 heads", **_SMALL, n_heads=200),
    ),
    extents={
        "tiny": Extent(
            datasets=("faces-men",),
            methods=(m.LUNA, m.NLM_MAP),
            parameters={"max_steps": 20, "hidden_layer_sizes": (20,)},
        ),
        "quick": Extent(
            methods=tuple(f"{label}{size}" for label in (m.LUNA, m.NLM_MAP) for size in ("", ", 50 units"))
        ),
        "paper": Extent(splits=5),
    },
    headline="rise_gap",
    noise=True,
    by_dataset={name: {**_TRAINING, "max_steps": steps_of(n)} for name, n in FACES_SETS.items()},
)
