"""Data sets as records: synthetic and public ones, gaps cut into them, and your own tables."""

from unabases.lazy import lazy_package

lazy_package(__name__, __file__)
