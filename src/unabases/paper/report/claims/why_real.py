"""What differs from the paper on real data and in searches, by the rows that were stored."""

from typing import Any

from scipy.stats import fisher_exact

from unabases.datasets import GAP_SETS
from unabases.paper.methods import GP, LUNA, LUNA_PAPER, NLM_MAP, VANILLA
from unabases.paper.report.claims.uci import Place, compare_sets, positive_sets, printed_comparable, printed_ensembles
from unabases.paper.report.claims.why_synthetic import by_strength, listed, to_run
from unabases.paper.report.detail_tables import Share
from unabases.paper.report.lunas import is_baseline
from unabases.paper.report.method_tables import METHOD_TABLES, make_method_table
from unabases.paper.report.paper_values import paper_table
from unabases.paper.report.rows import Results, by_method, command, summary_of
from unabases.paper.report.scores import number, short
from unabases.paper.report.verdicts import AGREES, BETTER, MIXED, NOT_COMPARABLE, WORSE

__all__ = [
    "why_ages",
    "why_ensembles",
    "why_gap_sets",
    "why_in_gap",
    "why_searches",
    "why_standard",
    "why_vanilla",
]

SECOND_BEST = 0.1  # regret on Hartmann6: its second-best minimum is 0.12 above the best
MORE = 1.25  # times the printed error, beyond what splits and settings change
TIED = {"boston-ptratio": " (which of the rows with equal values are held out decides it: docs/paper-notes.md)"}
CHANCE = 0.55  # an AUROC up to here tells next to nothing apart


def _words(results: Results, place: Place, method: str) -> dict[str, str]:
    """How our number compares with the printed one, on each data set where it was run and can be compared."""
    spec = next(spec for spec in METHOD_TABLES if spec.table == place.table)
    cells = make_method_table(spec, results).cells
    own = {name: cell.verdict for (who, name, where), cell in cells.items() if (who, where) == (method, place.region)}
    judged = {name: verdict.word for name, verdict in own.items() if verdict is not None}
    return {name: word for name, word in judged.items() if word in (AGREES, BETTER, WORSE, MIXED)}


def _agreeing(results: Results, place: Place, method: str) -> Share:
    words = _words(results, place, method)
    return Share(sum(word == AGREES for word in words.values()), len(words))


def why_gap_sets(results: Results) -> str:
    """On which gap sets LUNA's numbers differ from the printed ones, and what our own LUNA does."""
    words, ours = _words(results, Place(1), LUNA_PAPER), positive_sets(results.of("uci-gap"), LUNA)
    apart = ", ".join(name for name, word in words.items() if word != AGREES)
    said = f"EURC differs from the printed one on {apart or 'no set'}, of {len(words)} that can be compared."
    said += "".join(f" {_one_set(results, name)}" for name in words if words[name] != AGREES)
    if ours.eurc:
        said += f" Our LUNA, with the same selection and heads pushed apart between the training inputs, has {ours}."
    counts = {lam: positive_sets(part, part[0].method) for lam, part in by_strength(results, "luna-strength").items()}
    if counts:
        said += f" By λ alone (luna-strength) the count is {listed(counts)}."
    return said + to_run(results, "uci-gap", "chooses γ and λ on each split, as the paper may have")


def _one_set(results: Results, dataset: str) -> str:
    """EURC on one set by λ, beside the λ that was chosen there."""
    own = {lam: summary_of(part, "eurc", dataset) for lam, part in by_strength(results, "luna-strength").items()}
    said = listed({lam: f"{number(one.mean, True)} %" for lam, one in own.items() if one.n})
    used = {
        row.settings.get("lam") for row in results.of("uci-gap") if (row.dataset, row.method) == (dataset, LUNA_PAPER)
    }
    if not said:
        return f"What λ does there: {command('luna-strength')}."
    chosen = f"the λ that was chosen there is {used.pop():g}; " if len(used) == 1 and None not in used else ""
    return f"On {dataset} {chosen}EURC by λ (luna-strength): {said}."


def why_vanilla(results: Results) -> str:
    """Whether means or spreads decide, and how much cannot come from training, since a Gaussian process has none."""
    agree, quick = _agreeing(results, Place(1), GP), "quick" in results.profiles_of("uci-gap", VANILLA)
    parts = [_means_or_spreads(results)]
    parts += ["Members and steps are fewer in the profile quick."] if quick else []
    if agree.total:
        other = " So rows, noise or the settings of methods differ too." if agree.count < agree.total else ""
        parts.append(
            f"The Gaussian process, which has neither members nor steps, agrees with its printed EURC on {agree} "
            f"sets.{other}"
        )
    said = " ".join(part for part in parts if part)
    return said + to_run(results, "uci-gap", "would show what members and steps do", VANILLA)


def _means_or_spreads(results: Results) -> str:
    """The count of the claim with our means and the printed spreads, and the other way round."""
    own, cells = positive_sets(results.of("uci-gap"), VANILLA).eurc, paper_table(1).cells
    both = [
        (one, cell.mean, cell.std)
        for name, one in own.items()
        if (cell := cells[VANILLA, name, ""]).mean is not None and cell.std is not None
    ]
    if not both:
        return ""
    by_mean = Share(sum(one.mean > std for one, _, std in both), len(both))
    by_spread = Share(sum(mean > one.std for one, mean, _ in both), len(both))
    words = _words(results, Place(1), VANILLA)
    apart = ", ".join(name for name, word in words.items() if word != AGREES) or "no set"
    return (
        f"EURC differs from the printed one on {apart}, of {len(words)}. With the means here and the printed spreads "
        f"the count is {by_mean}, with the printed means and the spreads here {by_spread}."
    )


def why_ensembles(results: Results) -> str:
    """What the same count gives on the paper's own table."""
    found = printed_ensembles()
    if found is None or found.holds:
        return ""
    return f"The paper's own table 1 does not show it either: by the same count it has {found.evidence}."


def _other_rows(results: Results) -> str:
    """Gap sets on which every method errs more in the gap than it is printed to: no single method can be why."""
    spec = next(spec for spec in METHOD_TABLES if spec.table == 2)
    ratios: dict[str, list[float]] = {}
    for (_, name, region), cell in make_method_table(spec, results).cells.items():
        judged = cell.verdict is not None and cell.verdict.word != NOT_COMPARABLE
        if region == "gap" and judged and cell.paper is not None and cell.paper.mean and cell.ours.n:
            ratios.setdefault(name, []).append(cell.ours.mean / cell.paper.mean)
    return " ".join(
        f"On {name} each of {len(own)} methods has {number(min(own))} to {number(max(own))} times its printed error in "
        f"the gap, so the rows of this gap differ from the paper's{TIED.get(name, '')}."
        for name, own in ratios.items()
        if len(own) > 2 and min(own) > MORE
    )


def why_in_gap(results: Results, score: str, place: Place) -> str:
    """Whether the printed numbers pass the rule, how often ours agree with them, and what pushing heads apart costs."""
    agree, printed = _agreeing(results, place, LUNA_PAPER), printed_comparable(score, place)
    parts = []
    if printed is not None and not printed.holds:
        parts.append("The printed numbers do not pass this rule either.")
    if agree.total:
        parts.append(f"The paper's LUNA here agrees with the printed one on {agree} sets.")
    parts += [_other_rows(results), _cost_of_strength(results, score, place)]
    more = to_run(results, "uci-gap", "chooses γ and λ on each split, and would show what selection does")
    return (" ".join(part for part in parts if part) + more).strip()


def _cost_of_strength(results: Results, score: str, place: Place) -> str:
    """On how many sets each λ passes the rule, beside the baselines on the same splits."""
    strengths = by_strength(results, "luna-strength")
    if not strengths:
        return f"What λ does: {command('luna-strength')}."
    others = [row for row in results.of("uci-gap") if is_baseline(row.method)]
    found = {lam: compare_sets([*others, *part], score, place, part[0].method) for lam, part in strengths.items()}
    run = {lam: one for lam, one in found.items() if one.compared}
    if not run:
        return ""
    said = listed({lam: f"{one.within} of {len(one.compared)}" for lam, one in run.items()})
    never = set.intersection(*(set(one.behind) for one in run.values()))
    rest = f"; with none of them on {', '.join(name for name in GAP_SETS if name in never)}" if never else ""
    return f"Within the spread or better by λ alone (luna-strength): {said}{rest}."


def why_standard(results: Results, score: str, place: Place) -> str:
    """What few splits do to the rule: the spread that it allows, beside the one that the paper prints."""
    rows = results.of("uci-standard")
    splits = len({row.split for row in rows if row.method == LUNA_PAPER})
    parts = [f"{LUNA_PAPER} was run on {splits} splits here, where the paper has 20."] if splits < 20 else []
    found = compare_sets(rows, score, place, printed_spread=True)
    if found.compared:
        parts.append(
            f"Held against the spread that the paper prints, in place of ours, it is within it or better on "
            f"{found.within} of {len(found.compared)}."
        )
    if (agree := _agreeing(results, place, LUNA_PAPER)).total:
        parts.append(f"It agrees with the printed LUNA on {agree} sets that can be compared.")
    more = to_run(results, "uci-standard", "has 20 splits, and searches γ and λ on each, where these are defaults")
    return (" ".join(parts) + more).strip()


def why_searches(results: Results) -> str:
    """Searches of Hartmann6 that ended far above the best, and whether LUNA's do so more often; other sets by name."""
    rows = results.of("bayesopt")
    behind = compare_sets(rows, "regret", Place(4), LUNA).behind
    others = [name for name in behind if name != "hartmann6"]
    parts = [_far_above(results)]
    if others:
        parts.append(f"What differs on {', '.join(others)} was not measured.")
    return " ".join(part for part in parts if part)


def _far_above(results: Results) -> str:
    parts = by_method(row for row in results.of("bayesopt") if row.dataset == "hartmann6" and not row.failed)
    regrets = {name: [row.scores["regret"] for row in part] for name, part in parts.items()}
    said, counts = [], {}
    for name in (LUNA, NLM_MAP, GP):
        if own := regrets.get(name):
            far = [regret for regret in own if regret >= SECOND_BEST]
            counts[name] = Share(len(far), len(own))
            good = [regret for regret in own if regret < SECOND_BEST]
            rest = f", the others end at {short(sum(good) / len(good))} on average" if good and far else ""
            said.append(f"{name} {counts[name]}{rest}")
    if not said:
        return f"Hartmann6 was not run: {command('bayesopt')} --profile paper --datasets hartmann6."
    baselines = [regret for name, own in regrets.items() if is_baseline(name) for regret in own]
    far = sum(regret >= SECOND_BEST for regret in baselines)
    text = f"Searches of Hartmann6 that end at least {SECOND_BEST:g} above the best: {'; '.join(said)}."
    if LUNA in counts and baselines:
        own = counts[LUNA]
        test: Any = fisher_exact([[own.count, own.total - own.count], [far, len(baselines) - far]])
        p = f"p = {test.pvalue:.2g}"
        text += f" All baselines together: {far} of {len(baselines)} (Fisher's exact test against LUNA: {p})."
    return text


def why_ages(results: Results) -> str:
    """Whether any method tells these ages apart with the image features used here."""
    parts = by_method(row for row in results.of("faces") if row.dataset == "faces-ages")
    areas = {name: one.mean for name, part in parts.items() if (one := summary_of(part, "auroc")).n}
    said = "The image features differ from the paper's (docs/faces.md)."
    if not areas:
        return said
    least, most = number(min(areas.values())), number(max(areas.values()))
    which = "no method tells" if max(areas.values()) <= CHANCE else "some method tells"
    return f"{said} With these, {which} those ages from others: AUROC from {least} to {most} over {len(areas)} methods."
