"""The file: a safetensors file whose metadata holds one JSON text, sealed by a checksum over both.

Layout of the JSON text, besides what the caller puts in:

- `format`: version of this layout, a whole number; it grows when older readers could not read a file.
- `written_by`: version of the package that wrote the file.
- `tensors`: `[name, "C" or "F"]` for each array, in the order given. The file holds rows first, as
  safetensors demands; the letter is the order in memory, on which rounding in LAPACK may depend.
- `checksum`: SHA-256 of the JSON text without it, and of every tensor's name, dtype, shape and bytes. It tells that a
  file was damaged or edited by accident. It is no signature: whoever edits a file on purpose can compute it again, so
  what a file says is checked in full whatever its checksum.
"""

import contextlib
import functools
import hashlib
import json
import os
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import safetensors
import safetensors.numpy

FORMAT = 1
KEY = "unabases"
DTYPES = {
    "BOOL": np.dtype(np.bool_),
    "I8": np.dtype(np.int8),
    "I16": np.dtype(np.int16),
    "I32": np.dtype(np.int32),
    "I64": np.dtype(np.int64),
    "U8": np.dtype(np.uint8),
    "U16": np.dtype(np.uint16),
    "U32": np.dtype(np.uint32),
    "U64": np.dtype(np.uint64),
    "F16": np.dtype(np.float16),
    "F32": np.dtype(np.float32),
    "F64": np.dtype(np.float64),
}
_CODES = {dtype.str[1:]: code for code, dtype in DTYPES.items()}  # by kind and size, whatever the order of bytes
_LENGTH = 8  # bytes at the start of a safetensors file that give the length of its header
_LONGEST_HEADER = 100_000_000  # of safetensors itself
_FIRST = 2**16  # bytes that tell what a file is
_MOST_DEPTH = 100  # of objects and lists within each other; models have less than ten
_AGAIN = "save it again, or take another copy of the file."


class ModelFileError(ValueError):
    """A file cannot be read or written as a model of this package; the message says why and what to do."""


class Unpacked(NamedTuple):
    """What a file holds."""

    content: dict[str, Any]
    """The JSON values."""
    arrays: dict[str, np.ndarray]


@functools.cache
def package_version() -> str:
    """Version of the installed package."""
    try:
        return version("unabases")
    except PackageNotFoundError:
        return "unknown"


def pack(content: dict[str, Any], arrays: dict[str, np.ndarray]) -> bytes:
    """The bytes of a file with these JSON values and arrays: the opposite of `unpack`."""
    tensors, orders = {}, []
    for name, array in arrays.items():
        array = np.asarray(array)
        if array.dtype.str[1:] not in _CODES:
            raise TypeError(
                f"array {name!r} has dtype {array.dtype}, which a model file cannot hold; "
                f"expected one of {', '.join(dtype.name for dtype in DTYPES.values())}."
            )
        orders.append([name, "F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C"])
        tensors[name] = np.asarray(array, dtype=array.dtype.newbyteorder("<"), order="C")
    content = {**content, "format": FORMAT, "written_by": package_version(), "tensors": orders}
    seal = _checksum(content, {name: (_CODES[t.dtype.str[1:]], t.shape, t.tobytes()) for name, t in tensors.items()})
    return safetensors.numpy.save(tensors, metadata={KEY: _dump({**content, "checksum": seal})})


def unpack(data: bytes, source: str) -> Unpacked:
    """JSON values and arrays of a file, once it is known to be whole, a model, readable and unchanged.

    Parameters
    ----------
    data : bytes
        All bytes of the file.
    source : str
        What to call the file in errors.

    Returns
    -------
    Unpacked
        The JSON values, and the arrays by name.
    """
    metadata = _metadata(data, source)
    text = metadata.get(KEY)
    if not isinstance(text, str):
        raise ModelFileError(
            f"{source} is a safetensors file but not a model of unabases: its metadata has no {KEY!r}; "
            "expected a file written by `unabases fit` or `save`."
        )
    content = _parse(text, source)
    wrote = content.get("written_by")
    if content["format"] > FORMAT:
        raise ModelFileError(
            f"{source} has format {content['format']}, written by unabases {wrote}; this is unabases "
            f"{package_version()}, which reads formats up to {FORMAT}. Upgrade unabases to {wrote} or later."
        )
    try:
        tensors = {
            name: (view["dtype"], tuple(view["shape"]), bytes(view["data"]))
            for name, view in safetensors.deserialize(data)
        }
    except (safetensors.SafetensorError, ValueError, OverflowError) as error:
        raise ModelFileError(f"{source} is damaged ({error}); {_AGAIN}") from error
    seal = content.pop("checksum", None)
    if seal != _checksum(content, tensors) or text != _dump({**content, "checksum": seal}) or set(metadata) != {KEY}:
        raise ModelFileError(
            f"{source} was changed after it was written, or damaged: its checksum is {seal}, but its content "
            f"gives {_checksum(content, tensors)}; {_AGAIN}"
        )
    return Unpacked(content, _arrays(content.get("tensors"), tensors, source))


def writable(path: str | os.PathLike[str]) -> Path:
    """A path that a file can be written to, or an error that says what to do.

    Examples
    --------
    >>> writable("model.una").name
    'model.una'
    """
    path = Path(path)
    if not path.parent.is_dir():
        raise ModelFileError(f"cannot save to {path}: there is no directory {path.parent}; make it first.")
    if path.is_dir():
        raise ModelFileError(f"cannot save to {path}: it is a directory; add the name of a file.")
    if path.exists() and not path.is_file():
        raise ModelFileError(f"cannot save to {path}: it is no ordinary file; choose another name.")
    return path


def read_bytes(path: Path) -> bytes:
    """All bytes of a file, or an error that says what is there instead.

    A file of any length may be given by mistake: of one that is too long for what it says to be, or that begins like no
    file of ours, only as much is read as shows that.
    """
    try:
        if path.exists() and not path.is_file():  # reading a pipe would wait, and a device has no end
            raise ModelFileError(f"{path} is not a file; expected a model or study that was saved.")
        with path.open("rb") as file:
            data = file.read(_FIRST)
            if (length := _header_length(data)) is None:
                return data + file.read(_LONGEST_HEADER if data[:1] == b"{" else 0)  # a study of the first format
            data += file.read(max(0, _LENGTH + length - len(data)))
            with contextlib.suppress(ValueError, TypeError, LookupError, AttributeError, RecursionError):
                data += file.read(max(0, _size(json.loads(data[_LENGTH : _LENGTH + length]), length) + 1 - len(data)))
            return data
    except FileNotFoundError as error:
        raise ModelFileError(f"there is no file {path}; expected a model or study that was saved.") from error
    except NotADirectoryError as error:
        raise ModelFileError(f"{path} is not a file; expected a model or study that was saved.") from error


def _header_length(data: bytes) -> int | None:
    """Length of the header of a safetensors file, by its first bytes; None if it is no such file."""
    length = int.from_bytes(data[:_LENGTH], "little")
    fits = len(data) > _LENGTH and length <= _LONGEST_HEADER and data[_LENGTH : _LENGTH + 1] == b"{"
    return length if fits else None


def _size(header: dict[str, Any], length: int) -> int:
    """How many bytes a safetensors file has that has this header."""
    tensors = (tensor for name, tensor in header.items() if name != "__metadata__")
    return _LENGTH + length + max((int(tensor["data_offsets"][1]) for tensor in tensors), default=0)


def _arrays(orders: Any, tensors: dict[str, tuple[str, tuple[int, ...], bytes]], source: str) -> dict[str, np.ndarray]:
    """Every tensor as an array, in the order and the layout in memory that the file lists."""
    try:
        listed = dict(orders)
        if len(listed) < len(orders) or set(listed) != set(tensors) or not set(listed.values()) <= {"C", "F"}:
            raise ValueError("the list of tensors does not name those that are there")
        return {name: _array(*tensors[name], order) for name, order in listed.items()}
    except (TypeError, ValueError, LookupError) as error:
        raise ModelFileError(f"{source} has arrays that are not understood ({error}); {_AGAIN}") from error


def _array(code: str, shape: tuple[int, ...], data: bytes, order: Any) -> np.ndarray:
    """A writable array of its own, in the memory order it was saved with."""
    stored = np.frombuffer(data, dtype=DTYPES[code].newbyteorder("<")).reshape(shape)
    return np.array(stored, dtype=DTYPES[code], order=order)


def _metadata(data: bytes, source: str) -> dict[str, Any]:
    """Metadata of a safetensors file, or an error that says what the bytes are instead."""
    if not data:
        raise ModelFileError(f"{source} is empty; expected a file written by `unabases fit` or `save`.")
    length = _header_length(data)
    if length is None:
        raise ModelFileError(
            f"{source} is {_kind(data)}, not a model; expected a file written by `unabases fit` or `save`. "
            "Nothing in it was run."
        )
    if len(data) < _LENGTH + length:
        raise _truncated(source, _LENGTH + length, len(data), more=True)
    try:
        header = json.loads(data[_LENGTH : _LENGTH + length])
        metadata, size = header.get("__metadata__", {}), _size(header, length)
        if not isinstance(metadata, dict):
            raise TypeError("metadata is not an object")
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise ModelFileError(
            f"{source} is not a safetensors file, or its header is damaged ({error}); {_AGAIN}"
        ) from error
    if len(data) < size:
        raise _truncated(source, size, len(data))
    return metadata


def _truncated(source: str, expected: int, got: int, more: bool = False) -> ModelFileError:
    least = "at least " if more else ""
    return ModelFileError(f"{source} is truncated: expected {least}{expected} bytes, got {got}; {_AGAIN}")


def _kind(data: bytes) -> str:
    if data[0] == 0x80 and len(data) > 1 and data[1] <= 5:
        return "a pickle file"
    if data[:4] == b"PK\x03\x04":
        return "a zip archive"
    if len(data) <= _LENGTH:
        return f"only {len(data)} bytes long"
    try:
        data[:1024].decode("ascii")
    except UnicodeDecodeError:
        return "of an unknown kind"
    return "a text file"


def _parse(text: str, source: str) -> dict[str, Any]:
    try:
        content = parse_json(text)
        if type(content["format"]) is not int or content["format"] < 1:
            raise ValueError(f"format {content['format']!r} is not a version")
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise ModelFileError(f"{source} has a description that was changed or damaged ({error!r}); {_AGAIN}") from error
    return content


def parse_json(text: str | bytes) -> Any:
    """Strict JSON as Python values; refuses NaN, infinities and what is nested too deep for any model.

    Examples
    --------
    >>> parse_json('{"a": [1, 2]}')
    {'a': [1, 2]}
    """
    content = json.loads(text, parse_constant=_refuse)
    level, depth = [content], 0
    while level := [part for part in level if isinstance(part, dict | list)]:
        depth += 1
        if depth > _MOST_DEPTH:
            raise ValueError(f"its parts are nested more than {_MOST_DEPTH} deep")
        level = [inner for part in level for inner in (part.values() if isinstance(part, dict) else part)]
    return content


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _checksum(content: dict[str, Any], tensors: dict[str, tuple[str, tuple[int, ...], bytes]]) -> str:
    """SHA-256 of everything but itself; lengths come before bytes so that nothing can move between parts."""
    digest = hashlib.sha256()
    parts = [_dump(content).encode()]
    for name in sorted(tensors):
        code, shape, data = tensors[name]
        parts += [f'[{json.dumps(name)}, "{code}", {list(shape)}]'.encode(), data]  # JSON, faster than all at once
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()


def _dump(content: dict[str, Any]) -> str:
    """The one text of these values: equal values, equal text."""
    return json.dumps(content, allow_nan=False, sort_keys=True, separators=(",", ":"))
