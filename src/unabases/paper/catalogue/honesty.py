"""Who knows where there is no data: gaps, tails and drawn functions, the development half."""

from typing import Any

from unabases.paper import methods as m
from unabases.paper.catalogue.accuracy import OWN, REQUIRES
from unabases.paper.catalogue.profiles import tiny
from unabases.paper.halves import DEVELOPMENT, half_of
from unabases.paper.honesty_data import cut_names, drawn_names
from unabases.paper.spec import Experiment, Extent, Method

_PEERS = (m.QUANTILES, m.NEIGHBOURS, m.RIDGE, m.NGBOOST, m.LAPLACE_TORCH, m.VBLL)
_QUICK = (m.UNA, m.LUNA, m.NLM_MAP, m.GP, m.VANILLA, m.NEIGHBOURS, m.QUANTILES, m.LAPLACE_TORCH, m.VBLL)
_QUICK_COLUMNS = {
    **{"boston": (4, 10, 5, 11), "concrete": (0, 4, 1, 3), "energy": (0, 2, 1, 5), "kin8nm": (0, 1)},
    **{"yacht": (4, 3, 5), "naval": (2,), "power_plant": (0,), "protein": (0,), "wine_red": (0,)},
}
"""Columns of each table in the profile `quick`, of both halves."""
_QUICK_DRAWN = (
    *("rbf-1-short-quiet", "rbf-1-medium-quiet", "rbf-1-long-noisy", "rbf-2-medium-quiet", "rbf-2-long-noisy"),
    *("rbf-5-long-quiet", "rbf-5-medium-quiet", "rbf-10-medium-quiet", "rbf-10-long-quiet", "matern-1"),
    *("matern-5", "matern-10", "linear-1", "linear-2", "periodic-1", "periodic-2", "chirp-1", "chirp-2", "step-1"),
    *("step-2", "step-5", "piecewise-linear-1", "piecewise-linear-2", "interaction-2", "interaction-5"),
)


def honesty(half: str, tiny_sets: tuple[str, ...], **words: Any) -> Experiment:
    """The experiment in one of the halves.

    Parameters
    ----------
    half
        Whose gaps, tails and functions are run.
    tiny_sets
        Data sets of the profile `tiny`.
    words
        Name, title, question and what it shows.
    """
    cuts, drawn = cut_names(half), drawn_names(half)
    chosen = [f"{table}-{kind}-{i}" for table, own in _QUICK_COLUMNS.items() for kind in ("gap", "tail") for i in own]
    chosen += [f"drawn-{name}" for name in _QUICK_DRAWN]
    quick = tuple(name for name in chosen if name in (*cuts, *drawn))
    closed = [name for name in drawn if half_of(name, 0) != DEVELOPMENT]  # all of their seeds are locked
    return Experiment(
        function="unabases.paper.honesty:score_honesty",
        data=words["name"],
        datasets=(*cuts, *drawn),
        methods=tuple(
            Method(label, named.regressor, named.settings, requires=REQUIRES.get(label, ()))
            for label, named in ((label, m.find_method(label)) for label in (*OWN, *_PEERS))
        ),
        extents={
            "tiny": tiny(datasets=tiny_sets, methods=(m.NLM_MAP, m.GP, m.NEIGHBOURS)),
            "quick": Extent(
                datasets=quick, splits_on=dict.fromkeys(drawn, 2) | dict.fromkeys(closed, 1), methods=_QUICK
            ),
            "paper": Extent(splits_on=dict.fromkeys(drawn, 6) | dict.fromkeys(closed, 4)),
        },
        headline="crps",
        half=half,
        **words,
    )


EXPERIMENT = honesty(
    DEVELOPMENT,
    ("yacht-gap-4", "yacht-tail-4", "drawn-rbf-1-long-noisy"),
    name="honesty",
    title="Where there is no data, development half",
    question="With defaults, which methods know that they are in a gap or beyond the data?",
    shows="Log-likelihood, CRPS and intervals in gaps and tails, and the std beside the exact posterior's",
)
