"""The usual UCI splits, where nothing is held out on purpose."""

from unabases.paper.catalogue.methods import TINY, TINY_SEARCH
from unabases.paper.catalogue.uci_gap import QUICK_REAL, REAL_LABELS, REAL_METHODS
from unabases.paper.spec import Experiment, Extent

UCI_STANDARD = Experiment(
    name="uci-standard",
    title="Standard UCI data",
    question="Does LUNA fit as well as the others where nothing is held out on purpose?",
    shows="Tables 5 (log-likelihood) and 6 (RMSE)",
    function="unabases.paper.real_data:standard_split",
    data="standard",
    datasets=("boston", "concrete", "yacht", "kin8nm", "energy", "wine_red"),
    methods=tuple(REAL_METHODS[label] for label in REAL_LABELS),
    extents={
        "tiny": Extent(datasets=("yacht",), methods=("NLM, MAP", "GP", "LUNA"), parameters=TINY, **TINY_SEARCH),
        "quick": Extent(splits=2, by_method=QUICK_REAL, searches=(), leave_out=(("kin8nm", "GP"), ("kin8nm", "SNGP"))),
        "paper": Extent(splits=20, each_split=True),
    },
    headline="log_likelihood",
    noise=True,
    by_dataset={"kin8nm": {"batch_size": 512, "max_rows": 10_000}},
)
