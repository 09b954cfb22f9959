"""The one rule for files that a command writes: nothing that matters is lost.

A command writes over none of its inputs and over none of its other outputs. A file that is there already is replaced
if it is of the same kind, an earlier model by a model; anything else needs `--overwrite`. All this is checked before
any work is done.
"""

import gzip
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from unabases.cli.flags import flag

__all__ = [
    "KeepFormulas",
    "Output",
    "Overwrite",
    "begins_with",
    "beside",
    "check_outputs",
    "has_columns",
    "is_features",
    "is_model",
    "is_picture",
    "is_rows_file",
]

_WELL_KNOWN = {  # endings
    *(".csv", ".gz", ".parquet", ".pq", ".txt"),
    *(".html", ".htm", ".md", ".pdf", ".png", ".jpg", ".jpeg", ".svg", ".npz", ".onnx", ".una"),
    *(".json", ".pkl", ".pickle", ".joblib", ".tsv", ".xls", ".xlsx", ".zip"),
}
_HEAD = 4096  # bytes that tell what a file is

Overwrite = Annotated[
    bool,
    flag("--overwrite", help="Replace existing files even if they are something else than what is written."),
]


KeepFormulas = Annotated[
    bool,
    flag(
        "--keep-formulas",
        help="Write text such as =1+1 into CSV files as it is, without an apostrophe before it.",
    ),
]


class Output(NamedTuple):
    """A file that a command will write."""

    path: Path
    what: str
    """What it will be, such as "the model"."""
    same_kind: Callable[[Path], bool]
    """Tells whether a file that is there already is of the same kind, so that it may be replaced."""
    endings: tuple[str, ...] | None = None
    """Its own endings, if those of other well-known kinds of files are to be refused."""


def check_outputs(
    outputs: Sequence[Output], inputs: Sequence[Path], *, overwrite: bool = False, make_directories: bool = False
) -> None:
    """Refuse to write over an input, over another output, or over a file of another kind.

    Parameters
    ----------
    outputs : sequence of Output
        The files to write.
    inputs : sequence of Path
        The files that are read.
    overwrite : bool
        Allow to replace files of another kind.
    make_directories : bool
        Whether the command makes directories that do not exist.

    Raises
    ------
    ValueError
        If a file must not be written; the message says which, and what to do.
    """
    for place, output in enumerate(outputs):
        _check_place(output, make_directories)
        for path in inputs:
            if _same_file(output.path, path):
                raise ValueError(
                    f"{output.path} would be written over: it is an input. Choose another name for {output.what}."
                )
        for other in outputs[:place]:
            if _same_file(output.path, other.path):
                raise ValueError(
                    f"{other.what} and {output.what} would both be written to {output.path}; choose a name with "
                    "another ending."
                )
        if not overwrite and _is_something_else(output):
            raise ValueError(
                f"{output.path} exists and is something else than {output.what}, which would replace it. Choose "
                "another name, or allow it with --overwrite."
            )
        ending = output.path.suffix.lower()
        if ending in _WELL_KNOWN and output.endings is not None and ending not in output.endings:
            raise ValueError(
                f"cannot write {output.what} to {output.path}: the ending {ending} promises another kind of file. "
                "Choose another name."
            )


def beside(path: Path, ending: str) -> Path:
    """The file of another ending beside it; a path without a name stays as it is, for `check_outputs` to refuse."""
    return path.with_suffix(ending) if path.name else path


def is_model(path: Path) -> bool:
    """Tell whether a file is a model of this package."""
    return b'"unabases"' in _head(path)[8:]


def is_picture(path: Path) -> bool:
    """Tell whether a file is a picture that this package made."""
    head = _head(path)
    return head.startswith(b"\x89PNG") and b"Software\0unabases" in head


def is_features(path: Path) -> bool:
    """Tell whether a file holds features of images, as `embed` writes them."""
    import numpy as np

    if path.suffix.lower() != ".npz":
        return has_columns("image", "f0")(path)
    try:
        with np.load(path, allow_pickle=False) as file:
            return {"names", "features", "settings"} <= set(file.files)
    except (OSError, ValueError, EOFError):
        return False


def is_rows_file(path: Path) -> bool:
    """Tell whether a file holds rows of results, as `report --rows` writes them."""
    try:
        with gzip.open(path) as file:
            return file.read(_HEAD).startswith(b'{"format":"unabases rows')
    except (OSError, EOFError):
        return False


def has_columns(*names: str) -> Callable[[Path], bool]:
    """Make a test: whether a file is a table that has these columns."""

    def test(path: Path) -> bool:
        from unabases.datasets.reading import read_names

        try:
            return set(names) <= set(read_names(path))
        except (ValueError, OSError, ImportError):
            return False

    return test


def begins_with(*marks: bytes) -> Callable[[Path], bool]:
    """Make a test: whether one of these marks is among the first bytes of a file."""
    return lambda path: any(mark in _head(path) for mark in marks)


def _check_place(output: Output, make_directories: bool) -> None:
    path = output.path
    if str(path) == "-":
        raise ValueError(f"{output.what} cannot be written to the standard output; give the name of a file.")
    if path.is_dir():
        raise ValueError(f"cannot write {output.what} to {path}: it is a directory; add the name of a file.")
    if path.exists() and not path.is_file():
        raise ValueError(f"cannot write {output.what} to {path}: it is no ordinary file.")
    if path.exists() and not os.access(path, os.W_OK):
        raise ValueError(
            f"cannot write {output.what} to {path}: it is read-only; allow writing, or choose another name."
        )
    real = Path(os.path.realpath(path))  # where a link leads
    if real.is_symlink():
        raise ValueError(f"cannot write {path}: it is a link that leads to itself.")
    above: Any = next((parent for parent in real.parents if parent.exists()), None)
    for parent in (path.parent, real.parent):
        if not make_directories and not parent.is_dir():
            raise ValueError(f"cannot write {path}: there is no directory {parent}; create it first.")
    if above is not None and not above.is_dir():
        raise ValueError(f"cannot write {path}: {above} is a file, not a directory.")
    if above is not None and not os.access(above, os.W_OK):
        raise ValueError(f"cannot write {path}: files cannot be created in {above}.")


def _same_file(a: Path, b: Path) -> bool:
    """Whether two names lead to one file: through links, other spellings, or upper and lower case."""
    if a.exists() and b.exists():
        return os.path.samefile(a, b)
    return os.path.realpath(a).casefold() == os.path.realpath(b).casefold()


def _is_something_else(output: Output) -> bool:
    path = output.path
    return path.exists() and path.stat().st_size > 0 and not output.same_kind(path)


def _head(path: Path) -> bytes:
    with open(path, "rb") as file:
        return file.read(_HEAD)
