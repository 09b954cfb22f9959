"""Python values as strict JSON, and back with the same types.

None, booleans, whole numbers, finite floats, strings and lists stand for themselves. Everything else is an
object with one key that names its kind:

=================================  ====================================================
`{"tuple": [...]}`                 a tuple
`{"dict": [[key, value], ...]}`    a dictionary, in order; keys are strings or whole numbers
`{"float": "nan"}`                 nan, inf, -inf
`{"scalar": ["float32", 0.1]}`     a NumPy scalar
`{"array": "parameters.sigma2"}`   a NumPy array, under that name among the tensors
`{"strings": [...]}`               a NumPy array of strings
`{"regressor": ["LUNA", ...]}`     a regressor of this package with its parameters, not fitted
`{"term": ["Monotone", ...]}`      a term of `unabases.terms` with its fields
`{"generator": "..."}`             a source of random numbers, not saved
`{"object": "..."}`                something else, of which only the name is kept
=================================  ====================================================
"""

import functools
import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from unabases.regressors import Conformal, GapCalibrated, TableRegressor, all_regressors
from unabases.regressors.shared.parameters import check_kinds
from unabases.saving.container import DTYPES
from unabases.terms import all_terms

_SCALARS = {dtype.name: dtype.type for dtype in DTYPES.values()} | {"str_": np.str_}
_CONTENTS = {
    "tuple": list,
    "dict": list,
    "float": str,
    "scalar": list,
    "array": str,
    "strings": list,
    "regressor": list,
    "term": list,
}
_FLOATS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


class CannotHoldError(TypeError):
    """A value can be stored neither as JSON nor as an array."""

    def __init__(self, name: str):
        super().__init__(f"{name} can be neither a JSON value nor an array of numbers")
        self.name = name


@functools.cache
def known_models() -> dict[str, Any]:
    """What a file can hold, by name: every regressor, and those that wrap another."""
    return {**all_regressors(), **{cls.__name__: cls for cls in (Conformal, GapCalibrated, TableRegressor)}}


def encode(value: Any, path: str, arrays: dict[str, np.ndarray]) -> Any:
    """JSON for `value`; the arrays in it are put into `arrays` under names that begin with `path`.

    Examples
    --------
    >>> encode((1, float("inf")), "hidden_layer_sizes", {})
    {'tuple': [1, {'float': 'inf'}]}
    """
    kind = type(value)  # subclasses are not taken for their base: they would not come back as they were
    if value is None or kind in (bool, int, str):
        return value
    if kind is float:
        return value if math.isfinite(value) else {"float": str(value)}
    if kind is list or kind is tuple:
        items = [encode(item, f"{path}.{i}", arrays) for i, item in enumerate(value)]
        return items if kind is list else {"tuple": items}
    if kind is dict and {type(key) for key in value} in (set(), {str}, {int}):
        return {"dict": [[key, encode(item, f"{path}.{key}", arrays)] for key, item in value.items()]}
    if known_models().get(kind.__name__) is kind:
        parameters = value.get_params(deep=False).items()
        return {"regressor": [kind.__name__, [[key, encode(v, f"{path}.{key}", arrays)] for key, v in parameters]]}
    if all_terms().get(kind.__name__) is kind:
        fields = vars(value).items()
        return {"term": [kind.__name__, [[key, encode(v, f"{path}.{key}", arrays)] for key, v in fields]]}
    if isinstance(value, np.generic) and _scalar_name(value) in _SCALARS:
        return {"scalar": [_scalar_name(value), encode(value.item(), path, arrays)]}
    if isinstance(value, jax.Array) and not jnp.issubdtype(value.dtype, jax.dtypes.prng_key):
        value = np.asarray(value)
    if type(value) is np.ndarray and value.dtype.name in _SCALARS:
        arrays[path] = value
        return {"array": path}
    if type(value) is np.ndarray and value.dtype.kind == "U":
        return {"strings": value.tolist()}
    raise CannotHoldError(describe(value))


def encode_or_name(value: Any, path: str, arrays: dict[str, np.ndarray]) -> Any:
    """JSON for `value` as `encode` makes it, or only the name of a value that cannot be stored."""
    if is_generator(value):
        return {"generator": describe(value)}
    inside: dict[str, np.ndarray] = {}
    try:
        encoded = encode(value, path, inside)
    except CannotHoldError as error:
        return {"object": error.name}
    arrays.update(inside)
    return encoded


def decode(encoded: Any, arrays: dict[str, np.ndarray]) -> Any:
    """The value that `encode` was given.

    Examples
    --------
    >>> decode({"tuple": [1, {"float": "inf"}]}, {})
    (1, inf)
    """
    if isinstance(encoded, list):
        return [decode(item, arrays) for item in encoded]
    if not isinstance(encoded, dict):
        return encoded
    match kind_and_content(encoded):
        case "tuple", items:
            return tuple(decode(item, arrays) for item in items)
        case "dict", pairs:
            return _dictionary(pairs, arrays, str, int)
        case "float", word:
            return _FLOATS[word]
        case "scalar", (name, item):
            return _SCALARS[name](decode(item, arrays))
        case "array", name:
            return arrays[name]
        case "strings", texts:
            return np.array(texts, dtype=np.str_)
        case "regressor", (name, parameters):
            return check_kinds(known_models()[name](**_dictionary(parameters, arrays)))
        case "term", (name, fields):
            return all_terms()[name](**_dictionary(fields, arrays))
    raise ValueError(f"the value {encoded!r} is not understood")


def kind_and_content(encoded: dict[str, Any]) -> tuple[str, Any]:
    """The kind of a value that JSON has no form for, and what stands for it."""
    if len(encoded) != 1:
        raise ValueError(f"a value has one kind, but this one has {len(encoded)}: {', '.join(encoded)}")
    kind, content = next(iter(encoded.items()))
    if kind not in _CONTENTS:
        raise ValueError(f"{kind!r} is not a known kind of value")
    if type(content) is not _CONTENTS[kind]:
        raise ValueError(f"the content of a {kind!r} is not understood")
    return kind, content


def _dictionary(items: list[Any], arrays: dict[str, np.ndarray], *kinds: type) -> dict[Any, Any]:
    found = {key: decode(item, arrays) for key, item in items}
    if len(found) < len(items) or not all(type(key) in (kinds or (str,)) for key in found):
        raise ValueError("the keys of a dictionary have to be strings, or whole numbers, and different ones")
    return found


def not_saved(encoded: Any) -> tuple[str, str] | None:
    """("generator" or "object", name) where only a name was kept."""
    if isinstance(encoded, dict):
        for kind in ("generator", "object"):
            if kind in encoded:
                return kind, str(encoded[kind])
    return None


def is_generator(value: Any) -> bool:
    """Whether it is a source of random numbers, whose state is not part of a model."""
    return isinstance(value, np.random.RandomState | np.random.Generator)


def describe(value: Any) -> str:
    """Module and name of a function or class, or of the class of anything else."""
    named = value if hasattr(value, "__qualname__") and hasattr(value, "__module__") else type(value)
    return f"{named.__module__}.{named.__qualname__}"


def _scalar_name(value: np.generic) -> str:
    return "str_" if isinstance(value, np.str_) else value.dtype.name
