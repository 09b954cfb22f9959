"""What differs from the paper on the Cubic Gap and Squiggle Gap data, by the rows that were stored."""

import math
import re
import statistics
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from unabases.datasets import squiggle_gap
from unabases.paper.methods import ANCHORED, GP, HMC, LUNA_PAPER, NLM_MLE, UNA
from unabases.paper.report.detail_tables import Share, share_that_knows
from unabases.paper.report.lunas import is_baseline
from unabases.paper.report.rows import Results, Summary, by_method, command, grouped, summary_of
from unabases.paper.report.scores import number
from unabases.paper.store import Row

__all__ = ["by_strength", "listed", "to_run", "why_level", "why_marginal", "why_maximum_likelihood", "why_transfer"]

_TWICE = 2.0  # times as much change: what decides
_STEPS = re.compile(rf"{NLM_MLE}, (.+) and (\d+) units, (\d+) steps")


def to_run(results: Results, experiment: str, what: str, method: str = LUNA_PAPER) -> str:
    """What the profile `paper` would add, as a sentence after others; empty if a method shows that profile already."""
    own = [row for row in results.of(experiment) if row.method == method] or results.of(experiment)
    left = list(dict.fromkeys(row.dataset for row in own if row.profile != "paper"))
    if own and not left:
        return ""
    where = f" on {', '.join(left)}" if 0 < len(left) < len({row.dataset for row in own}) else ""
    return f" Not yet measured{where}: {command(experiment)} --profile paper {what}."


def why_maximum_likelihood(results: Results) -> str:
    """Shares of restarts that know of the gap, by number of features and length of training."""
    found: dict[int, dict[int, Share]] = {}
    for method, part in by_method(results.of("training-length")).items():
        if told := _STEPS.fullmatch(method):
            found.setdefault(int(told[2]), {})[int(told[3])] = share_that_knows(part)
    if not found:
        return f"The number of features or the length of training may differ: {command('training-length')} shows both."
    said = ", ".join(f"with {k} features {_from_to(list(own.values()))}" for k, own in sorted(found.items()))
    steps = [step for own in found.values() for step in own]
    length = f"from {min(steps)} to {max(steps):,} steps" if len(set(steps)) > 1 else f"after {steps[0]:,} steps"
    checked = {_features(row.settings) for row in results.of("consistency") if row.method == NLM_MLE} - {None}
    claim = f" The claim was checked with {checked.pop()} features." if len(checked) == 1 else ""
    return f"{_what_counts(found)}Restarts that know of the gap, {length}: {said} (training-length).{claim}"


def _features(settings: dict[str, object]) -> object:
    sizes = settings.get("hidden_layer_sizes")
    return sizes[-1] if isinstance(sizes, Sequence) and sizes else None


def _what_counts(found: dict[int, dict[int, Share]]) -> str:
    """Whether shares differ more between numbers of features or between lengths of training."""
    shares = {k: [one.count / one.total for one in own.values()] for k, own in found.items()}
    means = [statistics.fmean(own) for own in shares.values()]
    by_features, by_length = max(means) - min(means), max(max(own) - min(own) for own in shares.values())
    if by_features == by_length:
        return ""
    more, less = "The number of features", "the length of training"
    if by_features < by_length:
        more, less = "The length of training", "the number of features"
    return f"{more} changes the result more than {less}. "


def _from_to(shares: Sequence[Share]) -> str:
    """The smallest and the largest of some shares."""
    order = sorted(shares, key=lambda one: one.count / one.total)
    low, high = order[0], order[-1]
    if low.total != high.total:
        return f"{low} to {high}"
    return str(low) if low.count == high.count else f"{low.count} to {high}"


def why_marginal(results: Results) -> str:
    """Shares of restarts that know of the gap, by prior variance and penalty."""
    own = [row for row in results.of("restarts") if row.dataset.startswith("marginal-")]
    shares = {name: share_that_knows(part) for name, part in grouped(own, lambda r: (r.dataset, r.method)).items()}
    if not shares:
        return f"The prior variance and the penalty may differ: {command('restarts')} shows them."
    order = sorted(shares, key=lambda name: shares[name].count / shares[name].total)
    least, most = (shares[name] for name in (order[0], order[-1]))
    more = to_run(results, "restarts", "has ten restarts of each")
    if least.count / least.total == most.count / most.total:
        return (
            f"The prior variance and the penalty do not decide it: {least} with each of {len(shares)} (restarts).{more}"
        )
    low, high = (f"{shares[name]} with {_setting(*name)}" for name in (order[0], order[-1]))
    return f"It hangs on the prior variance and the penalty: from {low} to {high} (restarts).{more}"


def _setting(dataset: str, method: str) -> str:
    return f"{dataset.replace('marginal-', 'γ = ')} and {method}"


def by_strength(results: Results, experiment: str) -> dict[float, list[Row]]:
    """Rows of the paper's LUNA by λ, all else as it was chosen: `luna-strength` or `cubic-strength`."""
    return dict(sorted(grouped(results.of(experiment), lambda row: float(row.settings["lam"])).items()))


def listed(by_lambda: Mapping[float, object]) -> str:
    """What was found with each λ."""
    return ", ".join(f"{said} with λ = {lam:g}" for lam, said in by_lambda.items())


def why_level(results: Results) -> str:
    """How wide bands are in the gap, and what λ does to that of the paper's LUNA."""
    parts = by_method([*results.of("our-restarts"), *results.of("cubic-gap")])
    found = {name: summary_of(parts.get(name, []), "epistemic_gap") for name in (LUNA_PAPER, UNA, GP, HMC)}
    said = [f"Epistemic std in the gap: {', '.join(f'{m} {number(one.mean)}' for m, one in found.items() if one.n)}."]
    used = [row.settings["lam"] for row in parts.get(LUNA_PAPER, []) if "lam" in row.settings]
    if used:
        low, high = min(used), max(used)
        said.append(
            f"The λ that was chosen for {LUNA_PAPER} is {f'{low:g}' if low == high else f'{low:g} to {high:g}'}."
        )
    strengths = {lam: summary_of(own, "epistemic_gap") for lam, own in by_strength(results, "cubic-strength").items()}
    widths = listed({lam: number(one.mean) for lam, one in strengths.items() if one.n})
    said.append(f"By λ alone (cubic-strength): {widths}." if widths else f"What λ does: {command('cubic-strength')}.")
    said.append(_anchored(results))
    return " ".join(said) + to_run(results, "cubic-gap", "searches γ and λ on each split")


def _anchored(results: Results) -> str:
    """What the prior, the start and the training of the anchored ensemble do to its band."""
    parts = by_method(results.of("cubic-anchored"))
    found = {name.removeprefix(f"{ANCHORED}, "): summary_of(part, "epistemic_gap") for name, part in parts.items()}
    widths = ", ".join(f"{number(one.mean)} {name}" for name, one in found.items() if one.n)
    if not widths:
        return f"What decides the width of the {ANCHORED.lower()}: {command('cubic-anchored')}."
    return f"{_what_widens(found)}The {ANCHORED.lower()} (cubic-anchored): {widths}."


def _what_widens(found: Mapping[str, Summary]) -> str:
    """Whether the start or the prior changes the width more, as the largest ratio to the printed settings."""
    printed, ratios = found.get("as printed"), {"prior": 1.0, "start": 1.0}
    for name, one in found.items():
        kind = name.partition(" ")[0]
        if printed is not None and printed.n and one.n and kind in ratios:
            ratio = one.mean / printed.mean
            ratios[kind] = max(ratios[kind], ratio, 1 / ratio)
    more, less = sorted(ratios, key=lambda kind: -ratios[kind])
    if ratios[more] < _TWICE * ratios[less]:
        return ""
    return f"The variance of the {more} decides how wide the {ANCHORED.lower()} is, not that of the {less}. "


class _Difference(NamedTuple):
    """The mean difference of the paper's LUNA to the best baseline over draws, its standard error, and the draws."""

    mean: float
    error: float
    draws: int


def why_transfer(results: Results) -> str:
    """Whether anyone follows the squiggle, and at how many sizes the draws of the data settle an order.

    Each draw is the same for all methods.
    """
    rows = [row for row in results.of("transfer") if row.method != "data"]
    found = _against_best(rows)
    more = to_run(results, "transfer", "has 20 draws, and a search on each")
    if not found:
        return f"Too few draws of the data to say what differs.{more}"
    behind, ahead = ([k for k, one in found.items() if sign * one.mean > 2 * one.error] for sign in (-1, 1))
    draws = min(one.draws for one in found.values())
    return (
        f"{_follows(rows)}Over {draws} draws of the data, each the same for all methods, {LUNA_PAPER} is behind the "
        f"best baseline by more than two standard errors {_at(behind, found)}, and ahead of it {_at(ahead, found)}. "
        f"No order is settled {_at([k for k in found if k not in (*behind, *ahead)], found)}.{more}"
    )


def _follows(rows: Sequence[Row]) -> str:
    """The sizes at which no method errs less in the gap than the cube alone, which knows nothing of the squiggle."""
    data = squiggle_gap(random_state=0)
    x = np.linspace(*data.gap, 1001)
    alone = math.sqrt(np.mean((data.function(x) - x**3) ** 2) + data.sigma2)
    errors = {
        k: [one.mean for own in by_method(part).values() if (one := summary_of(own, "rmse")).n]
        for k, part in sorted(grouped(rows, lambda row: int(row.settings["n_features"])).items())
    }
    lost = {k: own for k, own in errors.items() if own and min(own) >= alone}
    if not lost:
        return ""
    every = [error for own in lost.values() for error in own]
    return (
        f"No method follows the squiggle {_at(list(lost), errors)}: their mean errors in the gap are "
        f"{number(min(every))} to {number(max(every))}, and the cube alone, without the squiggle, has {number(alone)}. "
        "Who is best there says nothing about features. "
    )


def _at(some: Sequence[int], every: Collection[int]) -> str:
    return f"at {len(some)} of {len(every)} sizes" + (f" ({', '.join(map(str, some))} features)" if some else "")


def _against_best(rows: Sequence[Row]) -> dict[int, _Difference]:
    """The difference at each number of features where both have several draws in common."""
    found = {}
    for k, part in sorted(grouped(rows, lambda row: int(row.settings["n_features"])).items()):
        scores = {
            name: {row.split: row.scores["log_likelihood"] for row in own if not row.failed}
            for name, own in by_method(part).items()
        }
        means = {name: statistics.fmean(own.values()) for name, own in scores.items() if is_baseline(name) and own}
        if not means or LUNA_PAPER not in scores:
            continue
        best, own = scores[max(means, key=lambda name: means[name])], scores[LUNA_PAPER]
        both = [own[split] - best[split] for split in own if split in best]
        if len(both) > 1:
            found[k] = _Difference(statistics.fmean(both), statistics.stdev(both) / len(both) ** 0.5, len(both))
    return found
