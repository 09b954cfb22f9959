"""Rules that choose a trial from the table of a search."""

import math
from typing import Any

import pandas as pd

Keep = float | int | str


def sound_trials(results: pd.DataFrame) -> pd.DataFrame:
    """The trials that did not fail: complete, or pruned before they had a log-likelihood."""
    return results.loc[results["state"].isin(["complete", "pruned"])]


def likeliest(trials: pd.DataFrame) -> int:
    """Choose the trial with the highest validation log-likelihood.

    Parameters
    ----------
    trials : DataFrame
        Trials that did not fail, with a column `log_likelihood`, such as `LUNASearch.results_`.

    Returns
    -------
    int
        The label of the trial in the table's index.

    Examples
    --------
    >>> likeliest(pd.DataFrame({"log_likelihood": [-2.0, -1.0, -3.0]}))
    1
    """
    return _label(trials["log_likelihood"].idxmax())


def most_diverse(trials: pd.DataFrame, keep: Keep = 0.1) -> int:
    """Choose the most diverse of the likeliest trials.

    Likelihood says how well a model fits where there is data, and nothing about where there is none. Among models that
    fit about equally well, the one whose heads agree least is the least sure in between.

    Parameters
    ----------
    trials : DataFrame
        Trials that did not fail, with columns `log_likelihood` and `diversity`, such as `LUNASearch.results_`.
    keep : float or "standard-error"
        The share of trials that count as likeliest; or all within one standard error of the best.

    Returns
    -------
    int
        The label of the trial in the table's index.

    Examples
    --------
    >>> table = pd.DataFrame({"log_likelihood": [-2.0, -1.0, -3.0], "diversity": [0.1, 0.5, 0.0]})
    >>> most_diverse(table, keep=0.6)
    0
    """
    return _label(kept_trials(trials, keep)["diversity"].idxmin())


def kept_trials(trials: pd.DataFrame, keep: Keep = 0.1) -> pd.DataFrame:
    """The trials with the highest validation log-likelihood.

    Parameters
    ----------
    trials : DataFrame
        The table of a search. Trials without a log-likelihood are counted but not kept.
    keep : float or "standard-error"
        A share of the trials; at least one is kept. Or `"standard-error"`: all trials within one standard error of the
        best, where the error is that of the best over the validation rows. So few rows cannot tell these apart from
        the best, however many trials a sampler has put close to it.
    """
    told = trials.dropna(subset="log_likelihood")
    if isinstance(keep, str) and keep == "standard-error":
        best = told.loc[told["log_likelihood"].idxmax()]
        return told.loc[told["log_likelihood"] >= best["log_likelihood"] - best["standard_error"]]
    if isinstance(keep, str) or not 0 < keep <= 1:
        raise ValueError(
            f'`keep` must be a share of the trials, above 0 and at most 1, or "standard-error"; got {keep!r}.'
        )
    return told.nlargest(max(1, math.ceil(keep * len(trials) - 1e-9)), "log_likelihood")


def _label(index: Any) -> int:
    return int(index)
