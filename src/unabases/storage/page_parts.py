"""Parts of HTML pages: the style and the script of a page, with those of sortable tables, which pages share."""

from importlib import resources
from typing import NamedTuple

__all__ = ["PageParts", "page_parts"]

_SHARED = ("unabases.storage", "sort")


class PageParts(NamedTuple):
    """What goes into the `<style>` and the `<script>` of a page that needs no other file."""

    style: str
    script: str


def page_parts(package: str, name: str) -> PageParts:
    """Read the style and the script of a page, after those that make tables of class `sortable` sort.

    Parameters
    ----------
    package, name
        Where the page's own are: the files `name.css` and `name.js` of a package.

    Returns
    -------
    PageParts
        The texts of the two files, each with what all pages share before it.

    Examples
    --------
    >>> style, script = page_parts("unabases.audit", "templates/audit")
    >>> "aria-sort" in style, "table.sortable" in script
    (True, True)
    """
    style, script = ("".join(_text(*part, end) for part in (_SHARED, (package, name))) for end in ("css", "js"))
    return PageParts(style, script)


def _text(package: str, name: str, end: str) -> str:
    return resources.files(package).joinpath(f"{name}.{end}").read_text(encoding="utf-8")
