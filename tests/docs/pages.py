"""Code in Markdown pages: where it is, and how its output is compared."""

import doctest
import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")


class Block(NamedTuple):
    line: int  # lines of the page above the code
    code: str


def pages() -> list[Path]:
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs/extending").glob("*.md"))]


def blocks(text: str) -> list[Block]:
    return [Block(text[: found.start(1)].count("\n"), found.group(1)) for found in _FENCE.finditer(text)]


class LastDigitChecker(doctest.OutputChecker):
    """Numbers with decimals may differ by one in the last digit shown: trained networks differ between machines."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        if super().check_output(want, got, optionflags):
            return True
        wanted, found = _NUMBER.findall(want), _NUMBER.findall(got)
        if _words(want) != _words(got) or len(wanted) != len(found):
            return False
        return all(_close(a, b) for a, b in zip(wanted, found, strict=True))


def _words(text: str) -> list[str]:
    return _NUMBER.sub("#", text).split()


def _close(want: str, got: str) -> bool:
    decimals = len(want.partition(".")[2])
    return want == got if decimals == 0 else abs(float(want) - float(got)) <= 1.001 * 10**-decimals
