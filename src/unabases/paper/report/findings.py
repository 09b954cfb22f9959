"""The findings in five sentences, made from the numbers."""

from collections.abc import Mapping, Sequence

from unabases.paper.methods import LUNA, LUNA_DEFAULTS, LUNA_PAPER, NLM_MAP, NLM_MARGINAL, NLM_MLE, UNA, VANILLA
from unabases.paper.report.claims import DOES_NOT_HOLD, HOLDS, OPEN, CheckedClaim
from unabases.paper.report.claims.uci import positive_sets
from unabases.paper.report.detail_tables import share_that_knows
from unabases.paper.report.method_tables import MethodTable, verdict_counts
from unabases.paper.report.rows import Results, by_method, command
from unabases.paper.report.verdicts import AGREES, BETTER, MIXED, NOT_COMPARABLE, ONE_RUN, WORSE

__all__ = ["claims_line", "five_findings"]

_FIT = {
    "RMSE, gap sets": "outside the gap",
    "RMSE in the gap": "in the gap",
    "RMSE, standard sets": "on ordinary splits",
}
_OURS = {LUNA: "our LUNA", LUNA_DEFAULTS: "our LUNA with defaults", UNA: "UNA"}
_PLAIN = {NLM_MLE: "by maximum likelihood", NLM_MAP: "by MAP", NLM_MARGINAL: "by marginal likelihood"}
_WORDS = {
    AGREES: "agree",
    BETTER: "are better here",
    WORSE: "are worse here",
    MIXED: "are better by one measure and worse by another",
    ONE_RUN: "have one run here that does not agree",
    NOT_COMPARABLE: "cannot be compared",
    "not run": "were not run",
}


def five_findings(results: Results, claims: Sequence[CheckedClaim], tables: list[MethodTable]) -> list[str]:
    """Restarts, gap sets, fit, transfer, and how all of it compares with the paper: a sentence for each."""
    return [_restarts(results), _gap_sets(results), _fit(claims), _transfer(claims), _paper(claims, tables)]


def _restarts(results: Results) -> str:
    parts = by_method([*results.of("consistency"), *results.of("our-restarts")])
    if not parts:
        return f"Restarts on the Cubic Gap data: not run yet ({command('consistency')})."
    shares = {method: share_that_knows(part) for method, part in parts.items()}
    own, plain = shares.get(LUNA_PAPER), _listed(_PLAIN, shares)
    first = f"knows of the gap in {own} restarts" if own else "was not run"
    said = (
        f"Trained again from other random numbers, the paper's LUNA {first}{_beside(_OURS, shares)}; to know of it "
        "is to be more than twice as unsure there as on the data."
    )
    return f"{said} A plain neural linear model knows of it, trained {plain}." if plain else said


def _beside(names: Mapping[str, str], found: Mapping[str, object]) -> str:
    said = _listed(names, found)
    return f" ({said})" if said else ""


def _listed(names: Mapping[str, str], found: Mapping[str, object]) -> str:
    return ", ".join(f"{name} in {found[label]}" for label, name in names.items() if label in found)


def _gap_sets(results: Results) -> str:
    rows = results.of("uci-gap")
    if not rows:
        return f"UCI gap sets: not run yet ({command('uci-gap')})."
    names = {LUNA_PAPER: "the paper's LUNA", **_OURS, VANILLA: "vanilla ensembles"}
    every = (*rows, *results.of("our-gap-sets"))
    sets = {method: positive_sets(every, method) for method in names}
    found = {
        name: sets[method]
        for method, name in names.items()
        if sets[method].eurc and (method not in _OURS or sets[method].enough is not None)
    }
    if not found:
        return f"UCI gap sets: too few splits yet ({command('uci-gap')})."
    said = ", ".join(f"{name} on {own}" for name, own in found.items())
    return (
        f"On real tables with a gap, less sure inside it by more than the spread over splits: {said} data sets. The "
        "paper prints 5 of 6 for its LUNA."
    )


def _fit(claims: Sequence[CheckedClaim]) -> str:
    found = {claim.name: claim for claim in claims if claim.name in _FIT and claim.verdict != OPEN}
    if not found:
        return f"Fit compared with the baselines: not run yet ({command('uci-gap')} and {command('uci-standard')})."
    said = ", ".join(f"{_FIT[name]} on {_count(claim.evidence)}" for name, claim in found.items())
    return f"The error of the paper's LUNA is within the baselines' spread of their median, or better: {said}."


def _count(evidence: str) -> str:
    """The count at the beginning of what a check found, and how many sets it leaves undecided."""
    said, _, undecided = evidence.partition(":")[0].partition(", undecided on ")
    count = said.partition(",")[0].removeprefix("within the spread or better on ")
    return f"{count} sets ({undecided.count(',') + 1} undecided)" if undecided else f"{count} sets"


def _transfer(claims: Sequence[CheckedClaim]) -> str:
    claim = next(claim for claim in claims if claim.name == "Transfer")
    if claim.verdict == OPEN:
        return f"Transfer to the gap of the Squiggle Gap data: not run yet ({command('transfer')})."
    best, ours = claim.evidence.partition(":")[0], claim.ours[0]
    beside = "" if ours.verdict == OPEN else f", our LUNA {ours.evidence.partition(':')[0]}"
    return (
        f"Features learned outside a gap and used inside it: the paper's LUNA is {best} sizes of the network{beside}; "
        "the paper has its LUNA best at all."
    )


def _paper(claims: Sequence[CheckedClaim], tables: list[MethodTable]) -> str:
    counts = verdict_counts(tables)
    said = [f"{counts[word]} {words}" for word, words in _WORDS.items() if counts[word] or word == AGREES]
    cells = f"{', '.join(said[:-1])} and {said[-1]}" if len(said) > 1 else said[0]
    told = [claim.printed.verdict for claim in claims if claim.printed is not None]
    return (
        f"Of the {sum(counts.values())} numbers that the paper prints {cells}. {claims_line(claims)} By the same rules "
        f"the paper's own numbers bear out {told.count(HOLDS)} of the {len(told)} claims for which it prints enough."
    )


def claims_line(claims: Sequence[CheckedClaim]) -> str:
    """How many claims hold, in one sentence."""
    held, fell, left = (sum(claim.verdict == word for claim in claims) for word in (HOLDS, DOES_NOT_HOLD, OPEN))
    are = "is" if left == 1 else "are"
    return f"Of the paper's {len(claims)} claims {held} hold here, {fell} do not and {left} {are} open."
