"""Why a claim does not hold here: what differs from the paper, and what shows it."""

from collections.abc import Callable
from functools import partial

from unabases.paper.report.claims.uci import Place
from unabases.paper.report.claims.why_real import (
    why_ages,
    why_ensembles,
    why_gap_sets,
    why_in_gap,
    why_searches,
    why_standard,
    why_vanilla,
)
from unabases.paper.report.claims.why_synthetic import why_level, why_marginal, why_maximum_likelihood, why_transfer
from unabases.paper.report.rows import Results

__all__ = ["what_differs"]


def what_differs(name: str, results: Results) -> str:
    """What differs from the paper for a claim that does not hold, with the measurement that shows it.

    Every sentence is decided by the rows that are given.

    Parameters
    ----------
    name
        The name of the claim.
    results
        Stored rows. Where those of the measurement are missing, the text says what to run.
    """
    return _REASONS[name](results) if name in _REASONS else ""


_REASONS: dict[str, Callable[[Results], str]] = {
    "MLE over restarts": why_maximum_likelihood,
    "Marginal likelihood over restarts": why_marginal,
    "Marginal likelihood over α and γ": why_marginal,
    "Cubic Gap": why_level,
    "LUNA on the gap sets": why_gap_sets,
    "Vanilla ensembles on the gap sets": why_vanilla,
    "Other ensembles on the gap sets": why_ensembles,
    "RMSE in the gap": partial(why_in_gap, score="rmse_gap", place=Place(2, "gap")),
    "Log-likelihood in the gap": partial(why_in_gap, score="log_likelihood_gap", place=Place(3, "gap")),
    "RMSE, standard sets": partial(why_standard, score="rmse", place=Place(6)),
    "Log-likelihood, standard sets": partial(why_standard, score="log_likelihood", place=Place(5)),
    "Transfer": why_transfer,
    "Bayesian optimisation": why_searches,
    "Hartmann6": why_searches,
    "Ages 30 to 40, trained on others": why_ages,
}
