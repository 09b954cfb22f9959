"""What is searched: real, logarithmic, whole-number and categorical parameters, and their places in a unit cube."""

import itertools
import math
import numbers
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Bool, Float
from scipy.stats import qmc

__all__ = ["Categorical", "Integer", "Real", "Space"]

_KINDS = ("real", "log", "integer", "log-integer")
_LARGEST = 2**53  # whole numbers beyond are not all floats


@dataclass(frozen=True)
class Real:
    """A number between two ends, both included; with `log`, equal ratios count as equal distances."""

    low: Any
    high: Any
    log: Any = False

    def __post_init__(self) -> None:
        low, high = (_number(end) for end in (self.low, self.high))
        if low is None or high is None or low > high or not math.isfinite(high - low):
            raise ValueError(f"a real parameter needs two finite ends, the lower one first; got {_ends(self)}.")
        if self.log and low <= 0:
            raise ValueError(f"a logarithmic parameter needs positive ends; got {_ends(self)}.")
        _set(self, low=low, high=high, log=bool(self.log))

    @property
    def width(self) -> int:
        """Columns that it takes in the unit cube."""
        return 1

    @property
    def size(self) -> float | int:
        """How many values it has."""
        return 1 if self.low == self.high else math.inf

    def check(self, value: Any) -> float:
        """The value as a float within the ends."""
        number = _number(value)
        if number is None or not self.low <= number <= self.high:
            raise ValueError(f"must be a number between {self.low:g} and {self.high:g}; got {value!r}")
        return number

    def encode(self, values: Sequence[Any]) -> Float[np.ndarray, "n 1"]:
        """Places between 0 and 1; one half where there is only one value."""
        low, high = self._warp(self.low), self._warp(self.high)
        if low == high:
            return np.full((len(values), 1), 0.5)
        return ((self._warp(np.asarray(values, dtype=np.float64)) - low) / (high - low))[:, None]

    def decode(self, U: Float[np.ndarray, "n 1"]) -> list[float]:
        """The values at places between 0 and 1, never beyond the ends."""
        low, high = self._warp(self.low), self._warp(self.high)
        warped = low + np.clip(U[:, 0], 0.0, 1.0) * (high - low)
        return np.clip(np.exp(warped) if self.log else warped, self.low, self.high).tolist()

    def snap(self, U: Float[np.ndarray, "n 1"]) -> Float[np.ndarray, "n 1"]:
        """The nearest places that stand for a value."""
        return np.clip(U, 0.0, 1.0) if self.size > 1 else np.full_like(U, 0.5)

    def spread(self, place: Float[np.ndarray, " n"]) -> Float[np.ndarray, "n 1"]:
        """Columns of places that were drawn evenly between 0 and 1."""
        return self.snap(place[:, None])

    def _warp(self, value: Any) -> Any:
        return np.log(value) if self.log else value


@dataclass(frozen=True)
class Integer:
    """A whole number between two ends, both included; with `log`, equal ratios count as equal distances.

    Each value owns an equal share of the unit interval (of its logarithm), and stands at the middle of it.
    """

    low: Any
    high: Any
    log: Any = False

    def __post_init__(self) -> None:
        low, high = (_whole(end) for end in (self.low, self.high))
        if low is None or high is None or low > high or max(abs(low), abs(high)) > _LARGEST:
            raise ValueError(
                f"a whole-number parameter needs two whole ends, the lower one first, at most 2⁵³; got {_ends(self)}."
            )
        if self.log and low < 1:
            raise ValueError(f"a logarithmic whole number needs ends of at least 1; got {_ends(self)}.")
        _set(self, low=low, high=high, log=bool(self.log))

    @property
    def width(self) -> int:
        """Columns that it takes in the unit cube."""
        return 1

    @property
    def size(self) -> float | int:
        """How many values it has."""
        return self.high - self.low + 1

    def check(self, value: Any) -> int:
        """The value as an int within the ends."""
        number = _whole(value)
        if number is None or not self.low <= number <= self.high:
            raise ValueError(f"must be a whole number between {self.low} and {self.high}; got {value!r}")
        return number

    def encode(self, values: Sequence[Any]) -> Float[np.ndarray, "n 1"]:
        """The middle of each value's share."""
        low, high = self._warp(self.low - 0.5), self._warp(self.high + 0.5)
        return ((self._warp(np.asarray(values, dtype=np.float64)) - low) / (high - low))[:, None]

    def decode(self, U: Float[np.ndarray, "n 1"]) -> list[int]:
        """The values in whose shares the places lie."""
        low, high = self._warp(self.low - 0.5), self._warp(self.high + 0.5)
        warped = low + np.clip(U[:, 0], 0.0, 1.0) * (high - low)
        nearest = np.rint(np.exp(warped) if self.log else warped)
        return [min(max(int(value), self.low), self.high) for value in nearest]

    def snap(self, U: Float[np.ndarray, "n 1"]) -> Float[np.ndarray, "n 1"]:
        """The nearest places that stand for a value."""
        return self.encode(self.decode(U))

    def spread(self, place: Float[np.ndarray, " n"]) -> Float[np.ndarray, "n 1"]:
        """Columns of places that were drawn evenly between 0 and 1."""
        return self.snap(place[:, None])

    def _warp(self, value: Any) -> Any:
        return np.log(value) if self.log else np.asarray(value, dtype=np.float64)


@dataclass(frozen=True)
class Categorical:
    """One of some choices, of any type; a column a choice, of which one is 1 and the others 0."""

    choices: Any

    def __post_init__(self) -> None:
        if isinstance(self.choices, str) or not isinstance(self.choices, Sequence) or not len(self.choices):
            raise ValueError(f"a categorical parameter needs a list of choices; got {self.choices!r}.")
        choices = tuple(self.choices)
        for i, choice in enumerate(choices):
            if any(_same(choice, other) for other in choices[:i]):
                raise ValueError(f"a categorical parameter needs distinct choices; {choice!r} is there twice.")
        _set(self, choices=choices)

    @property
    def width(self) -> int:
        """Columns that it takes in the unit cube."""
        return len(self.choices)

    @property
    def size(self) -> float | int:
        """How many values it has."""
        return len(self.choices)

    def index(self, value: Any) -> int | None:
        """Which of the choices the value is: of the same type if there is one, otherwise an equal one."""
        for matches in (_same, _equal):
            for i, choice in enumerate(self.choices):
                if matches(choice, value):
                    return i
        return None

    def check(self, value: Any) -> Any:
        """The choice itself."""
        i = self.index(value)
        if i is None:
            raise ValueError(f"must be one of {', '.join(map(repr, self.choices))}; got {value!r}")
        return self.choices[i]

    def encode(self, values: Sequence[Any]) -> Float[np.ndarray, "n choices"]:
        """A 1 in the column of each choice."""
        places = np.array([self.index(value) for value in values], dtype=np.intp)
        return np.eye(self.width)[places]

    def decode(self, U: Float[np.ndarray, "n choices"]) -> list[Any]:
        """The choices of the largest columns."""
        return [self.choices[i] for i in np.argmax(U, axis=1)]

    def snap(self, U: Float[np.ndarray, "n choices"]) -> Float[np.ndarray, "n choices"]:
        """A 1 in the largest column."""
        return np.eye(self.width)[np.argmax(U, axis=1)]

    def spread(self, place: Float[np.ndarray, " n"]) -> Float[np.ndarray, "n choices"]:
        """Columns of places that were drawn evenly between 0 and 1."""
        return np.eye(self.width)[np.minimum((place * self.width).astype(int), self.width - 1)]


Parameter = Real | Integer | Categorical


class Space:
    """A box of named parameters.

    Parameters
    ----------
    parameters
        For each name a range or a choice:

        - `(low, high)` or `(low, high, "real")`: a real number, whatever the type of the ends;
        - `(low, high, "log")`: a real number of which the order of magnitude matters;
        - `(low, high, "integer")`, `(low, high, "log-integer")`: a whole number;
        - a list: one of these;
        - a `Real`, `Integer` or `Categorical`.

        Ends are included. Names that are no identifiers go into a dictionary: `Space({"learning rate": (0, 1)})`.

    Examples
    --------
    >>> space = Space(x=(-5, 10), units=(1, 1000, "log-integer"), kernel=["rbf", "poly"])
    >>> point = {"x": 2.5, "units": 32, "kernel": "poly"}
    >>> space.encode([point]).round(2)
    array([[0.5 , 0.55, 0.  , 1.  ]])
    >>> space.decode(space.encode([point])) == [point]
    True
    """

    def __init__(self, parameters: Mapping[str, Any] | None = None, /, **named: Any) -> None:
        given = {**(parameters or {}), **named}
        if not given:
            raise ValueError('a space needs at least one parameter, such as Space(x=(0, 1), kernel=["rbf", "poly"]).')
        if wrong := [name for name in given if not isinstance(name, str)]:
            raise ValueError(f"parameters are named by strings; got {wrong[0]!r}.")
        self.parameters: dict[str, Parameter] = {name: _parameter(name, value) for name, value in given.items()}
        ends = np.cumsum([0, *(parameter.width for parameter in self)]).tolist()
        self._columns = [slice(a, b) for a, b in itertools.pairwise(ends)]
        self.width = int(ends[-1])
        """Columns of the unit cube."""

    @property
    def names(self) -> list[str]:
        """Names of the parameters, in order."""
        return list(self.parameters)

    @property
    def size(self) -> float | int:
        """How many points there are: infinity as soon as one parameter is real."""
        return math.prod(parameter.size for parameter in self)

    @property
    def movable(self) -> Bool[np.ndarray, " width"]:
        """Columns in which a step is a small change: those of numbers."""
        return np.concatenate([np.full(p.width, not isinstance(p, Categorical)) for p in self])

    @property
    def discrete(self) -> bool:
        """Whether some parameter is a whole number or a choice."""
        return any(not isinstance(parameter, Real) for parameter in self)

    def __iter__(self) -> Iterator[Parameter]:
        return iter(self.parameters.values())

    def __len__(self) -> int:
        return len(self.parameters)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Space) and list(self.parameters.items()) == list(other.parameters.items())

    def __hash__(self) -> int:
        return hash(tuple(self.names))

    def __repr__(self) -> str:
        return f"Space({', '.join(f'{name}={parameter}' for name, parameter in self.parameters.items())})"

    def check(self, point: Any) -> dict[str, Any]:
        """The point with every value as its parameter has it, or an error that says what is wrong with it."""
        if not isinstance(point, Mapping):
            raise TypeError(f"a point is a dictionary with the keys {', '.join(self.names)}; got {point!r}.")
        missing = [name for name in self.names if name not in point]
        unknown = [repr(name) for name in point if name not in self.parameters]
        if missing or unknown:
            said = [f"{', '.join(missing)} is missing"] if missing else []
            said += [f"{', '.join(unknown)} is not one of them"] if unknown else []
            raise ValueError(f"a point has the keys {', '.join(self.names)}; {' and '.join(said)}.")
        values = {}
        for name, parameter in self.parameters.items():
            try:
                values[name] = parameter.check(point[name])
            except ValueError as error:
                raise ValueError(f"`{name}` {error}.") from None
        return values

    def encode(self, points: Sequence[Mapping[str, Any]]) -> Float[np.ndarray, "n width"]:
        """Places of (valid) points in the unit cube."""
        columns = [p.encode([point[name] for point in points]) for name, p in self.parameters.items()]
        return np.concatenate(columns, axis=1)

    def decode(self, U: Float[np.ndarray, "n width"]) -> list[dict[str, Any]]:
        """Points at places of the unit cube: whole numbers rounded, the largest of the columns of a choice taken."""
        values = [parameter.decode(U[:, columns]) for parameter, columns in zip(self, self._columns, strict=True)]
        return [dict(zip(self.names, row, strict=True)) for row in zip(*values, strict=True)]

    def snap(self, U: Float[np.ndarray, "n width"]) -> Float[np.ndarray, "n width"]:
        """The places that points have: `encode(decode(U))`, without making the points."""
        parts = [parameter.snap(U[:, columns]) for parameter, columns in zip(self, self._columns, strict=True)]
        return np.concatenate(parts, axis=1)

    def key(self, point: Mapping[str, Any]) -> tuple[Any, ...]:
        """What tells a (valid) point from others, and can be looked up."""
        return tuple(
            parameter.index(point[name]) if isinstance(parameter, Categorical) else point[name]
            for name, parameter in self.parameters.items()
        )

    def sample(self, n: int, rng: np.random.Generator) -> Float[np.ndarray, "n width"]:
        """Places drawn evenly: every value of a whole number or choice is as likely as the others."""
        return self._spread(rng.uniform(size=(n, len(self))))

    def sobol(self, n: int, seed: int) -> Float[np.ndarray, "n width"]:
        """The first n places of a scrambled Sobol sequence, which fills the space more evenly than chance."""
        places = qmc.Sobol(len(self), scramble=True, rng=np.random.default_rng(seed))
        return self._spread(places.random_base2(max(0, int(n - 1).bit_length()))[:n])

    def neighbours(
        self, U: Float[np.ndarray, "n width"], scale: float, rng: np.random.Generator
    ) -> Float[np.ndarray, "n width"]:
        """A random place near each one: numbers move by about `scale`, and one choice in five is drawn anew.

        A whole number always has a chance to move to the next.
        """
        moved = U.copy()
        for parameter, columns in zip(self, self._columns, strict=True):
            if isinstance(parameter, Categorical):
                anew = rng.uniform(size=len(U)) < 0.2
                moved[anew, columns] = parameter.spread(rng.uniform(size=int(anew.sum())))
            else:
                step = max(scale, 1 / parameter.size)
                moved[:, columns] += step * rng.standard_normal((len(U), 1))
        over = np.abs(moved)  # beyond an end: reflected, so that ends are not preferred
        return self.snap(np.where(over > 1, 2 - over, over))

    def all(self) -> Float[np.ndarray, "size width"]:
        """Every place of a finite space."""
        if math.isinf(self.size):
            raise ValueError("this space has a real parameter, so its points cannot be listed.")
        each = [p.encode(list(p.choices) if isinstance(p, Categorical) else _values(p)) for p in self]
        index = np.indices([len(rows) for rows in each]).reshape(len(each), -1)
        return np.concatenate([rows[i] for rows, i in zip(each, index, strict=True)], axis=1)

    def _spread(self, places: Float[np.ndarray, "n parameters"]) -> Float[np.ndarray, "n width"]:
        return np.concatenate([p.spread(places[:, i]) for i, p in enumerate(self)], axis=1)


def _parameter(name: str, value: Any) -> Parameter:
    """What a user's short form stands for."""
    if isinstance(value, Parameter):
        return value
    try:
        if isinstance(value, list):
            return Categorical(value)
        if isinstance(value, tuple) and len(value) in (2, 3):
            low, high, kind = (*value, "real")[:3]
            if kind not in _KINDS:
                raise ValueError(f"unknown kind {kind!r}; known ones are {', '.join(_KINDS)}.")
            return (Integer if kind.endswith("integer") else Real)(low, high, log=kind.startswith("log"))
    except ValueError as error:
        raise ValueError(f"`{name}`: {error}") from None
    raise ValueError(
        f"`{name}` must be a range (low, high), (low, high, kind) with a kind of {', '.join(_KINDS)}, a list of "
        f"choices, or a Real, Integer or Categorical; got {value!r}."
    )


def _values(parameter: Real | Integer) -> list[Any]:
    return [parameter.low] if isinstance(parameter, Real) else list(range(parameter.low, parameter.high + 1))


def _number(value: Any) -> float | None:
    """A finite float, or None."""
    good = isinstance(value, numbers.Real) and not isinstance(value, bool | np.bool_) and math.isfinite(value)
    return float(value) if good else None


def _whole(value: Any) -> int | None:
    """An int, also of a float without a fraction, or None."""
    number = _number(value)
    if number is None or not float(number).is_integer():
        return None
    return int(value)


def _ends(parameter: Real | Integer) -> str:
    return f"{parameter.low!r} and {parameter.high!r}"


def _same(a: Any, b: Any) -> bool:
    return a is b or (type(a) is type(b) and _equal(a, b))


def _equal(a: Any, b: Any) -> bool:
    try:
        return bool(a == b)
    except (TypeError, ValueError):  # such as arrays, which compare element by element
        return False


def _set(parameter: Any, **values: Any) -> None:
    for name, value in values.items():
        object.__setattr__(parameter, name, value)
