"""What a saved state has to be: arrays of the right kind, their shapes in agreement, finite; checked before use."""

from typing import Any

import numpy as np

__all__ = ["SavedState", "StateError"]

_MISSING = object()
_SIGNS = {"any": "finite", "not negative": "finite and not negative", "positive": "finite and positive"}


class StateError(ValueError):
    """A saved state is not one that a model can have; the message names the part and what was expected of it."""


class SavedState:
    """The arrays and values of a saved model, taken one at a time, each with what it has to be.

    A shape is written as letters: `"k p"`. A letter stands for one size in all arrays that are taken, so that shapes
    have to agree with each other. Sizes known beforehand are given by name. `set_state` of every regressor reads its
    state this way, so what a valid state is stands beside what the state is for.

    Parameters
    ----------
    arrays : dict of str to array
        The arrays of `get_state`.
    values : dict
        The values of `get_state`.
    **sizes : int
        Sizes that letters stand for.

    Attributes
    ----------
    sizes : dict
        What every letter stands for so far.

    Examples
    --------
    >>> saved = SavedState({"G": np.eye(2), "b": np.ones(3)}, {"n": 4})
    >>> saved.array("G", "k k").shape
    (2, 2)
    >>> saved.array("b", "k")
    Traceback (most recent call last):
    ...
    unabases.regressors.shared.saved_state.StateError: the array 'b' has shape (3,), but (k) is expected, where k is 2
    """

    def __init__(self, arrays: dict[str, np.ndarray], values: dict[str, Any], **sizes: int):
        self.arrays, self.values, self.sizes = arrays, values, sizes

    def array(
        self,
        name: str,
        shape: str,
        sign: str = "any",
        *,
        dtype: Any = np.float64,
        finite: bool = True,
        empty: bool = False,
    ) -> np.ndarray:
        """Take an array.

        Parameters
        ----------
        name : str
            What it is called.
        shape : str
            Its shape as letters.
        sign : {"any", "not negative", "positive"}
            What its numbers have to be.
        dtype : dtype
            Its type, exactly.
        finite : bool
            Whether its numbers have to be finite.
        empty : bool
            Whether sizes may be 0.
        """
        array = self.arrays.get(name)
        if array is None:
            raise StateError(f"the array {name!r} is missing")
        if array.dtype != dtype:
            raise StateError(f"the array {name!r} is of type {array.dtype}, but {np.dtype(dtype)} is expected")
        self._match(name, array.shape, shape.split(), least=0 if empty else 1)
        if finite and not _all_fine(array, sign):
            raise StateError(f"the array {name!r} has to be {_SIGNS[sign]}")
        return array

    def number(self, name: str, sign: str = "any") -> float:
        """Take an array of one number, as that number."""
        return float(self.array(name, "", sign))

    def factor(self, name: str, shape: str) -> np.ndarray:
        """Take a lower Cholesky factor: square, with a positive diagonal, and nothing above it."""
        L = self.array(name, shape)
        if not np.all(np.diag(L) > 0) or np.any(np.triu(L, 1)):
            raise StateError(f"the array {name!r} has to be a lower triangle with a positive diagonal")
        return L

    def value(self, name: str, kind: type | tuple[type, ...], default: Any = _MISSING) -> Any:
        """Take a value, which has to be exactly of a kind; a whole number will do for a float."""
        value = self.values.get(name, default)
        if value is _MISSING:
            raise StateError(f"the value {name!r} is missing")
        kinds = kind if isinstance(kind, tuple) else (kind,)
        if value is not default and type(value) not in (*kinds, int if float in kinds else kinds[0]):
            expected = " or ".join(one.__name__ for one in kinds)
            raise StateError(f"the value {name!r} has to be of type {expected}, but is {_short(value)}")
        return value

    def finite_value(self, name: str, sign: str = "any") -> float:
        """Take a value that is a finite number."""
        value = float(self.value(name, float))
        if not _all_fine(np.array(value), sign):
            raise StateError(f"the value {name!r} has to be {_SIGNS[sign]}, but is {value}")
        return value

    def below(self, prefix: str, **sizes: int) -> "SavedState":
        """The arrays whose names begin with `prefix`, by the rest of their names, with the sizes known so far."""
        own = {name.removeprefix(prefix): array for name, array in self.arrays.items() if name.startswith(prefix)}
        return SavedState(own, self.values, **{**self.sizes, **sizes})

    def finite_arrays(self, prefix: str) -> dict[str, np.ndarray]:
        """The arrays whose names begin with `prefix`, by the rest of their names; all their numbers finite."""
        own = self.below(prefix).arrays
        if bad := [name for name, array in own.items() if not _all_fine(array, "any")]:
            raise StateError(f"the array {prefix + bad[0]!r} has to be finite")
        return own

    def numbered(self, prefix: str) -> list[np.ndarray]:
        """The arrays named `prefix` + 0, 1, 2, ..., as far as there are any."""
        own = {name for name in self.arrays if name.startswith(prefix)}
        wanted = [f"{prefix}{i}" for i in range(len(own))]
        if own != set(wanted):
            raise StateError(f"the arrays {prefix}... have to be numbered from 0 to {len(own) - 1}")
        return [self.arrays[name] for name in wanted]

    def _match(self, name: str, shape: tuple[int, ...], letters: list[str], least: int) -> None:
        """Let letters stand for the sizes of a shape, or refuse it."""
        sizes = dict(self.sizes)
        fits = len(shape) == len(letters) and min(shape, default=least) >= least
        if not fits or any(sizes.setdefault(letter, size) != size for letter, size in zip(letters, shape, strict=True)):
            known = ", ".join(f"{letter} is {self.sizes[letter]}" for letter in letters if letter in self.sizes)
            raise StateError(
                f"the array {name!r} has shape {shape}, but ({', '.join(letters)}) is expected"
                + (f", where {known}" if known else "")
            )
        self.sizes = sizes


def _all_fine(array: np.ndarray, sign: str) -> bool:
    if not np.all(np.isfinite(array)):
        return False
    return sign == "any" or bool(np.all(array > 0 if sign == "positive" else array >= 0))


def _short(value: Any) -> str:
    said = repr(value)
    return said if len(said) <= 60 else said[:57] + "..."
