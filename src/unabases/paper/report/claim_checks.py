"""How each claim of the paper is checked: functions of an experiment's rows."""

import statistics
from collections.abc import Callable, Sequence

from unabases.paper.report.gathered import by_method, median_of, summary_of
from unabases.paper.report.listings import share_that_knows
from unabases.paper.report.paper_values import paper_table, paper_text
from unabases.paper.report.quantities import QUANTITIES, Summary, number, text
from unabases.paper.store import Row

Finding = tuple[bool | None, str] | None  # whether it holds (None: undecided) and the numbers; None without rows
Check = Callable[[Sequence[Row]], Finding]

ENSEMBLES = ("Vanilla ensemble", "Bootstrap ensemble", "Anchored ensemble")
FREE, HELD = "NLM, MAP, γ = 0", "NLM, MAP, γ = 10"
FLAT = 0.1  # of the variation without a penalty: less counts as none
_NO_BASELINES = ("LUNA, between", "Random search", "Optuna TPE", "Optuna GP")  # ours, and what the paper leaves out
NOTICED = 0.05  # 5 % of the epistemic std on training rows: a smaller rise shows nobody anything
ALIKE = 2.0  # times the gold standard or a half of it: still like it


def prior_is_flat(rows: Sequence[Row]) -> Finding:
    """Prior functions vary in the gap by less than a tenth with the penalty of what they do without."""
    free, held = (summary_of(by_method(rows).get(name, []), "prior_variation_gap") for name in (FREE, HELD))
    if not free.n or not held.n:
        return None
    evidence = (
        f"prior functions bend in the gap by {text(held.mean, held.std)} with γ = 10 and by "
        f"{text(free.mean, free.std)} with γ = 0: {100 * held.mean / free.mean:.1f} % ({held.n} and {free.n} fits)"
    )
    return held.mean < FLAT * free.mean, evidence


def posterior_is_narrow(rows: Sequence[Row]) -> Finding:
    """With the penalty, mean EURC is not above +100 %."""
    parts = by_method(rows)
    held, free = parts.get(HELD, []), parts.get(FREE, [])
    inside, change = summary_of(held, "epistemic_gap"), summary_of(held, "eurc")
    if not inside.n:
        return None
    evidence = f"epistemic std in the gap {text(inside.mean, inside.std)}, EURC {text(change.mean, change.std, True)}"
    if (other := summary_of(free, "eurc")).n:
        evidence += f"; with γ = 0 EURC {text(other.mean, other.std, True)}"
    return change.mean <= 1.0, evidence


def is_inconsistent(method: str) -> Check:
    """A check that not all restarts of a method know of the gap."""

    def check(rows: Sequence[Row]) -> Finding:
        part = by_method(rows).get(method, [])
        return (share_that_knows(part)[0] < len(part), _spread(part)) if part else None

    return check


def is_consistent(method: str) -> Check:
    """A check that all restarts of a method know of the gap."""

    def check(rows: Sequence[Row]) -> Finding:
        part = by_method(rows).get(method, [])
        return (share_that_knows(part)[0] == len(part), _spread(part)) if part else None

    return check


def _spread(rows: Sequence[Row]) -> str:
    above, total = share_that_knows(rows)
    said = f"{above} of {total} restarts above +100 %"
    if (change := median_of(rows, "eurc")) is not None:
        said += f"; EURC from {number(change[1], True)} to {number(change[2], True)} %"
    if (inside := median_of(rows, "epistemic_gap")) is not None:
        said += f"; epistemic std in the gap from {number(inside[1])} to {number(inside[2])}"
    return said


def marginal_figures(rows: Sequence[Row]) -> Finding:
    """With no prior variance do all restarts know of the gap."""
    own = [row for row in rows if row.dataset.startswith("marginal-")]
    if not own:
        return None
    parts: dict[str, list[Row]] = {}
    for row in own:
        parts.setdefault(f"{row.dataset.replace('marginal-', 'γ = ')}, {row.method}", []).append(row)
    shares = {name: share_that_knows(part) for name, part in parts.items()}
    said = "; ".join(f"{name}: {above} of {total}" for name, (above, total) in shares.items())
    return all(above < total for above, total in shares.values()), f"above +100 %: {said}"


def positive_sets(rows: Sequence[Row], method: str) -> tuple[list[str], int]:
    """Data sets on which a method's mean EURC is above 0 by more than its std, as the paper counts, and of how many."""
    part = by_method(rows).get(method, [])
    found = {name: _on(part, name, "eurc") for name in paper_table(1).datasets}
    run = {name: value for name, value in found.items() if value.n}
    return [name for name, value in run.items() if value.mean > value.std], len(run)


def _on(rows: Sequence[Row], dataset: str, score: str) -> Summary:
    return summary_of([row for row in rows if row.dataset == dataset], score)


def positive(method: str) -> Check:
    """A check that a method is positive on at least five gap sets; undecided while the sets not run could tell."""

    def check(rows: Sequence[Row]) -> Finding:
        sets, total = positive_sets(rows, method)
        if not total:
            return None
        part = by_method(rows)[method]
        each = ((name, _on(part, name, "eurc")) for name in paper_table(1).datasets)
        said = "; ".join(f"{name} {text(value.mean, value.std, True)}" for name, value in each if value.n)
        return _five(len(sets), total), f"{len(sets)} of {total}: {said}"

    return check


def _five(count: int, total: int) -> bool | None:
    if count >= 5:
        return True
    return None if count + (6 - total) >= 5 else False


def other_ensembles(rows: Sequence[Row]) -> Finding:
    """Bootstrap and anchored ensembles are positive on at least five gap sets."""
    counts = {method: positive_sets(rows, method) for method in ENSEMBLES[1:]}
    if not any(total for _, total in counts.values()):
        return None
    said = "; ".join(f"{method} {len(sets)} of {total}" for method, (sets, total) in counts.items() if total)
    each = [_five(len(sets), total) for sets, total in counts.values()]
    held = False if False in each else None if None in each else True
    return held, f"{said}; by the paper's own table 1: {_printed_positive()}"


def _printed_positive() -> str:
    table = paper_table(1)
    said = []
    for method in ENSEMBLES[1:]:
        cells = [table.cells[method, dataset, ""] for dataset in table.datasets]
        bold = sum(cell.mean is not None and cell.std is not None and cell.mean > cell.std for cell in cells)
        said.append(f"{method} {bold} of {len(cells)}")
    return ", ".join(said)


def comparable(score: str) -> Check:
    """A check that LUNA is no worse than the median of the baselines' means by more than the larger spread."""
    quantity = QUANTITIES[score.removesuffix("_gap")]

    def check(rows: Sequence[Row]) -> Finding:
        parts = by_method(rows)
        luna = parts.pop("LUNA", [])
        for name in _NO_BASELINES:
            parts.pop(name, None)
        said, behind = [], []
        for dataset in dict.fromkeys(row.dataset for row in rows):
            own = _on(luna, dataset, score)
            others = [found for part in parts.values() if (found := _on(part, dataset, score)).n]
            if not own.n or not others:
                continue
            middle = statistics.median(found.mean for found in others)
            spread = max(own.std, statistics.median(found.std for found in others))
            lead = (own.mean - middle) * quantity.better
            relative = quantity.better < 0 and middle > 0
            by = f"{100 * (own.mean / middle - 1):+.0f} %" if relative else f"{own.mean - middle:+.2f}"
            said.append(f"{dataset} {number(own.mean)} against {number(middle)} ({by})")
            if lead < -spread:
                behind.append(dataset)
        if not said:
            return None
        count = f"within the spread or better on {len(said) - len(behind)} of {len(said)}"
        return not behind, f"{count}{', behind on ' + ', '.join(behind) if behind else ''}: {'; '.join(said)}"

    return check


def like_gold(rows: Sequence[Row]) -> Finding:
    """LUNA and the two others are between half and twice the gold standards in the gap."""
    parts = by_method(rows)
    inside = {name: summary_of(part, "epistemic_gap") for name, part in parts.items()}
    gold = [inside[name].mean for name in ("GP", "BNN, HMC") if name in inside and inside[name].n]
    own = [name for name in ("LUNA", "Anchored ensemble", "Linearised Laplace") if name in inside and inside[name].n]
    if not gold or "LUNA" not in own:
        return None
    level = statistics.mean(gold)
    said = "; ".join(f"{name} {number(inside[name].mean)}" for name in own)
    held = all(level / ALIKE <= inside[name].mean <= level * ALIKE for name in own)
    return held, f"epistemic std in the gap: gold standards {number(level)}; {said}"


def best_in_transfer(rows: Sequence[Row]) -> Finding:
    """LUNA has the highest mean log-likelihood at each number of features."""
    fitted = [row for row in rows if row.method != "data"]
    said, best = [], []
    for k in sorted({int(row.settings["n_features"]) for row in fitted}):
        parts = by_method(row for row in fitted if row.settings["n_features"] == k)
        means = {name: found.mean for name, part in parts.items() if (found := summary_of(part, "log_likelihood")).n}
        own = means.pop("LUNA", None)
        baselines = [mean for name, mean in means.items() if name not in _NO_BASELINES]
        if own is None or not baselines:
            continue
        best.append(own > max(baselines))
        others = ", ".join(f"{name} {number(mean)}" for name, mean in means.items())
        said.append(f"{k} features: LUNA {number(own)}, {others}")
    return (all(best), f"best at {sum(best)} of {len(best)}: {'; '.join(said)}") if said else None


def rises(dataset: str) -> Check:
    """A check that LUNA's epistemic std rises more on people whom training lacks than on others, visibly."""

    def check(rows: Sequence[Row]) -> Finding:
        parts = {name: part for name, part in by_method(rows).items() if name.startswith("LUNA")}
        found = {name: [_on(part, dataset, score) for score in ("rise_gap", "rise")] for name, part in parts.items()}
        said = [f"{name} {_against(*values)}" for name, values in found.items() if values[0].n]
        if "LUNA" not in found or not found["LUNA"][0].n:
            return None
        lacked, others = found["LUNA"]
        printed = [f"{100 * value:+.0f}" for score in ("rise_gap", "rise") if (value := paper_text(dataset, score))]
        held = lacked.mean - others.mean > max(NOTICED, lacked.std, others.std)
        return held, f"{'; '.join(said)}; the paper {' against '.join(printed)} %"

    return check


def _against(lacked: Summary, others: Summary) -> str:
    return f"{text(lacked.mean, lacked.std, True)} against {text(others.mean, others.std, True)}"


def detects_better(dataset: str) -> Check:
    """A check that LUNA's epistemic std tells people whom training lacks from others better than MAP's, in the mean."""

    def check(rows: Sequence[Row]) -> Finding:
        found = {name: _on(part, dataset, "auroc") for name, part in by_method(rows).items()}
        pairs = [(f"LUNA{width}", f"NLM, MAP{width}") for width in ("", ", 50 units")]
        run = [pair for pair in pairs if all(name in found and found[name].n for name in pair)]
        if not run:
            return None
        said = "; ".join(f"{name} {text(found[name].mean, found[name].std)}" for pair in run for name in pair)
        return all(found[luna].mean > found[plain].mean for luna, plain in run), f"area under the curve: {said}"

    return check
