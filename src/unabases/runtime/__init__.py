"""Saved models without JAX: predictions with NumPy alone, and ONNX graphs."""

from unabases.runtime.export import to_onnx
from unabases.runtime.model import RuntimeModel, load
from unabases.runtime.reading import SUPPORTED, UnsupportedModelError

__all__ = ["SUPPORTED", "RuntimeModel", "UnsupportedModelError", "load", "to_onnx"]
