"""Claims about Bayesian optimisation. They are checked on the package's own LUNA, the surrogate that was run."""

from collections.abc import Sequence
from functools import partial

from unabases.paper.methods import LUNA, LUNA_PAPER, NLM_MAP, RANDOM_SEARCH
from unabases.paper.report.claims.record import Claim, Finding, Ours
from unabases.paper.report.claims.uci import NO_WORSE, Place, comparable, printed_comparable
from unabases.paper.report.paper_values import paper_value, why_not_comparable
from unabases.paper.report.rows import by_method, range_of, summary_of
from unabases.paper.report.scores import mean_std, number, short
from unabases.paper.store import Row

__all__ = ["SEARCH_CLAIMS"]

NEAR = 0.05  # regret on Branin that counts as a minimum found
FEWEST = 3  # searches whose median or mean decides
_SHARE, _RUNS = 0.9, 10  # of searches that have to find it, and how many decide
_TUNED = ("svm", "logistic")


def finds_branin(rows: Sequence[Row]) -> Finding | None:
    """Nine of ten of LUNA's searches find a minimum of Branin; a search that failed finds none."""
    own = _of(rows, "branin", LUNA)
    if not own:
        return None
    found = sum(not row.failed and row.scores["regret"] <= NEAR for row in own)
    said = f"{found} of {len(own)} searches end with a regret of at most {NEAR}"
    if (spread := range_of(own, "regret")) is not None:
        said += f"; median {short(spread.median)}, from {short(spread.least)} to {short(spread.most)}"
    if len(own) - found > (1 - _SHARE) * max(len(own), _RUNS) + 1e-9:
        return Finding(False, said)
    return Finding(True if len(own) >= _RUNS else None, said)


def nears_hartmann(rows: Sequence[Row]) -> Finding | None:
    """LUNA's mean regret on Hartmann6 is at most the paper's, and mean and median are at most NLM's."""
    parts = [_of(rows, "hartmann6", method) for method in (LUNA, NLM_MAP)]
    middle, other_middle = (range_of(part, "regret") for part in parts)
    own, other = (summary_of(part, "regret") for part in parts)
    printed = paper_value(4, LUNA_PAPER, "hartmann6")
    if middle is None or printed is None or printed.mean is None:
        return None
    said = f"mean {short(own.mean)} and median {short(middle.median)} over {own.n} searches; {NLM_MAP} "
    if other_middle is None:
        return Finding(None, f"{said}not run")
    said += f"{short(other.mean)} and {short(other_middle.median)} over {other.n}; the paper's mean {printed.mean:.2f}"
    if min(own.n, other.n) < FEWEST:
        return Finding(None, said)
    return Finding(own.mean <= min(printed.mean, other.mean) and middle.median <= other_middle.median, said)


def printed_hartmann() -> Finding | None:
    """The means that the paper prints."""
    own, other = (paper_value(4, method, "hartmann6") for method in (LUNA_PAPER, NLM_MAP))
    if own is None or other is None or own.mean is None or other.mean is None:
        return None
    return Finding(own.mean <= other.mean, f"mean {number(own.mean)}; {NLM_MAP} {number(other.mean)}")


def tunes_classifiers(rows: Sequence[Row]) -> Finding | None:
    """LUNA is no worse than random search, and at most a std above the paper if its number can be compared."""
    said, held = [], []
    for dataset in _TUNED:
        own, chance = (summary_of(_of(rows, dataset, method), "regret") for method in (LUNA, RANDOM_SEARCH))
        printed = paper_value(4, LUNA_PAPER, dataset)
        if not own.n or not chance.n or printed is None or printed.mean is None or printed.std is None:
            continue
        why = why_not_comparable(printed)
        allowed = chance.mean if why else min(chance.mean, printed.mean + printed.std + printed.half_unit)
        held.append(own.mean <= allowed if min(own.n, chance.n) >= FEWEST else None)
        said.append(
            f"{dataset} {mean_std(*own[:2])} over {own.n}, random search {mean_std(*chance[:2])}, "
            f"the paper {mean_std(printed.mean, printed.std)}{f' ({why})' if why else ''}"
        )
    if not said:
        return None
    undecided = None in held or len(said) < len(_TUNED)
    return Finding(False if False in held else None if undecided else True, "; ".join(said))


def _of(rows: Sequence[Row], dataset: str, method: str) -> list[Row]:
    return [row for row in by_method(rows).get(method, []) if row.dataset == dataset]


_SEARCH = partial(comparable, score="regret", place=Place(4), luna=LUNA)
SEARCH_CLAIMS: tuple[Claim, ...] = (
    Claim(
        "Bayesian optimisation",
        "LUNA finds optima as good as the baselines do.",
        NO_WORSE.format(LUNA),
        "bayesopt",
        _SEARCH,
        LUNA,
        (Ours(LUNA, "bayesopt", _SEARCH),),
        partial(printed_comparable, "regret", Place(4)),
    ),
    Claim(
        "Branin",
        "Searches with LUNA find a minimum of Branin.",
        f"regret of {LUNA} at most {NEAR} in at least nine of ten searches",
        "bayesopt",
        finds_branin,
        LUNA,
        (Ours(LUNA, "bayesopt", finds_branin),),
    ),
    Claim(
        "Hartmann6",
        "Searches with LUNA come nearer to the minimum of Hartmann6 than those with a plain neural linear model.",
        f"over three searches or more, mean regret of {LUNA} at most the paper's for its LUNA, and both mean and "
        f"median at most those of {NLM_MAP}",
        "bayesopt",
        nears_hartmann,
        LUNA,
        (Ours(LUNA, "bayesopt", nears_hartmann),),
        printed_hartmann,
    ),
    Claim(
        "Tuning classifiers",
        "Searches with LUNA tune classifiers of digits.",
        f"on both, over three searches or more, mean regret of {LUNA} at most that of random search and, if the "
        "paper's can be compared, at most a standard deviation above it",
        "bayesopt",
        tunes_classifiers,
        LUNA,
        (Ours(LUNA, "bayesopt", tunes_classifiers),),
    ),
)
