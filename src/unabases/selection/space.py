"""What a search varies: named ranges and choices, and their places in a unit cube."""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from jaxtyping import Bool, Float
from optuna.distributions import BaseDistribution, CategoricalDistribution, IntDistribution
from scipy.stats import qmc

from unabases.selection.axes import ChoiceAxis, NumberAxis, Parameter, kind_of, make_axis, read_parameter

__all__ = ["Space", "as_space"]


class Space:
    """The parameters that a search may vary, each with its range or its choices.

    `LUNASearch`, `LikelihoodSearch` and `BayesOpt` all take a `Space`, or a dictionary, which they turn into one. Both
    ends of a range are included.

    Parameters
    ----------
    parameters : dict, optional
        What to vary, by name. Each value is one of:

        - `(low, high)`: **real** if at least one end is a float, **whole** if both are ints. Always on a linear scale;
        - `(low, high, "real")`: a real number, whatever the ends;
        - `(low, high, "log")`: a real number searched by order of magnitude;
        - `(low, high, "integer")` or `(low, high, "log-integer")`: a whole number;
        - a list: one of its elements, of any type;
        - Optuna's `FloatDistribution`, `IntDistribution` (also with a `step`) or `CategoricalDistribution`.

        A wide range of positive floats, such as `(0.01, 100.0)`, gives a warning, because a logarithmic scale is
        usually meant; say `"log"` or `"real"`.
    **named
        The same as keywords. Use the dictionary for names that are not identifiers.

    Attributes
    ----------
    parameters : dict
        Optuna's distribution of each parameter.
    width : int
        Columns in the unit cube: one for a number, one for each option of a choice.

    Examples
    --------
    >>> space = Space(x=(-5.0, 10.0), units=(1, 1000, "log-integer"), kernel=["rbf", "poly"])
    >>> point = {"x": 2.5, "units": 32, "kernel": "poly"}
    >>> space.encode([point]).round(2)
    array([[0.5 , 0.55, 0.  , 1.  ]])
    >>> space.decode(space.encode([point])) == [point]
    True
    """

    def __init__(self, parameters: Mapping[Any, Any] | None = None, /, **named: Any) -> None:
        given = {**(parameters or {}), **named}
        if not given:
            raise ValueError(
                "the space is empty: it needs at least one parameter, such as "
                'Space(rate=(1e-5, 1.0, "log"), kernel=["rbf", "poly"]).'
            )
        if wrong := [name for name in given if not isinstance(name, str)]:
            raise ValueError(f"parameters are named by strings; got {wrong[0]!r}.")
        self.parameters: dict[str, Parameter] = {name: read_parameter(name, value) for name, value in given.items()}
        self._axes: list[NumberAxis | ChoiceAxis] = [make_axis(parameter) for parameter in self.parameters.values()]
        ends = np.cumsum([0, *(axis.width for axis in self._axes)]).tolist()
        self._columns = [slice(a, b) for a, b in itertools.pairwise(ends)]
        self.width = int(ends[-1])

    @property
    def names(self) -> list[str]:
        """Names of the parameters, in order."""
        return list(self.parameters)

    @property
    def size(self) -> float | int:
        """How many points there are: infinity as soon as one parameter is real."""
        return math.prod(axis.size for axis in self._axes)

    @property
    def movable(self) -> Bool[np.ndarray, " width"]:
        """Which columns belong to numbers, in which a small step is a small change."""
        return np.concatenate([np.full(axis.width, isinstance(axis, NumberAxis)) for axis in self._axes])

    @property
    def discrete(self) -> bool:
        """Whether some parameter is a choice or moves in steps."""
        return any(axis.discrete for axis in self._axes)

    @property
    def distributions(self) -> dict[str, BaseDistribution]:
        """The parameters as `optuna.Study.ask` takes them.

        Choices are numbered, since Optuna's storages hold plain values only; `from_trial` turns the numbers back.
        """
        return {
            name: CategoricalDistribution(range(axis.size)) if isinstance(axis, ChoiceAxis) else axis.parameter
            for name, axis in zip(self, self._axes, strict=True)
        }

    def from_trial(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The values that the parameters of an Optuna trial stand for, if it was asked for with `distributions`."""
        return {
            name: axis.choices[params[name]] if isinstance(axis, ChoiceAxis) else params[name]
            for name, axis in zip(self, self._axes, strict=True)
            if name in params
        }

    def __iter__(self) -> Iterator[str]:
        return iter(self.parameters)

    def __len__(self) -> int:
        return len(self.parameters)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Space) and list(self.parameters.items()) == list(other.parameters.items())

    def __hash__(self) -> int:
        return hash(tuple(self.parameters))

    def __repr__(self) -> str:
        return f"Space({{{', '.join(f'{name!r}: {_short(p)}' for name, p in self.parameters.items())}}})"

    def check(self, point: Any) -> dict[str, Any]:
        """Check a point, and return it with every value in the type of its parameter.

        Parameters
        ----------
        point : dict
            A value for each parameter.

        Raises
        ------
        TypeError, ValueError
            If it is not a dictionary; if a key is missing or unknown, or a value lies outside its range.

        Examples
        --------
        >>> Space(x=(0.0, 1.0), n=(1, 9)).check({"x": 1, "n": 4.0})
        {'x': 1.0, 'n': 4}
        """
        if not isinstance(point, Mapping):
            raise TypeError(f"a point is a dictionary with the keys {', '.join(self)}; got {point!r}.")
        missing = [name for name in self if name not in point]
        unknown = [repr(name) for name in point if name not in self.parameters]
        if missing or unknown:
            said = [f"{', '.join(missing)} is missing"] if missing else []
            said += [f"{', '.join(unknown)} is not one of them"] if unknown else []
            raise ValueError(f"a point has the keys {', '.join(self)}; {' and '.join(said)}.")
        values = {}
        for name, axis in zip(self, self._axes, strict=True):
            try:
                values[name] = axis.check(point[name])
            except ValueError as error:
                raise ValueError(f"`{name}` {error}.") from None
        return values

    def encode(self, points: Sequence[Mapping[str, Any]]) -> Float[np.ndarray, "n width"]:
        """Map valid points to places in the unit cube."""
        if not points:
            return np.empty((0, self.width))
        columns = [axis.encode([x[name] for x in points]) for name, axis in zip(self, self._axes, strict=True)]
        return np.concatenate(columns, axis=1)

    def decode(self, U: Float[np.ndarray, "n width"]) -> list[dict[str, Any]]:
        """Map places in the unit cube to the nearest points; of a choice, the option with the largest column wins."""
        values = [axis.decode(U[:, columns]) for axis, columns in zip(self._axes, self._columns, strict=True)]
        return [dict(zip(self, row, strict=True)) for row in zip(*values, strict=True)]

    def snap(self, U: Float[np.ndarray, "n width"]) -> Float[np.ndarray, "n width"]:
        """Move places to the nearest ones that stand for points: `encode(decode(U))`, but faster."""
        parts = [axis.snap(U[:, columns]) for axis, columns in zip(self._axes, self._columns, strict=True)]
        return np.concatenate(parts, axis=1)

    def key(self, point: Mapping[str, Any]) -> tuple[Any, ...]:
        """A hashable key that tells a valid point from others: its numbers, and the positions of its choices."""
        return tuple(
            axis.index(point[name]) if isinstance(axis, ChoiceAxis) else point[name]
            for name, axis in zip(self, self._axes, strict=True)
        )

    def from_key(self, key: Sequence[Any]) -> dict[str, Any]:
        """The point that has a key; an error if it lies outside the space."""
        values = dict(zip(self, key, strict=True))
        return self.check(self.from_trial(values))

    def sample(self, n: int, rng: np.random.Generator) -> Float[np.ndarray, "n width"]:
        """Draw n places uniformly: all values of a whole number, and all choices, are equally likely."""
        return self._spread(rng.uniform(size=(n, len(self))))

    def sobol(self, n: int, seed: int) -> Float[np.ndarray, "n width"]:
        """The first n places of a scrambled Sobol sequence, which covers the space more evenly than random draws."""
        places = qmc.Sobol(len(self), scramble=True, rng=np.random.default_rng(seed))
        return self._spread(places.random_base2(max(0, int(n - 1).bit_length()))[:n])

    def neighbours(
        self, U: Float[np.ndarray, "n width"], scale: float, rng: np.random.Generator
    ) -> Float[np.ndarray, "n width"]:
        """A random place near each one: numbers move by about `scale`, and one choice in five is drawn again.

        A number on a grid moves by about one step at least.
        """
        moved = U.copy()
        for axis, columns in zip(self._axes, self._columns, strict=True):
            if isinstance(axis, ChoiceAxis):
                again = rng.uniform(size=len(U)) < 0.2
                moved[again, columns] = axis.spread(rng.uniform(size=int(again.sum())))
            else:
                moved[:, columns] += max(scale, 1 / axis.size) * rng.standard_normal((len(U), 1))
        over = np.abs(moved)  # places beyond an end are reflected, so that ends are not preferred
        return self.snap(np.where(over > 1, 2 - over, over))

    def all(self) -> Float[np.ndarray, "size width"]:
        """Every place of a finite space."""
        if math.isinf(self.size):
            raise ValueError("this space has a real parameter, so its points cannot be listed.")
        each = [axis.encode(axis.values()) for axis in self._axes]
        index = np.indices([len(rows) for rows in each]).reshape(len(each), -1)
        return np.concatenate([rows[i] for rows, i in zip(each, index, strict=True)], axis=1)

    def _spread(self, places: Float[np.ndarray, "n parameters"]) -> Float[np.ndarray, "n width"]:
        return np.concatenate([axis.spread(places[:, i]) for i, axis in enumerate(self._axes)], axis=1)


def as_space(space: Any) -> Space:
    """A `Space` as it is, or the one that a dictionary describes.

    Examples
    --------
    >>> as_space({"gamma": (0.01, 100.0, "log")})
    Space({'gamma': (0.01, 100.0, 'log')})
    """
    if isinstance(space, Space):
        return space
    if isinstance(space, Mapping):
        return Space(space)
    raise TypeError(f'`space` must be a Space or a dictionary, such as Space(rate=(1e-5, 1.0, "log")); got {space!r}.')


def _short(parameter: Parameter) -> str:
    """A parameter as a user would write it."""
    if isinstance(parameter, CategoricalDistribution):
        return repr(list(parameter.choices))
    if parameter.step is None or (isinstance(parameter, IntDistribution) and parameter.step == 1):
        return repr((parameter.low, parameter.high, kind_of(parameter)))
    return repr(parameter)
