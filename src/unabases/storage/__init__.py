"""Write files completely or not at all, and what pages of HTML share."""

from unabases.storage.atomic import open_whole, write_whole
from unabases.storage.page_parts import PageParts, page_parts

__all__ = ["PageParts", "open_whole", "page_parts", "write_whole"]
