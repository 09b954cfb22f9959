"""Save fitted models to one file each, and load them: safetensors with a JSON description, no pickle."""

from unabases.saving.container import ModelFileError
from unabases.saving.models import load, save

__all__ = ["ModelFileError", "load", "save"]
