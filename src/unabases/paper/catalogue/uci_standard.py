"""The usual UCI splits, where nothing is held out on purpose."""

from unabases.paper.catalogue.profiles import EACH_SPLIT, tiny
from unabases.paper.catalogue.uci_gap import PRINTED, QUICK_REAL, REAL_METHODS
from unabases.paper.methods import GP, LUNA_PAPER, NLM_MAP, SNGP
from unabases.paper.spec import Experiment, Extent

_LARGE = tuple((dataset, method) for dataset in ("kin8nm", "wine_red") for method in (GP, SNGP))  # slow with many rows

EXPERIMENT = Experiment(
    name="uci-standard",
    title="Six UCI data sets with ordinary splits",
    question="Does LUNA fit as well as the others where nothing is held out on purpose?",
    shows="Tables 5 (log-likelihood) and 6 (RMSE)",
    function="unabases.paper.uci_scores:standard_split",
    data="standard",
    datasets=("boston", "concrete", "yacht", "kin8nm", "energy", "wine_red"),
    methods=tuple(REAL_METHODS[label] for label in PRINTED),
    extents={
        "tiny": tiny(datasets=("yacht",), methods=(NLM_MAP, GP, LUNA_PAPER)),
        "quick": Extent(splits=2, by_method=QUICK_REAL, searches=(), leave_out=_LARGE),
        "paper": Extent(splits=20, **EACH_SPLIT),
    },
    headline="log_likelihood",
    noise=True,
    by_dataset={"kin8nm": {"batch_size": 512, "max_rows": 10_000}},
)
