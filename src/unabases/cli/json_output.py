"""Results for programs: `--json` prints one JSON value to the standard output, and nothing else goes there."""

import json
import math
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from unabases.cli.flags import flag

__all__ = ["Json", "plain", "print_json"]

Json = Annotated[
    bool,
    flag("--json", help="Print the results as JSON, for programs; messages go to the standard error stream."),
]


def plain(value: Any) -> Any:
    """Turn results into what JSON knows: NumPy's numbers into numbers, NaN and infinity into null, paths into text.

    Parameters
    ----------
    value : any
        Numbers, text, and mappings and sequences of these.

    Examples
    --------
    >>> plain({"rmse": float("nan"), "rows": (1, 2)})
    {'rmse': None, 'rows': [1, 2]}
    """
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if hasattr(value, "tolist"):  # of NumPy, without importing it
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def print_json(value: Any) -> None:
    """Print a result as JSON. Characters beyond ASCII are written as their codes, so that no terminal interprets them.

    Parameters
    ----------
    value : any
        What `plain` takes.
    """
    typer.echo(json.dumps(plain(value), indent=2))
