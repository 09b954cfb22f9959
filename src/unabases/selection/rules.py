"""Which trial of a search to take, given the table of them all."""

import math
from typing import Any

import pandas as pd

Keep = float | int | str


def sound_trials(results: pd.DataFrame) -> pd.DataFrame:
    """The trials that did not fail: complete, or pruned before they had a log-likelihood."""
    return results.loc[results["state"].isin(["complete", "pruned"])]


def likeliest(trials: pd.DataFrame) -> int:
    """The trial with the highest validation log-likelihood: its label in the table's index."""
    return _label(trials["log_likelihood"].idxmax())


def most_diverse(trials: pd.DataFrame, keep: Keep = 0.1) -> int:
    """Of the trials with the highest validation log-likelihood (see `kept_trials`), the most diverse.

    Likelihood says how well a model fits where there is data and nothing about where there is none; among models that
    fit about equally well, the one whose heads agree least is the least sure in between.
    """
    return _label(kept_trials(trials, keep)["diversity"].idxmin())


def kept_trials(trials: pd.DataFrame, keep: Keep = 0.1) -> pd.DataFrame:
    """The likeliest trials on the validation rows.

    Parameters
    ----------
    trials
        The table of a search; trials without a log-likelihood are counted but not kept.
    keep
        A share of them, at least one; or `"standard-error"`: all whose log-likelihood is within one standard error of
        the best, its own error over the validation rows. That many rows cannot tell them apart from the best, however
        many trials a sampler has put close to it.
    """
    told = trials.dropna(subset="log_likelihood")
    if isinstance(keep, str) and keep == "standard-error":
        best = told.loc[told["log_likelihood"].idxmax()]
        return told.loc[told["log_likelihood"] >= best["log_likelihood"] - best["standard_error"]]
    if isinstance(keep, str) or not 0 < keep <= 1:
        raise ValueError(f'`keep` is a share of the trials, above 0 and at most 1, or "standard-error"; got {keep!r}.')
    return told.nlargest(max(1, math.ceil(keep * len(trials) - 1e-9)), "log_likelihood")


def _label(index: Any) -> int:
    return int(index)
