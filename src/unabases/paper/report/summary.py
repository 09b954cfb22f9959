"""What was found, in five lines made of the numbers."""

from collections.abc import Sequence

from unabases.paper.report.claim_checks import ENSEMBLES, positive_sets
from unabases.paper.report.claims import DOES_NOT_HOLD, HOLDS, NOT_RUN, Claim
from unabases.paper.report.gathered import Results, by_method, command
from unabases.paper.report.grids import Grid, verdict_counts
from unabases.paper.report.listings import share_that_knows
from unabases.paper.report.verdicts import AGREES, BETTER, NOT_COMPARABLE, WORSE

__all__ = ["five_lines"]


def five_lines(results: Results, grids: list[Grid], claims: Sequence[Claim]) -> list[str]:
    """Restarts, gap sets, fit, transfer, and how all of it compares with the paper."""
    return [
        _restarts(results),
        _gap_sets(results),
        _fit(claims),
        _transfer(claims),
        _paper(grids, claims),
    ]


def _restarts(results: Results) -> str:
    parts = by_method(results.of("consistency"))
    if not parts:
        return f"Restarts on the Cubic Gap data: not run yet ({command('consistency')})."
    shares = {method: share_that_knows(part) for method, part in parts.items()}
    said = "; ".join(f"{method}: {above} of {total}" for method, (above, total) in _luna_first(shares))
    return f"Restarts on the Cubic Gap data that are more than twice as unsure in the gap as on the data: {said}."


def _luna_first(shares: dict[str, tuple[int, int]]) -> list[tuple[str, tuple[int, int]]]:
    return sorted(shares.items(), key=lambda item: not item[0].startswith("LUNA"))


def _gap_sets(results: Results) -> str:
    rows = results.of("uci-gap")
    if not rows:
        return f"UCI gap sets: not run yet ({command('uci-gap')})."
    counts = {method: positive_sets(rows, method) for method in by_method(rows)}
    shown = [m for m in ("LUNA", "LUNA, between", *ENSEMBLES, "GP") if m in counts]
    others = [m for m in counts if m not in shown]
    said = "; ".join(f"{method}: {len(counts[method][0])} of {counts[method][1]}" for method in [*shown, *others])
    return f"UCI gap sets on which EURC is positive by more than its spread: {said}."


def _fit(claims: Sequence[Claim]) -> str:
    names = ("RMSE, gap sets", "Log-likelihood, gap sets", "RMSE, standard sets", "Log-likelihood, standard sets")
    found = [claim for claim in claims if claim.name in names and claim.verdict != NOT_RUN]
    if not found:
        return f"Fit beside the baselines: not run yet ({command('uci-gap')} and {command('uci-standard')})."
    said = "; ".join(f"{claim.name}: {claim.evidence.partition(':')[0]}" for claim in found)
    return f"LUNA's fit beside the median of the baselines: {said}."


def _transfer(claims: Sequence[Claim]) -> str:
    claim = next(claim for claim in claims if claim.name == "Transfer")
    if claim.verdict == NOT_RUN:
        return f"Transfer to the gap of the Squiggle Gap data: not run yet ({command('transfer')})."
    return (
        f"Transfer to the gap of the Squiggle Gap data: LUNA is {claim.evidence.partition(':')[0]} numbers of features."
    )


def _paper(grids: list[Grid], claims: Sequence[Claim]) -> str:
    counts = verdict_counts(grids)
    words = {AGREES: "agree", BETTER: "are better", WORSE: "are worse", NOT_COMPARABLE: "are not comparable"}
    cells = ", ".join(f"{counts.get(word, 0)} {said}" for word, said in words.items())
    held, fell, open_ = (sum(claim.verdict == word for claim in claims) for word in (HOLDS, DOES_NOT_HOLD, NOT_RUN))
    return (
        f"Of the paper's {sum(counts.values())} printed cells {cells} and {counts.get('not run', 0)} were not run; "
        f"of {len(claims)} claims {held} hold, {fell} do not and {open_} were not run."
    )
