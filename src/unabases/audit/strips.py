"""Strips of marks, one for each group: how unsure the model is about each row, beside rows like the training data."""

import math
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from unabases.audit.result import AuditResult
from unabases.audit.words import group_name, group_sentence, why

__all__ = ["Mark", "Scale", "Strip", "StripPanel", "scale_for", "strip_panels"]

MOST_COLUMNS, MOST_STRIPS = 12, 8
_CURVED = 5.0  # from this range on, the axis is logarithmic
_MOST_TICKS = 6
_LEFT, _WIDTH = 2.0, 96.0  # of an axis, in per cent of the room
_LANES = 11  # heights that marks take in turn, so that they lie beside each other


class Mark(NamedTuple):
    """A row, or a tick: its place in per cent of the width, a height from 0 to 1, and its text."""

    x: float
    height: float
    text: str


class Strip(NamedTuple):
    """A group: its words, and a mark for each of some of its rows."""

    name: str
    sentence: str
    why: str
    named: bool
    audited: list[Mark]
    reference: list[Mark]


class StripPanel(NamedTuple):
    """The groups of one column."""

    column: str
    strips: list[Strip]
    more: int
    """Groups that are left out."""


class Scale(NamedTuple):
    """An axis of multiples: 1 is the mean epistemic std of rows like the training data."""

    low: float
    high: float
    log: bool

    def place(self, multiple: float) -> float:
        """Where a multiple lies, in per cent of the width."""
        low, high, at = (math.log(v) if self.log else v for v in (self.low, self.high, max(multiple, self.low)))
        return _LEFT + _WIDTH * min(1.0, (at - low) / (high - low))

    def ticks(self) -> list[Mark]:
        """Round multiples on the axis, six at most, in plain numbers."""
        if self.log:
            powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
            choices = [[m * 10.0**k for k in powers for m in steps] for steps in ((1, 2, 5), (1, 3), (1,))]
            choices.append([10.0**k for k in powers if k % 3 == 0])
        else:
            step = 10.0 ** math.floor(math.log10(self.high - self.low))
            choices = [[s * k for k in range(1 + round(self.high / s))] for s in (step / 5, step / 2, step, 2 * step)]
        inside = [[v for v in values if self.low <= v <= self.high] for values in choices]
        chosen = next((values for values in inside if len(values) <= _MOST_TICKS), inside[-1])
        return [Mark(self.place(v), 0.0, f"{v:g}×") for v in chosen]


def scale_for(multiples: Float[np.ndarray, " n"]) -> Scale:
    """Choose an axis on which all of these have a place, logarithmic if they differ much.

    Parameters
    ----------
    multiples : array of shape (n,)
        Epistemic stds divided by a typical one.

    Examples
    --------
    >>> [tick.text for tick in scale_for(np.array([0.4, 12.0])).ticks()]
    ['0.5×', '1×', '2×', '5×', '10×']
    """
    inside = multiples[np.isfinite(multiples) & (multiples > 0)]
    if len(inside) == 0:
        return Scale(0.0, 2.0, log=False)
    low, high = min(1.0, float(inside.min())), max(1.0, float(inside.max()))
    if high > _CURVED * low:
        return Scale(max(low, high * 1e-6), high, log=True)
    margin = 0.05 * (high - low) or 0.5
    return Scale(max(0.0, low - margin), high + margin, log=False)


def strip_panels(result: AuditResult) -> tuple[Scale, list[StripPanel]]:
    """Lay out the strips of an audit, all on one axis; the column that best tells unfamiliar rows comes first.

    Parameters
    ----------
    result : AuditResult
        What an audit found.

    Returns
    -------
    Scale
        The axis.
    list of StripPanel
        A panel for each column, twelve at most.
    """
    typical = float(np.mean(result.reference_std))
    stds = [part for both in result.group_stds.values() for part in both]
    scale = scale_for(np.concatenate([*stds, result.reference_std]) / typical)
    panels = []
    for column in result.columns["column"].head(MOST_COLUMNS):
        lines: Any = result.values[(result.values["column"] == column) & (result.values["rows"] > 0)]
        strips = [
            _strip(result, line, scale, typical)
            for line in lines.sort_values(["named", "relative"], ascending=False).head(MOST_STRIPS).to_dict("records")
        ]
        panels.append(StripPanel(str(column), strips, max(0, len(lines) - MOST_STRIPS)))
    return scale, panels


def _strip(result: AuditResult, line: Any, scale: Scale, typical: float) -> Strip:
    stds = result.group_stds[line["column"], line["value"]]
    marks = (_marks(part, scale, typical) for part in stds)
    return Strip(
        group_name(line), group_sentence(line, name=False), why(line, result.level), bool(line["named"]), *marks
    )


def _marks(stds: Float[np.ndarray, " n"], scale: Scale, typical: float) -> list[Mark]:
    return [
        Mark(
            round(scale.place(float(std) / typical), 2),
            (4 * place % _LANES) / (_LANES - 1),
            f"{std / typical:.2g}× training, epistemic std {std:.4g}",
        )
        for place, std in enumerate(stds)
    ]
