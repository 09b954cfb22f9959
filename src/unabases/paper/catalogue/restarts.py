"""The same data, other starts: figures of the appendix, one data set name each."""

from dataclasses import replace

from unabases.paper.catalogue.luna_heads import SMALL_LUNAS
from unabases.paper.catalogue.profiles import CHOSEN, tiny
from unabases.paper.methods import LUNA_PAPER
from unabases.paper.spec import Experiment, Extent, Method

_LAYERS = {"1 layer": (20,), "2 layers": (50, 20), "3 layers": (50, 50, 20), "4 layers": (50, 50, 50, 20)}


def _plain(label: str, figure: str, **settings: object) -> Method:
    shared = {"objective": "map", "hidden_layer_sizes": (50, 20), "gamma": 0.0}
    return Method(label, "NeuralLinear", {**shared, **settings}, only=(figure,))


EXPERIMENT = Experiment(
    name="restarts",
    title="Restarts of neural linear models over their settings",
    question="Is a model uncertain in the gap whatever start it trains from?",
    shows="Figures: restarts with regularisation, width, depth, marginal likelihood with two γ, and LUNA",
    function="unabases.paper.synthetic_scores:restart",
    data="cubic-gap",
    datasets=("regularisation", "width", "depth", "marginal-0.1", "marginal-1", "luna"),
    methods=(
        *(_plain(f"γ = {gamma:g}", "regularisation", gamma=gamma) for gamma in (0.0, 0.1, 1.0, 10.0)),
        *(_plain(f"L = {k}", "width", hidden_layer_sizes=(50, k)) for k in (5, 10, 20, 50, 100)),
        *(_plain(label, "depth", hidden_layer_sizes=sizes) for label, sizes in _LAYERS.items()),
        *(
            _plain(f"α = {alpha:g}", f"marginal-{gamma:g}", objective="marginal", gamma=gamma, prior_variance=alpha)
            for gamma in (0.1, 1.0)
            for alpha in (0.01, 0.1, 1.0, 10.0, 100.0)
        ),
        *(replace(method, only=("luna",)) for method in SMALL_LUNAS),
    ),
    extents={
        "tiny": tiny(seeds=2, methods=("γ = 0", "γ = 10", "L = 20", "2 layers", "α = 1", LUNA_PAPER)),
        "quick": Extent(seeds=5, chosen={"luna": CHOSEN["luna-heads"]["cubic-gap"]}),
        "paper": Extent(seeds=10),
    },
    together=True,
)
