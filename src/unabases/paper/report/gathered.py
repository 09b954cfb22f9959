"""The stored rows that a report shows: one profile an experiment."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from unabases.paper.report.quantities import Summary, summarise_values
from unabases.paper.store import Row

__all__ = ["EXPERIMENTS", "Results", "by_method", "command", "gather", "median_of", "ordered_methods", "summary_of"]

EXPERIMENTS: dict[str, str] = {
    "map-prior": "Prior and posterior of a neural linear model trained by MAP, with and without a weight penalty",
    "luna-heads": "LUNA's auxiliary heads and its posterior",
    "cubic-gap": "Every method on the Cubic Gap data",
    "consistency": "Restarts of every method on the same Cubic Gap data",
    "restarts": "Restarts of neural linear models over their settings",
    "uci-gap": "Six UCI sets with a gap cut into one input",
    "gap-search": "What choosing hyper-parameters by a search is worth on the gap sets",
    "uci-standard": "Six UCI sets with ordinary splits",
    "transfer": "Features learned outside the gap of the Squiggle Gap data, last layer refitted inside it",
    "bayesopt": "Bayesian optimisation",
    "faces": "Sampling bias in images of faces",
}
"""What each experiment asks, in the order of the report."""

_ORDER = (
    "Bootstrap ensemble",
    "Vanilla ensemble",
    "Anchored ensemble",
    "NLM, MAP",
    "NLM, MAP, 50 units",
    "NLM, MLE",
    "NLM, marginal",
    "GP",
    "BNN, HMC",
    "Linearised Laplace",
    "MC dropout",
    "SNGP",
    "RFF SNGP",
    "Mean-field VI",
    "LUNA",
    "LUNA, between",
    "LUNA, 50 units",
    "LUNA, 50 units, 200 heads",
)


class Results(NamedTuple):
    """The rows of every experiment that was run."""

    rows: dict[str, tuple[Row, ...]]
    profiles: dict[str, str]
    stored: tuple[Row, ...] = ()
    """Every row that there was to choose from, of other profiles too."""

    def of(self, experiment: str) -> tuple[Row, ...]:
        """The rows of an experiment; none where it was not run."""
        return self.rows.get(experiment, ())

    def about(self, experiment: str) -> str:
        """Profile and counts, or what to run."""
        rows = self.of(experiment)
        if not rows:
            return f"not run yet: {command(experiment)}"
        failed = sum(bool(row.failed) for row in rows)
        splits, seeds = {row.split for row in rows}, {row.seed for row in rows}
        parts = [f"profile {self.profiles[experiment]}", f"{len(rows)} trials"]
        if len(splits) > 1:
            parts.append(f"{len(splits)} splits")
        if len(seeds) > 1 and any(row.seed != row.split for row in rows):  # else a split has one seed, its own
            parts.append(f"{len(seeds)} seeds")
        return ", ".join([*parts, f"{failed} failed"] if failed else parts)


def command(experiment: str) -> str:
    """What a user types to run an experiment."""
    return f"unabases reproduce {experiment}"


def gather(rows: Iterable[Row], profile: str | None = None) -> Results:
    """Choose what to show of all rows of a store.

    Parameters
    ----------
    profile
        Show this one alone. Without it each experiment shows the profile with the most rows, `paper` where two have
        as many, and `tiny`, whose numbers mean nothing, only where there is no other.
    """
    stored = tuple(rows)
    found: dict[str, dict[str, list[Row]]] = {}
    for row in stored:
        if profile is None or row.profile == profile:
            found.setdefault(row.experiment, {}).setdefault(row.profile, []).append(row)
    chosen, profiles = {}, {}
    for experiment in sorted(found, key=_place):
        of_profile = found[experiment]
        best = max(of_profile, key=lambda name: (name != "tiny", len(of_profile[name]), name == "paper", name))
        profiles[experiment], chosen[experiment] = best, tuple(of_profile[best])
    return Results(chosen, profiles, stored)


def _place(experiment: str) -> tuple[int, str]:
    known = list(EXPERIMENTS)
    return (known.index(experiment) if experiment in known else len(known), experiment)


def by_method(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Rows of each method, in the order of the tables."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.method, []).append(row)
    return {method: found[method] for method in ordered_methods(found)}


def ordered_methods(methods: Iterable[str]) -> list[str]:
    """Methods in the order of the tables, unknown ones last and in the order in which they came."""
    given = list(Counter(methods))
    return sorted(given, key=lambda method: _ORDER.index(method) if method in _ORDER else len(_ORDER))


def summary_of(rows: Sequence[Row], score: str) -> Summary:
    """A score over rows; rows that failed have none."""
    fine = [row for row in rows if not row.failed]
    return summarise_values((row.scores[score] for row in fine if score in row.scores), failed=len(rows) - len(fine))


def median_of(rows: Sequence[Row], score: str) -> tuple[float, float, float] | None:
    """Median, least and largest of a score, or None where no row has it."""
    values = sorted(row.scores[score] for row in rows if not row.failed and score in row.scores)
    if not values:
        return None
    middle = len(values) // 2
    median = values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2
    return median, values[0], values[-1]
