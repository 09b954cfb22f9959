"""One parameter of a space: the forms a user may write it in, and its columns in the unit cube."""

import math
import numbers
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Float, Int
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

__all__ = ["KINDS", "ChoiceAxis", "NumberAxis", "Parameter", "kind_of", "make_axis", "read_parameter"]

Parameter = FloatDistribution | IntDistribution | CategoricalDistribution
KINDS = ("real", "log", "integer", "log-integer")
_LARGEST = 2**53  # beyond this, floats skip some whole numbers
_WIDE = 1000.0  # a range whose ends differ by this factor is usually meant to be logarithmic


class NumberAxis:
    """A number as one column of the unit cube.

    A real number is placed linearly, or linearly in its logarithm. Each value of a grid (whole numbers, or steps) owns
    an equal share of the column, or of the logarithm, and stands in the middle of that share.
    """

    width = 1

    def __init__(self, parameter: FloatDistribution | IntDistribution):
        self.parameter = parameter
        half = (parameter.step or 0) / 2
        self._ends = self._warp(parameter.low - half), self._warp(parameter.high + half)

    @property
    def discrete(self) -> bool:
        """Whether only the values of a grid are allowed."""
        return self.parameter.step is not None

    @property
    def size(self) -> float | int:
        """How many values there are."""
        low, high, step = self.parameter.low, self.parameter.high, self.parameter.step
        if step is None:
            return 1 if low == high else math.inf
        return round((high - low) / step) + 1

    def values(self) -> list[Any]:
        """Every value of a finite parameter, in order."""
        return self._typed(self.parameter.low + (self.parameter.step or 0) * np.arange(self.size))

    def check(self, value: Any) -> Any:
        """The value as an int or float of the parameter, or an error that says what it must be."""
        low, high, step = self.parameter.low, self.parameter.high, self.parameter.step
        number = _as_number(value)
        place = 0.0 if number is None or step is None else (number - low) / step
        if number is not None and low <= number <= high and abs(place - round(place)) < 1e-8:
            return self._typed(np.array([number if step is None else low + step * round(place)]))[0]
        whole = isinstance(self.parameter, IntDistribution)
        steps = f" in steps of {step:g}" if step is not None and not (whole and step == 1) else ""
        ends = f"{low} and {high}" if whole else f"{low:g} and {high:g}"
        said = f"must be a {'whole ' * whole}number between {ends}{steps}; got {value!r}"
        if whole and number is not None and low <= number <= high:
            said += f'. A range of two ints is whole; for real numbers write ({low}, {high}, "real") in the space'
        raise ValueError(said)

    def encode(self, values: Sequence[Any]) -> Float[np.ndarray, "n 1"]:
        """Places between 0 and 1; one half if there is only one real value."""
        low, high = self._ends
        if low == high:
            return np.full((len(values), 1), 0.5)
        return ((self._warp(np.asarray(values, dtype=np.float64)) - low) / (high - low))[:, None]

    def decode(self, U: Float[np.ndarray, "n 1"]) -> list[Any]:
        """The values at places between 0 and 1, or nearest to them; never beyond the ends."""
        low, high = self._ends
        warped = low + np.clip(U[:, 0], 0.0, 1.0) * (high - low)
        values = np.exp(warped) if self.parameter.log else warped
        if self.parameter.step is not None:
            count = np.rint((values - self.parameter.low) / self.parameter.step)
            values = self.parameter.low + self.parameter.step * count
        return self._typed(values)

    def snap(self, U: Float[np.ndarray, "n 1"]) -> Float[np.ndarray, "n 1"]:
        """The nearest places that stand for a value."""
        if self.discrete:
            return self.encode(self.decode(U))
        return np.clip(U, 0.0, 1.0) if self.size > 1 else np.full_like(U, 0.5)

    def spread(self, places: Float[np.ndarray, " n"]) -> Float[np.ndarray, "n 1"]:
        """Turn draws that are uniform on [0, 1] into columns."""
        return self.snap(places[:, None])

    def _warp(self, value: Any) -> Any:
        return np.log(value) if self.parameter.log else value

    def _typed(self, values: np.ndarray) -> list[Any]:
        kind = np.int64 if isinstance(self.parameter, IntDistribution) else np.float64
        return np.clip(values, self.parameter.low, self.parameter.high).astype(kind).tolist()


class ChoiceAxis:
    """A choice as one column per option: 1 in the column of the chosen option, 0 in the others."""

    discrete = True

    def __init__(self, parameter: CategoricalDistribution):
        self.parameter = parameter
        self.choices: tuple[Any, ...] = parameter.choices
        self.width = self.size = len(self.choices)

    def values(self) -> list[Any]:
        """Every choice, in order."""
        return list(self.choices)

    def index(self, value: Any) -> int | None:
        """The position of a value: that of an equal choice of the same type if there is one, else of an equal one."""
        for matches in (_same, _equal):
            for i, choice in enumerate(self.choices):
                if matches(choice, value):
                    return i
        return None

    def check(self, value: Any) -> Any:
        """The choice that equals the value, or an error that lists the choices."""
        i = self.index(value)
        if i is None:
            raise ValueError(f"must be one of {', '.join(map(repr, self.choices))}; got {value!r}")
        return self.choices[i]

    def encode(self, values: Sequence[Any]) -> Float[np.ndarray, "n choices"]:
        """A 1 in the column of each value."""
        return self._ones(np.array([self.index(value) for value in values], dtype=np.intp))

    def decode(self, U: Float[np.ndarray, "n choices"]) -> list[Any]:
        """The choices with the largest columns."""
        return [self.choices[i] for i in np.argmax(U, axis=1)]

    def snap(self, U: Float[np.ndarray, "n choices"]) -> Float[np.ndarray, "n choices"]:
        """A 1 in the largest column."""
        return self._ones(np.argmax(U, axis=1))

    def spread(self, places: Float[np.ndarray, " n"]) -> Float[np.ndarray, "n choices"]:
        """Turn draws that are uniform on [0, 1] into columns."""
        return self._ones(np.minimum((places * self.width).astype(int), self.width - 1))

    def _ones(self, columns: Int[np.ndarray, " n"]) -> Float[np.ndarray, "n choices"]:
        """Rows of zeros with a 1 in one column each."""
        U = np.zeros((len(columns), self.width))
        U[np.arange(len(columns)), columns] = 1.0
        return U


def make_axis(parameter: Parameter) -> NumberAxis | ChoiceAxis:
    """The columns that a parameter takes in the unit cube."""
    return ChoiceAxis(parameter) if isinstance(parameter, CategoricalDistribution) else NumberAxis(parameter)


def read_parameter(name: str, given: Any) -> Parameter:
    """Read one parameter of a space in any of the forms that `Space` describes.

    Examples
    --------
    >>> read_parameter("rate", (1e-5, 1.0, "log")).log
    True
    >>> read_parameter("units", (1, 100)).high
    100
    """
    try:
        if isinstance(given, FloatDistribution | IntDistribution):
            _number_parameter(given.low, given.high, kind_of(given))
            return given
        if isinstance(given, CategoricalDistribution):
            return given
        if isinstance(given, list):
            return _choice_parameter(given)
        if isinstance(given, tuple) and len(given) == 2:
            whole = all(isinstance(end, numbers.Integral) for end in given)
            found = _number_parameter(*given, "integer" if whole else "real")
            if not whole and found.low > 0 and found.high >= _WIDE * found.low:
                _warn_wide(name, found)
            return found
        if isinstance(given, tuple) and len(given) == 3:
            return _number_parameter(*given)
    except ValueError as error:
        raise ValueError(f"`{name}`: {error}") from None
    raise ValueError(
        f"`{name}` must be a range (low, high), a range of some kind such as (low, high, {KINDS[1]!r}), a list of "
        f"choices, or a distribution of Optuna; got {given!r}."
    )


def kind_of(parameter: FloatDistribution | IntDistribution) -> str:
    """Which of `KINDS` a number is."""
    if isinstance(parameter, IntDistribution):
        return "log-integer" if parameter.log else "integer"
    return "log" if parameter.log else "real"


def _number_parameter(low: Any, high: Any, kind: Any) -> FloatDistribution | IntDistribution:
    """A checked range of numbers."""
    if kind not in KINDS:
        raise ValueError(f"unknown kind {kind!r}; known ones are {', '.join(KINDS)}.")
    whole, log = kind.endswith("integer"), kind.startswith("log")
    a, b = (_as_whole(end) if whole else _as_number(end) for end in (low, high))
    if a is None or b is None or a > b or not math.isfinite(b - a) or (whole and max(abs(a), abs(b)) > _LARGEST):
        needs = "two whole ends (at most 2⁵³)" if whole else "two finite ends"
        raise ValueError(f"a range of kind {kind!r} needs {needs}, the lower one first; got {low!r} and {high!r}.")
    if log and (a < 1 if whole else a <= 0):
        needs = "ends of at least 1" if whole else "positive ends"
        raise ValueError(f"a range of kind {kind!r} needs {needs}; got {low!r} and {high!r}.")
    return IntDistribution(int(a), int(b), log=log) if whole else FloatDistribution(a, b, log=log)


def _choice_parameter(choices: list[Any]) -> CategoricalDistribution:
    if not choices:
        raise ValueError("a list of choices needs at least one; got [].")
    plain, others = set(), []
    for choice in choices:
        found = (type(choice), choice)
        if _is_plain(choice):
            twice = found in plain
            plain.add(found)
        else:  # compared one by one
            twice = any(_same(choice, other) for other in others)
            others.append(choice)
        if twice:
            raise ValueError(f"choices must differ; {choice!r} is there twice.")
    with warnings.catch_warnings():  # Optuna warns of choices that it cannot store; `Space.distributions` numbers them
        warnings.simplefilter("ignore", UserWarning)
        return CategoricalDistribution(choices)


def _warn_wide(name: str, parameter: FloatDistribution | IntDistribution) -> None:
    ends = f"{parameter.low:g}, {parameter.high:g}"
    warnings.warn(
        f"`{name}` = ({ends}) is searched on a linear scale, so nearly all values tried are large. Write ({ends}, "
        f'"log") to search by order of magnitude, or ({ends}, "real") if linear is what you want.',
        stacklevel=4,
    )


def _as_number(value: Any) -> float | None:
    """A finite float, or None."""
    good = isinstance(value, numbers.Real) and not isinstance(value, bool | np.bool_) and math.isfinite(value)
    return float(value) if good else None


def _as_whole(value: Any) -> int | None:
    """An int, also of a float without a fraction, or None."""
    number = _as_number(value)
    return int(value) if number is not None and number.is_integer() else None


def _is_plain(choice: Any) -> bool:
    """Whether a choice can be looked up in a set: it has a hash and equals itself."""
    try:
        hash(choice)
        return bool(choice == choice)
    except (TypeError, ValueError):
        return False


def _same(a: Any, b: Any) -> bool:
    return a is b or (type(a) is type(b) and _equal(a, b))


def _equal(a: Any, b: Any) -> bool:
    try:
        return bool(a == b) or bool(a != a and b != b)  # NaN equals NaN
    except (TypeError, ValueError):  # such as arrays, which compare element by element
        return False
