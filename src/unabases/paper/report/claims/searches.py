"""Claims about Bayesian optimisation. They are checked on the package's own LUNA, the surrogate that was run."""

from collections.abc import Sequence
from functools import partial

from unabases.paper.methods import LUNA, LUNA_PAPER, NLM_MAP, RANDOM_SEARCH
from unabases.paper.report.claims.record import Claim, Finding
from unabases.paper.report.claims.uci import NO_WORSE, comparable
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
    """LUNA's median regret on Hartmann6 is at most the mean that the paper prints for it, and at most NLM's median."""
    parts = [_of(rows, "hartmann6", method) for method in (LUNA, NLM_MAP)]
    own, other = (range_of(part, "regret") for part in parts)
    printed = paper_value(4, LUNA_PAPER, "hartmann6")
    if own is None or printed is None or printed.mean is None:
        return None
    counts = [sum(not row.failed for row in part) for part in parts]
    said = f"median {short(own.median)} over {counts[0]} searches, the paper {number(printed.mean)}; {NLM_MAP} "
    said += "not run" if other is None else f"{short(other.median)} over {counts[1]}"
    if other is None or min(counts) < FEWEST:
        return Finding(None, said)
    return Finding(own.median <= min(printed.mean, other.median), said)


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


SEARCH_CLAIMS: tuple[Claim, ...] = (
    Claim(
        "Bayesian optimisation",
        "LUNA finds optima as good as the baselines do.",
        NO_WORSE.format(LUNA),
        "bayesopt",
        partial(comparable, score="regret", luna=LUNA),
    ),
    Claim(
        "Branin",
        "Searches with LUNA find a minimum of Branin.",
        f"regret of {LUNA} at most {NEAR} in at least nine of ten searches",
        "bayesopt",
        finds_branin,
    ),
    Claim(
        "Hartmann6",
        "Searches with LUNA come nearer to the minimum of Hartmann6 than those with a plain neural linear model.",
        f"over three searches or more, median regret of {LUNA} at most the paper's mean for its LUNA and at most that "
        f"of {NLM_MAP}",
        "bayesopt",
        nears_hartmann,
    ),
    Claim(
        "Tuning classifiers",
        "Searches with LUNA tune classifiers of digits.",
        f"on both, over three searches or more, mean regret of {LUNA} at most that of random search and, if the "
        "paper's can be compared, at most a standard deviation above it",
        "bayesopt",
        tunes_classifiers,
    ),
)
