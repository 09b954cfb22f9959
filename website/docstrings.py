"""Docstrings as the site shows them: those that estimators get when they are made, lists, and formulas as MathML.

Browsers draw MathML themselves, so that formulas need no script.
"""

import importlib
import inspect
import re
from typing import Any

import griffe
from latex2mathml.converter import convert

_BLOCK = re.compile(
    r"^(?P<indent>[ ]*)\.\. math::[ ]*(?P<first>.*)\n"
    r"(?P<rest>(?:(?P=indent)[ ]+\S.*\n?|[ ]*\n(?=(?P=indent)[ ]{2,}\S))*)",
    re.MULTILINE,
)
_INLINE = re.compile(r":math:`([^`]+)`")
_COMPLETED = re.compile(r"^[ ]*\{\w+\}$", re.MULTILINE)
_SEE_ALSO = re.compile(r"(?<=^See Also\n--------\n)(?:(?:[\w.]+ : |[ ]+)\S.*\n?)+", re.MULTILINE)
_WORDS = re.compile(r' or (?="[\w-]+", default=)')  # with another space, a kind in words is not read as Python
_GROUP = re.compile(r"^\*\*(?:[A-Z][a-z ]+)\*\*\n\n?", re.MULTILINE)


class Docstrings(griffe.Extension):
    """Change docstrings after they are read from the source."""

    def on_class_instance(self, *, cls: griffe.Class, **_: Any) -> None:
        """Docstrings that are completed at import are taken from there: an estimator's has all its parameters."""
        if cls.docstring is None:
            return
        made_later = any(str(decorator.value) == "estimator" for decorator in cls.decorators)
        if made_later or _COMPLETED.search(cls.docstring.value):
            made = inspect.getdoc(getattr(importlib.import_module(cls.module.path), cls.name)) or ""
            cls.docstring.value = with_mathml(_WORDS.sub("\u00a0or ", _GROUP.sub("", made)))

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Formulas become MathML, and what else to see a list."""
        if obj.docstring is not None:
            obj.docstring.value = with_list(with_mathml(obj.docstring.value))


def with_list(text: str) -> str:
    r"""Text whose section "See Also" is a list with an item for each name.

    Examples
    --------
    >>> with_list("See Also\n--------\naudit : Find groups.\n")
    'See Also\n--------\n- `audit`: Find groups.\n'
    """
    return _SEE_ALSO.sub(lambda match: re.sub(r"^([\w.]+) : ", r"- `\1`: ", match[0], flags=re.MULTILINE), text)


def with_mathml(text: str) -> str:
    r"""Text with its formulas, `.. math::` and `:math:`, as MathML.

    Examples
    --------
    >>> with_mathml(r"Expected values :math:`\mu`.").count("<math")
    1
    """
    text = _BLOCK.sub(_as_block, text)
    return _INLINE.sub(lambda match: convert(match[1]), text)


def _as_block(match: re.Match[str]) -> str:
    formula = " ".join(f"{match['first']} {match['rest']}".split())
    return f'\n{match["indent"]}<div class="formula">{convert(formula, display="block")}</div>\n\n'
