"""Files that are written whole or not at all."""

from unabases.storage.atomic import write_whole

__all__ = ["write_whole"]
