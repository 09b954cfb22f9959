"""Save fitted models to one file each, and load them: safetensors with a JSON description, no pickle."""

from unabases.lazy import lazy_package

lazy_package(__name__, __file__)
