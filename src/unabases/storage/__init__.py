"""Write files completely or not at all."""

from unabases.storage.atomic import open_whole, write_whole

__all__ = ["open_whole", "write_whole"]
