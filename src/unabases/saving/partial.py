"""A fit that was stopped half way, to be continued by the same command."""

import hashlib
from pathlib import Path
from typing import Any

from unabases.saving.models import load, save

__all__ = ["PartialFit"]


class PartialFit:
    """Keeps what a long fit has learned so far in a file beside the model's, until the fit is done.

    The name of the file contains a fingerprint of what the fit is made of. So only the same fit of the same table is
    continued, and anything else starts afresh.

    Parameters
    ----------
    out : Path
        Where the model will be.
    table : Path
        What it learns from. A table that has changed since is another one.
    *options
        All else that decides what the model becomes.

    Examples
    --------
    >>> first = PartialFit(Path("model.una"), Path("."), "UNA", {"seed": 0})
    >>> first.path == PartialFit(Path("model.una"), Path("."), "UNA", {"seed": 1}).path
    False
    """

    def __init__(self, out: Path, table: Path, *options: Any):
        state = table.stat()
        made_of = (table.resolve(), state.st_size, state.st_mtime_ns, options)
        fingerprint = hashlib.sha256(repr(made_of).encode()).hexdigest()[:8]
        self.path = out.with_name(f"{out.name}.{fingerprint}.part")

    def load(self) -> Any | None:
        """Load the model as far as it got; None if there is none."""
        return load(self.path) if self.path.exists() else None

    def keep(self, model: Any) -> None:
        """Save a model that has learned from some of its rows."""
        save(model, self.path)

    def remove(self) -> None:
        """Delete the file, since the fit is done."""
        self.path.unlink(missing_ok=True)
