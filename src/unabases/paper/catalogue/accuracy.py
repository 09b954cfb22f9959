"""How good every regressor is with its defaults, beside those of other packages: the development half."""

from typing import Any

from unabases.paper import methods as m
from unabases.paper.catalogue.profiles import tiny
from unabases.paper.halves import DEVELOPMENT, half_of
from unabases.paper.known_functions import FUNCTIONS
from unabases.paper.packaged_tables import PACKAGED
from unabases.paper.spec import Experiment, Extent, Method

SMALL = ("boston", "concrete", "energy", "yacht", "wine_red")
LARGE = {"kin8nm": 10_000, "power_plant": 10_000, "naval": 11_000, "protein": 50_000}
"""UCI tables of which `quick` draws a thousand rows, and how many rows a Gaussian process may have in `paper`."""
_DRAWN = {name: f"{name}-1000" for name in LARGE}
OWN = (
    m.BOOTSTRAP,
    m.VANILLA,
    m.ANCHORED,
    m.NLM_MAP,
    m.GP,
    m.LAPLACE,
    m.DROPOUT,
    m.SNGP,
    m.RFF_SNGP,
    m.MEAN_FIELD,
    m.LUNA,
    m.UNA,
)
REQUIRES = {
    m.NGBOOST: ("ngboost",),
    m.CATBOOST: ("catboost",),
    m.LAPLACE_TORCH: ("torch", "laplace"),
    m.VBLL: ("torch", "vbll"),
}
_QUICK = (
    *(m.UNA, m.LUNA, m.NLM_MAP, m.GP, m.VANILLA, m.DROPOUT),
    *(m.BOOSTING, m.EXTRA_TREES, m.NETWORK, m.NEIGHBOURS, m.RIDGE, m.ARD_GP, m.NGBOOST, m.CATBOOST),
)
_SLOW = (
    (m.GP, ("protein",)),
    (m.ARD_GP, (*LARGE, "wine_red", "digits")),
    *((label, tuple(LARGE)) for label in (m.LAPLACE, m.LAPLACE_TORCH, m.VBLL)),
)


def sets_of(half: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of some data sets that have splits in a half."""
    return tuple(name for name in names if half in (half_of(name, 0), half_of(name, 1)))


def accuracy(half: str, tiny_sets: tuple[str, ...], **words: Any) -> Experiment:
    """The experiment in one of the halves.

    Parameters
    ----------
    half
        Whose splits are run.
    tiny_sets
        Data sets of the profile `tiny`.
    words
        Name, title, question and what it shows.
    """
    whole = sets_of(half, (*SMALL, *LARGE, *PACKAGED, *FUNCTIONS))
    drawn = tuple(_DRAWN.get(name, name) for name in whole)
    closed = [name for name in (*whole, *drawn) if half_of(name, 0) != DEVELOPMENT]  # all of their splits are locked
    five = dict.fromkeys(closed, 5)  # as many as the odd ones of ten
    slow = tuple((name, label) for label, names in _SLOW for name in names)
    return Experiment(
        function="unabases.paper.accuracy:accuracy_scores",
        data=words["name"],
        datasets=whole,
        methods=tuple(
            Method(label, named.regressor, named.settings, requires=REQUIRES.get(label, ()))
            for label, named in ((label, m.find_method(label)) for label in (*OWN, *m.OUTSIDE))
        ),
        extents={
            "tiny": tiny(datasets=tiny_sets, methods=(m.NLM_MAP, m.RIDGE)),
            "quick": Extent(
                splits=4 if half == DEVELOPMENT else 10,
                splits_on=five,
                datasets=drawn,
                methods=_QUICK,
                leave_out=slow,
            ),
            "paper": Extent(splits=10, splits_on=five, leave_out=slow),
        },
        headline="crps",
        by_dataset={name: {"max_rows": most} for name, most in LARGE.items()},
        half=half,
        **words,
    )


EXPERIMENT = accuracy(
    DEVELOPMENT,
    ("yacht", "step"),
    name="accuracy",
    title="Accuracy with default settings, development half",
    question="With defaults, is UNA as good as the best on the data?",
    shows="Error, log-likelihood, CRPS and intervals beside methods of other packages",
)
