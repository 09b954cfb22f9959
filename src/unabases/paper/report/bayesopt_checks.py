"""How claims about Bayesian optimisation are checked: functions of the rows of its searches."""

from collections.abc import Sequence

from unabases.paper.report.claim_checks import Check, Finding
from unabases.paper.report.gathered import by_method, median_of, summary_of
from unabases.paper.report.paper_values import paper_value, why_not_comparable
from unabases.paper.report.quantities import number, short, text
from unabases.paper.store import Row

__all__ = ["FEWEST", "NEAR", "finds", "near_the_paper", "tunes"]

NEAR = 0.05  # regret on Branin that counts as a minimum found
FEWEST = 3  # searches of which a median or mean decides
_SHARE, _RUNS = 0.9, 10  # of searches that have to find it, and how many decide


def finds(dataset: str) -> Check:
    """A check that nine of ten of LUNA's searches find a minimum; a search that failed finds none."""

    def check(rows: Sequence[Row]) -> Finding:
        own = _of(rows, dataset, "LUNA")
        if not own:
            return None
        found = sum(not row.failed and row.scores["regret"] <= NEAR for row in own)
        said = f"{found} of {len(own)} searches end with a regret of at most {NEAR}"
        if (spread := median_of(own, "regret")) is not None:
            said += f"; median {short(spread[0])}, from {short(spread[1])} to {short(spread[2])}"
        if len(own) - found > (1 - _SHARE) * max(len(own), _RUNS) + 1e-9:
            return False, said
        return (True if len(own) >= _RUNS else None), said

    return check


def near_the_paper(dataset: str) -> Check:
    """A check that LUNA's median regret is at most the mean that the paper prints for it, and at most NLM's median."""

    def check(rows: Sequence[Row]) -> Finding:
        parts = [_of(rows, dataset, method) for method in ("LUNA", "NLM, MAP")]
        own, other = (median_of(part, "regret") for part in parts)
        printed = paper_value(4, "LUNA", dataset)
        if own is None or printed is None or printed.mean is None:
            return None
        counts = [sum(not row.failed for row in part) for part in parts]
        said = f"median {short(own[0])} over {counts[0]} searches, the paper {number(printed.mean)}; NLM, MAP "
        said += "not run" if other is None else f"{short(other[0])} over {counts[1]}"
        if other is None or min(counts) < FEWEST:
            return None, said
        return own[0] <= min(printed.mean, other[0]), said

    return check


def tunes(datasets: Sequence[str]) -> Check:
    """A check that LUNA is no worse than random search, and at most a std above the paper, on all of some problems.

    The paper's figure decides only where it can be compared.
    """

    def check(rows: Sequence[Row]) -> Finding:
        said, held = [], []
        for dataset in datasets:
            own, chance = (summary_of(_of(rows, dataset, method), "regret") for method in ("LUNA", "Random search"))
            printed = paper_value(4, "LUNA", dataset)
            if not own.n or not chance.n or printed is None or printed.mean is None or printed.std is None:
                continue
            why = why_not_comparable(printed)
            allowed = chance.mean if why else min(chance.mean, printed.mean + printed.std + printed.half_unit)
            decided = min(own.n, chance.n) >= FEWEST
            held.append(own.mean <= allowed if decided else None)
            said.append(
                f"{dataset} {text(own.mean, own.std)} over {own.n}, random search {text(chance.mean, chance.std)}, "
                f"the paper {text(printed.mean, printed.std)}{f' ({why})' if why else ''}"
            )
        if not said:
            return None
        open_ = None in held or len(said) < len(datasets)
        return (False if False in held else None if open_ else True), "; ".join(said)

    return check


def _of(rows: Sequence[Row], dataset: str, method: str) -> list[Row]:
    return [row for row in by_method(rows).get(method, []) if row.dataset == dataset]
