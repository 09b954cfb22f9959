"""The findings in five lines, made from the numbers."""

from collections.abc import Sequence

from unabases.paper.methods import ANCHORED, BOOTSTRAP, GP, LUNA, LUNA_PAPER, VANILLA
from unabases.paper.report.claims import DOES_NOT_HOLD, HOLDS, NOT_RUN, CheckedClaim
from unabases.paper.report.claims.uci import positive_sets
from unabases.paper.report.detail_tables import share_that_knows
from unabases.paper.report.method_tables import MethodTable, verdict_counts
from unabases.paper.report.rows import Results, by_method, command
from unabases.paper.report.verdicts import AGREES, BETTER, MIXED, NOT_COMPARABLE, ONE_RUN, WORSE

__all__ = ["five_findings"]

_FIT = ("RMSE, gap sets", "Log-likelihood, gap sets", "RMSE, standard sets", "Log-likelihood, standard sets")


def five_findings(results: Results, claims: Sequence[CheckedClaim], tables: list[MethodTable]) -> list[str]:
    """Restarts, gap sets, fit, transfer, and how all of it compares with the paper."""
    return [_restarts(results), _gap_sets(results), _fit(claims), _transfer(claims), _paper(claims, tables)]


def _restarts(results: Results) -> str:
    parts = by_method(results.of("consistency"))
    if not parts:
        return f"Restarts on the Cubic Gap data: not run yet ({command('consistency')})."
    lunas_first = sorted(parts, key=lambda method: not method.startswith(LUNA))
    said = "; ".join(f"{method}: {share_that_knows(parts[method])}" for method in lunas_first)
    return f"Restarts on the Cubic Gap data that are more than twice as unsure in the gap as on the data: {said}."


def _gap_sets(results: Results) -> str:
    rows = results.of("uci-gap")
    if not rows:
        return f"UCI gap sets: not run yet ({command('uci-gap')})."
    run = by_method(rows)
    first = [method for method in (LUNA_PAPER, LUNA, VANILLA, BOOTSTRAP, ANCHORED, GP) if method in run]
    said = "; ".join(f"{method}: {positive_sets(rows, method)}" for method in dict.fromkeys([*first, *run]))
    return f"UCI gap sets on which EURC is positive by more than its spread: {said}."


def _fit(claims: Sequence[CheckedClaim]) -> str:
    found = [claim for claim in claims if claim.name in _FIT and claim.verdict != NOT_RUN]
    if not found:
        return f"Fit compared with the baselines: not run yet ({command('uci-gap')} and {command('uci-standard')})."
    said = "; ".join(f"{claim.name}: {claim.evidence.partition(':')[0]}" for claim in found)
    return f"Fit of {LUNA_PAPER} compared with the median baseline: {said}."


def _transfer(claims: Sequence[CheckedClaim]) -> str:
    claim = next(claim for claim in claims if claim.name == "Transfer")
    if claim.verdict == NOT_RUN:
        return f"Transfer to the gap of the Squiggle Gap data: not run yet ({command('transfer')})."
    best = claim.evidence.partition(":")[0]
    return f"Transfer to the gap of the Squiggle Gap data: {LUNA_PAPER} is {best} numbers of features."


def _paper(claims: Sequence[CheckedClaim], tables: list[MethodTable]) -> str:
    counts = verdict_counts(tables)
    words = {
        AGREES: "agree",
        BETTER: "are better",
        WORSE: "are worse",
        MIXED: "are better in one way and worse in another",
    }
    words |= {ONE_RUN: "have a single run that does not agree", NOT_COMPARABLE: "are not comparable"}
    cells = ", ".join(f"{counts[word]} {said}" for word, said in words.items() if counts[word] or word == AGREES)
    held, fell, open_ = (sum(claim.verdict == word for claim in claims) for word in (HOLDS, DOES_NOT_HOLD, NOT_RUN))
    return (
        f"Of the {sum(counts.values())} numbers that the paper prints {cells} and {counts['not run']} were not run; "
        f"of {len(claims)} claims {held} hold, {fell} do not and {open_} were not run."
    )
