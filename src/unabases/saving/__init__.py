"""Fitted models in one file: safetensors with a JSON description, no pickle."""

from unabases.saving.container import ModelFileError
from unabases.saving.models import load, save

__all__ = ["ModelFileError", "load", "save"]
