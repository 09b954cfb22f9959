"""How claims about Bayesian optimisation are checked: functions of the rows of its searches."""

from collections.abc import Sequence

from unabases.experiments.results import Row
from unabases.report.claim_checks import Check, Finding
from unabases.report.gathered import by_method, median_of, summary_of
from unabases.report.paper_values import paper_value
from unabases.report.quantities import number, short, text

__all__ = ["NEAR", "finds", "near_the_paper", "tunes"]

NEAR = 0.05  # regret on Branin that counts as a minimum found
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
        own, other = (median_of(_of(rows, dataset, method), "regret") for method in ("LUNA", "NLM, MAP"))
        printed = paper_value(4, "LUNA", dataset)
        if own is None or printed is None or printed.mean is None:
            return None
        n = sum(not row.failed for row in _of(rows, dataset, "LUNA"))
        said = f"median {short(own[0])} over {n} searches, the paper {number(printed.mean)}"
        if other is None:
            return (None if own[0] <= printed.mean else False), f"{said}; NLM, MAP not run"
        return own[0] <= min(printed.mean, other[0]), f"{said}; NLM, MAP {short(other[0])}"

    return check


def tunes(datasets: Sequence[str]) -> Check:
    """A check that LUNA is no worse than random search, and at most a std above the paper, on all of some problems."""

    def check(rows: Sequence[Row]) -> Finding:
        said, held = [], []
        for dataset in datasets:
            own, chance = (summary_of(_of(rows, dataset, method), "regret") for method in ("LUNA", "Random search"))
            printed = paper_value(4, "LUNA", dataset)
            if not own.n or not chance.n or printed is None or printed.mean is None or printed.std is None:
                continue
            allowed = printed.mean + printed.std + printed.half_unit
            held.append(own.mean <= min(chance.mean, allowed))
            said.append(
                f"{dataset} {text(own.mean, own.std)}, random search {text(chance.mean, chance.std)}, "
                f"the paper {text(printed.mean, printed.std)}"
            )
        if not said:
            return None
        complete = len(said) == len(datasets)
        return (all(held) if complete or not all(held) else None), "; ".join(said)

    return check


def _of(rows: Sequence[Row], dataset: str, method: str) -> list[Row]:
    return [row for row in by_method(rows).get(method, []) if row.dataset == dataset]
