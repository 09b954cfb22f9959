"""Text that users wrote, made safe to show: in a terminal, in a picture, on a page, in a spreadsheet; and counts."""

import unicodedata
from typing import Any

__all__ = ["harmless_cell", "how_many", "printable"]

_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")  # controls, marks that change directions, halves of characters
_STARTS = ("=", "+", "-", "@", "＝", "＋", "－", "＠")  # of a formula; the last four are full-width


def printable(text: Any) -> str:
    r"""Write text so that a terminal shows it and does nothing else: unseen characters become their codes.

    Line breaks stay. Everything that a person can read stays, too.

    Parameters
    ----------
    text : any
        The text, or something to turn into text.

    Returns
    -------
    str
        The same text without control characters, marks that change the direction of writing, and the like.

    Examples
    --------
    >>> print(printable("a\x1b[31mb\u202ec é"))
    a\x1b[31mb\u202ec é
    """
    text = str(text)
    if text.isprintable():
        return text
    return "".join(c if c == "\n" or unicodedata.category(c) not in _UNSEEN else _code(c) for c in text)


def harmless_cell(cell: Any) -> Any:
    """Put an apostrophe before text that a spreadsheet would run as a formula; leave everything else as it is.

    Parameters
    ----------
    cell : any
        A cell of a table. Numbers are no formulas, also if they are written as text.

    Returns
    -------
    any
        The cell, or its text after an apostrophe.

    Examples
    --------
    >>> [harmless_cell(cell) for cell in ("=1+1", "@SUM(A1)", "-5.2", "gas", -1.0)]
    ["'=1+1", "'@SUM(A1)", '-5.2', 'gas', -1.0]
    """
    if not isinstance(cell, str) or not cell.lstrip().startswith(_STARTS):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


def _code(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def how_many(n: int, one: str, many: str = "") -> str:
    """Count something in words.

    Parameters
    ----------
    n : int
        The number.
    one : str
        What there is one of.
    many : str, optional
        What there are many of; by default the same with an s.

    Examples
    --------
    >>> how_many(1, "row"), how_many(30, "row"), how_many(0, "category", "categories")
    ('1 row', '30 rows', '0 categories')
    """
    return f"{n} {one if n == 1 else many or one + 's'}"
