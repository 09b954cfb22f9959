"""What has happened in a study so far: points that were told, points that are pending, and the seed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from unabases.regressors.shared.base import check_count
from unabases.selection.space import Space

__all__ = ["COLUMNS", "Evaluation", "Record", "read_seed", "read_value"]

COLUMNS = ("value", "best", "state")  # of the history, besides the parameters


class Evaluation(NamedTuple):
    """A point and the value of the function there; NaN if the evaluation failed.

    Parameters
    ----------
    x : dict
        The point.
    value : float
        The value.
    """

    x: dict[str, Any]
    value: float


@dataclass
class Record:
    """The evaluations of a study, in order, and what it needs to continue with the same random numbers.

    Parameters
    ----------
    space
        Where the points lie.
    seed
        The seed of all random numbers.
    asked
        Points ever asked for: each has its own random numbers.
    dealt
        Points of the Sobol sequence used up.
    evaluations, pending
        Points that were told, with their values; and points asked for but not told yet.
    """

    space: Space
    seed: int
    asked: int = 0
    dealt: int = 0
    evaluations: list[Evaluation] = field(default_factory=list)
    pending: list[dict[str, Any]] = field(default_factory=list)

    def add(self, evaluation: Evaluation) -> None:
        """Note an evaluation; its point, if it was pending, no longer is."""
        key = self.space.key(evaluation.x)
        places = [i for i, point in enumerate(self.pending) if self.space.key(point) == key]
        if places:
            del self.pending[places[0]]
        self.evaluations.append(evaluation)

    def random(self, purpose: int) -> np.random.Generator:
        """Random numbers for the next point, and for one purpose."""
        return np.random.default_rng([self.seed, self.asked, purpose])

    def deal(self) -> dict[str, Any] | None:
        """The next new point of the Sobol sequence; in a finite space, any new point; None if there is none."""
        known = {self.space.key(x) for x in (*self.pending, *(evaluation.x for evaluation in self.evaluations))}
        if len(known) >= self.space.size:
            return None
        for _ in range(100):
            self.dealt += 1
            point = self.space.decode(self.space.sobol(self.dealt, self.seed)[-1:])[0]
            if self.space.key(point) not in known:
                return point
        if self.space.size > len(known) + 10_000:  # never seen: a hundred repeats in so large a space
            return self.space.decode(self.space.sample(1, self.random(2)))[0]
        left = [point for point in self.space.decode(self.space.all()) if self.space.key(point) not in known]
        return left[self.random(2).integers(len(left))] if left else None

    def best(self, sign: float) -> Evaluation | None:
        """The evaluation with the least value times `sign`, if one succeeded."""
        finite = [evaluation for evaluation in self.evaluations if np.isfinite(evaluation.value)]
        return min(finite, key=lambda evaluation: sign * evaluation.value, default=None)

    def values(self) -> np.ndarray:
        """All values that were told, NaN where the evaluation failed."""
        return np.array([evaluation.value for evaluation in self.evaluations], dtype=np.float64)

    def rows(self) -> np.ndarray:
        """The places in the unit cube of all points that were told."""
        return self.space.encode([evaluation.x for evaluation in self.evaluations])

    def table(self, sign: float) -> pd.DataFrame:
        """One row per evaluation: parameters, value, best value so far, and whether it succeeded."""
        values = self.values()
        best = sign * np.fmin.accumulate(sign * values) if len(values) else values
        columns: Mapping[str, Any] = {name: [e.x[name] for e in self.evaluations] for name in self.space}
        state = np.where(np.isfinite(values), "told", "failed").astype(object)
        index = pd.RangeIndex(1, len(values) + 1, name="step")
        return pd.DataFrame({**columns, **dict(zip(COLUMNS, (values, best, state), strict=True))}, index=index)


def read_seed(random_state: Any) -> int:
    """A whole number to draw all random numbers from."""
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(random_state, np.random.RandomState | np.random.Generator):
        draw = random_state.integers if isinstance(random_state, np.random.Generator) else random_state.randint
        return int(draw(2**31 - 1))
    return check_count("random_state", random_state, least=0)


def read_value(value: Any) -> float:
    """A told value as a float, NaN for a failed evaluation."""
    if value is None:
        return float("nan")
    wrong = TypeError(
        f"a value must be a number, or None for a failed evaluation; got {value!r}. If there are several outputs, "
        "tell one of them."
    )
    if isinstance(value, str | bytes):  # which float would read
        raise wrong
    try:
        number = float(value)
    except OverflowError:  # a whole number beyond all floats
        return float("nan")
    except (TypeError, ValueError):
        raise wrong from None
    return number if np.isfinite(number) else float("nan")
