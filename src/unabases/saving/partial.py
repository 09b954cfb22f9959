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
    made_of
        All that decides what the model becomes: options, and the table.

    Examples
    --------
    >>> PartialFit(Path("model.una"), "UNA", {"seed": 0}).path.name
    'model.una.4f8b8989.part'
    """

    def __init__(self, out: Path, *made_of: Any):
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
