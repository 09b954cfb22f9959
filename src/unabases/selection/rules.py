"""Which trial of a search to take, given the table of them all."""

import math
from typing import Any

import pandas as pd


def sound_trials(results: pd.DataFrame) -> pd.DataFrame:
    """The trials that did not fail: complete, or pruned before they had a log-likelihood."""
    return results.loc[results["state"].isin(["complete", "pruned"])]


def likeliest(trials: pd.DataFrame) -> int:
    """The trial with the highest validation log-likelihood: its label in the table's index."""
    return _label(trials["log_likelihood"].idxmax())


def most_diverse(trials: pd.DataFrame, keep: float = 0.1) -> int:
    """Of the share `keep` of trials with the highest validation log-likelihood, the most diverse.

    Likelihood says how well a model fits where there is data and nothing about where there is none; among models that
    fit about equally well, the one whose heads agree least is the least sure in between.
    """
    return _label(kept_trials(trials, keep)["diversity"].idxmin())


def kept_trials(trials: pd.DataFrame, keep: float = 0.1) -> pd.DataFrame:
    """The best share of the trials by validation log-likelihood, at least one; trials without one are counted too."""
    if not 0 < keep <= 1:
        raise ValueError(f"`keep` is a share of the trials, above 0 and at most 1; got {keep!r}.")
    count = max(1, math.ceil(keep * len(trials) - 1e-9))
    return trials.dropna(subset="log_likelihood").nlargest(count, "log_likelihood")


def _label(index: Any) -> int:
    return int(index)
