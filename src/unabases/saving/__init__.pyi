# The public names and where they come from: `unabases.lazy` imports each when it is first used.

from unabases.saving.container import ModelFileError
from unabases.saving.models import load, save

__all__ = ["ModelFileError", "load", "save"]
