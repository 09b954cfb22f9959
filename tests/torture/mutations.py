"""Files of models and studies, changed at random and sealed again with a good checksum."""

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from unabases.saving.container import pack, unpack

ODD: list[Any] = [
    None, True, False, 0, 1, -1, -5, 7, 0.5, -0.5, 2**31, 2**63, 10**9, 10**30, 1e-320, 1e308, -1e308, 1e-200,
    "", "many", "evidence", "relu", "tanh", "LUNA", "os.system", "../../etc/passwd", "x" * 1000, "\x00",
    [], {}, [1], [[]], ["a", "b"], {"a": 1}, {"tuple": []}, {"tuple": [20000, 20000]}, {"tuple": [1] * 500},
    {"dict": [[1, 2]]}, {"dict": 3}, {"float": "nan"}, {"float": "inf"}, {"float": 3}, {"array": "x.center"},
    {"array": "absent"}, {"scalar": ["float32", "a"]}, {"strings": [1, 2]}, {"object": "os.system"}, {"generator": 1},
    {"regressor": ["LUNA", []]}, {"regressor": ["os", []]}, {"code": "print()"}, {"tuple": [], "dict": []},
]  # fmt: skip
EXTREMES = (1e308, 1e155, 1e-155)
NUMBERS = [np.nan, np.inf, -np.inf, 0.0, -1.0, 1e-320, 1e300, -1e300, 0.5, 1e9]


class Parts(NamedTuple):
    """What is in a file."""

    text: str
    """Its JSON values."""
    arrays: dict[str, np.ndarray]


def take_apart(data: bytes) -> Parts:
    """The parts of a file, to be changed."""
    content, arrays = unpack(data, "file")
    return Parts(json.dumps(content), arrays)


def mutate(parts: Parts, rng: random.Random) -> bytes:
    """A file with one to three random changes, and a good checksum; seldom one with a changed byte and a bad one."""
    if rng.random() < 0.05:
        edited = bytearray(pack(json.loads(parts.text), parts.arrays))
        edited[rng.randrange(len(edited))] ^= 1 << rng.randrange(8)
        return bytes(edited)
    while True:
        content, arrays = json.loads(parts.text), dict(parts.arrays)
        try:
            for _ in range(rng.choice((1, 1, 1, 2, 3))):
                if arrays and rng.random() < 0.5:
                    _change_arrays(arrays, rng)
                else:
                    _change_content(content, rng)
            return pack(content, arrays)
        except (RecursionError, ValueError):  # too deep or too large for JSON: another one
            continue


def with_extremes(parts: Parts) -> Iterator[tuple[str, bytes]]:
    """Files in which the last number of an array, or all of them, are so large or small that squares are no numbers."""
    for name, array in parts.arrays.items():
        for number in EXTREMES if array.dtype == np.float64 and array.size else ():
            last = array.copy()
            last.flat[-1] = number
            for what, changed in (("last", last), ("all", np.full_like(array, number))):
                yield f"{name}, {what} {number}", pack(json.loads(parts.text), parts.arrays | {name: changed})


def _change_content(content: dict[str, Any], rng: random.Random) -> None:
    """Replace, remove, repeat or bury one of the JSON values."""
    places = [place for place in _places(content) if place.key not in ("format", "written_by", "tensors", "checksum")]
    if not places:
        return
    inside, key = rng.choice(places)
    way = rng.randrange(10)
    if way == 0:
        del inside[key]
    elif way == 1 and isinstance(inside, list):
        inside.extend(copy.deepcopy(inside[key : key + 1]) * rng.choice((1, 2, 50)))
    elif way == 2 and isinstance(inside, dict):
        inside[rng.choice(("sun", "0", "n", "state", "dict", key + "x"))] = inside.pop(key)
    elif way == 3:
        for _ in range(rng.choice((3, 90, 400))):
            inside[key] = [inside[key]]
    elif way == 4 and isinstance(inside[key], int | float):
        inside[key] = inside[key] * rng.choice((-1, 0, 2, 0.5, 10**6)) + rng.choice((0, 1, -1))
    elif way == 5:
        other, name = rng.choice(places)
        inside[key] = copy.deepcopy(other.get(name) if isinstance(other, dict) else rng.choice(other or [None]))
    else:
        inside[key] = copy.deepcopy(rng.choice(ODD))


class _Place(NamedTuple):
    inside: Any
    key: Any


def _places(value: Any) -> list[_Place]:
    """Every place of a JSON value that can be changed."""
    found: list[_Place] = []

    def add(inside: Any) -> None:
        for key in inside if type(inside) is dict else range(len(inside)):
            found.append(_Place(inside, key))
            if type(inside[key]) in (dict, list):
                add(inside[key])

    add(value)
    return found


def _change_arrays(arrays: dict[str, np.ndarray], rng: random.Random) -> None:
    """Change numbers, the shape, the type or the name of one of the arrays, or remove it."""
    name = rng.choice(list(arrays))
    array = arrays[name]
    ways: list[Callable[[], Any]] = [
        lambda: _with_number(array, rng),
        lambda: _with_number(array, rng),
        lambda: _with_number(array, rng),
        lambda: _with_flipped_bit(array, rng),
        lambda: array * array.dtype.type(rng.choice((-1, 0, 2))) if array.dtype != bool else ~array,
        lambda: array.T.copy(),
        lambda: array[None],
        lambda: array.ravel(),
        lambda: array[: max(0, len(array) - 1)] if array.ndim else array[None],
        lambda: array[..., :0] if array.ndim else array,
        lambda: np.concatenate([array, array]) if array.ndim else array,
        lambda: array.astype(rng.choice((np.float16, np.float32, np.float64, np.int32, bool))),
        lambda: np.zeros((0, 2**40)),
        lambda: rng.choice(list(arrays.values())),
    ]
    way = rng.randrange(len(ways) + 2)
    with np.errstate(all="ignore"):
        if way == len(ways):
            del arrays[name]
        elif way == len(ways) + 1:
            arrays[rng.choice((name + "0", "state.phi.9", "state.x", "table.rows.0", ""))] = arrays.pop(name)
        else:
            arrays[name] = ways[way]()


def _with_number(array: np.ndarray, rng: random.Random) -> np.ndarray:
    changed = np.array(array)
    if changed.size:
        number: Any = rng.choice(NUMBERS)
        place = np.unravel_index(rng.randrange(changed.size), changed.shape)
        changed[place] = number if changed.dtype.kind == "f" else rng.choice((-5, 0, 1, 99, 2**31 - 1))
    return changed


def _with_flipped_bit(array: np.ndarray, rng: random.Random) -> np.ndarray:
    raw = bytearray(array.tobytes())
    if raw:
        raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
    if array.dtype == bool:
        return array
    return np.frombuffer(bytes(raw), dtype=array.dtype).reshape(array.shape)
