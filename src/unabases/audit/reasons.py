"""Why a model is unsure about a row, in a sentence."""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from unabases.audit.words import share_text, value_text

__all__ = ["rises_in_words", "why_unsure"]

_USUAL = 0.1  # if more rows like the training data than this are as unfamiliar, a row is nothing special
_MOSTLY, _PARTLY = 0.5, 0.2  # shares of what the row has too much, that go if one input is typical
_RARE = 0.05  # share of a category
_RISE = 1.05  # times the std, from which on it is said to rise


def why_unsure(epistemic_std: float, relative: float, p: float, inputs: pd.DataFrame) -> str:
    """Say in a sentence why a model is unsure about a row.

    The epistemic std of the row is compared with that of rows like the training data. The input that takes away most
    of the difference, if it were typical, is the reason.

    Parameters
    ----------
    epistemic_std, relative, p, inputs
        Fields of an `Explanation`.

    Returns
    -------
    str
        The sentence.

    Examples
    --------
    >>> line = {"column": "region", "value": "islands", "percentile": float("nan"), "share": 0.01, "outside": 5.0}
    >>> inputs = pd.DataFrame([line | {"typical": "north", "std_if_typical": 1.1}])
    >>> why_unsure(3.3, 2.3, 0.01, inputs)[:67]
    'Unsure mostly because region = islands was rare in training (1 % of'
    """
    if p > _USUAL or relative <= 0:
        share = share_text(p)
        return f"Nothing unusual: {share} of rows like the training data are as unfamiliar as this one, or more."
    excess = epistemic_std - epistemic_std / (1 + relative)
    best: Mapping[Any, Any] = inputs.sort_values("std_if_typical", kind="stable").iloc[0].to_dict()
    gone = (epistemic_std - best["std_if_typical"]) / excess
    if gone < _PARTLY:
        return (
            "No single input makes the model unsure, so it is how they go together: with any one of them typical the "
            f"epistemic std stays at {best['std_if_typical']:.3g} or more, where this row has {epistemic_std:.3g}."
        )
    how = "mostly" if gone >= _MOSTLY else "in part"
    typical = f"{best['column']} = {value_text(best['typical'])}"
    fall = f"from {epistemic_std:.3g} to {best['std_if_typical']:.3g}"
    return f"Unsure {how} because {_reason(best)}: with {typical} the epistemic std would fall {fall}."


def rises_in_words(epistemic_std: float, inputs: pd.DataFrame) -> str:
    """Say what it means that a typical value of some inputs would make the model less sure; empty if none would.

    Parameters
    ----------
    epistemic_std, inputs
        Fields of an `Explanation`.

    Examples
    --------
    >>> lines = {"column": ["size", "age"], "value": [90.0, 3.0], "std_if_typical": [5.0, 1.0]}
    >>> rises_in_words(2.0, pd.DataFrame(lines))[:49]
    'With a typical size the model would be less sure,'
    """
    higher: Any = inputs[inputs["std_if_typical"] > _RISE * epistemic_std]
    if len(higher) == 0:
        return ""
    names = [str(name) for name in higher["column"].head(3)]
    more = f" and {len(higher) - 3} more" if len(higher) > 3 else ""
    listed = " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names) + more
    return (
        f"With a typical {listed} the model would be less sure, not surer: training rows with this row's other values "
        "have values like the one here, and seldom the typical one."
    )


def _reason(line: Mapping[Any, Any]) -> str:
    named = f"{line['column']} = {value_text(line['value'])}"
    share, place = line["share"], line["percentile"]
    if not math.isnan(share):
        if share == 0:
            absent = f"{line['column']} is missing, as it never was in training"
            return absent if pd.isna(line["value"]) else f"{named} was never seen in training"
        rows = f"{share_text(share)} of rows"
        return (
            f"{named} was rare in training ({rows})"
            if share < _RARE
            else f"{named} ({rows}) goes with other values here"
        )
    if math.isnan(place):
        return f"{line['column']} is missing"
    if place in (0.0, 1.0):
        return f"{named} is {'above' if place else 'below'} all values in training"
    if line["outside"] >= 1:
        beyond = place if place > 0.5 else 1 - place
        return f"{named} is {'higher' if place > 0.5 else 'lower'} than in {100 * beyond:.0f} % of training rows"
    return f"{named} goes with other values here than in training"
