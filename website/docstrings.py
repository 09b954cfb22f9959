"""Docstrings as the site shows them: those that estimators get when they are made, kinds in words, lists, and MathML.

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
_KIND = re.compile(
    r'^(?P<names>[ ]*[*\w]+(?:,[ ][*\w]+)*[ ]:[ ])(?P<kind>.*?(?:"|\w-\w|,[ ](?!default|optional)).*?)'
    r"(?P<rest>(?:,[ ](?:default=.*|optional))?)$",
    re.MULTILINE,
)
_TICKED = re.compile(r"^(?P<names>[ ]*[*\w]+(?:,[ ][*\w]+)*[ ]:[ ])(?P<kind>.*`.*)$(?=\n[ ]+\S)", re.MULTILINE)
_SHARED = re.compile(r"^(?P<names>[*\w]+(?:, [*\w]+)+)\n(?P<said>(?:[ ]+\S.*(?:\n|\Z))+)", re.MULTILINE)
_CHOICES = re.compile(r"\{([^}]*), ([^},]*)\}")
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
            cls.docstring.value = shown(_GROUP.sub("", made))

    def on_class_members(self, *, cls: griffe.Class, **_: Any) -> None:
        """A class that inherits how it is made is shown with that; read from the source it would take nothing."""
        inherits = any("init=False" in str(decorator.value) for decorator in cls.decorators)
        if not inherits or "__init__" in cls.members or cls.name.startswith("Abstract"):
            return
        made = getattr(importlib.import_module(cls.module.path), cls.name)
        found = [
            griffe.Parameter(name, kind=griffe.ParameterKind.positional_or_keyword, default=_shown_default(one.default))
            for name, one in inspect.signature(made).parameters.items()
        ]
        cls.set_member("__init__", griffe.Function("__init__", parameters=griffe.Parameters(*found)))

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Everything else is shown as it is written."""
        if obj.docstring is not None:
            obj.docstring.value = shown(obj.docstring.value)


def _shown_default(value: Any) -> str | None:
    return None if value is inspect.Parameter.empty else repr(value)


def shown(text: str) -> str:
    """A docstring with an entry for each name, kinds in words, formulas as MathML, and a list of what else to see."""
    return with_list(with_mathml(with_words(with_entries(text))))


def with_entries(text: str) -> str:
    r"""Text in which parameters that share a description have one each; else all would get the kind of the first.

    Examples
    --------
    >>> with_entries("predictive, y\n    What to compare.\n")
    'predictive\n    What to compare.\ny\n    What to compare.\n'
    """
    return _SHARED.sub(
        lambda match: "".join(f"{name}\n{match['said'].rstrip()}\n" for name in match["names"].split(", ")), text
    )


def with_words(text: str) -> str:
    r"""Text whose parameters have kinds that are read as words, if they are not Python: `path-like`, `"a" or "b"`.

    Read as Python, the first would be a difference, and a kind with a comma a tuple. In braces, choices lose their
    quotes, and the first is called the default. All of a kind is set as code, so names in it need no marks.

    Examples
    --------
    >>> with_words('kind : {"rms", "mean"}, optional').replace("\u00a0", " ")
    'kind : "rms" or "mean", optional'
    """
    text = _TICKED.sub(lambda match: match["names"] + match["kind"].replace("`", ""), text)
    return _KIND.sub(lambda match: match["names"] + _worded(match["kind"]) + match["rest"], text)


def _worded(kind: str) -> str:
    """A kind with a space or hyphen that Python does not know."""
    kind = _CHOICES.sub(r"\1 or \2", kind)
    return kind.replace(" ", "\u00a0", 1) if " " in kind else kind.replace("-", "\u2011")


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
    return _INLINE.sub(lambda match: f"<span>{_formula(match[1])}</span>", text)  # without, it may become a block


def _as_block(match: re.Match[str]) -> str:
    formula = " ".join(f"{match['first']} {match['rest']}".split())
    return f'\n{match["indent"]}<div class="formula">{_formula(formula, "block")}</div>\n\n'


def _formula(latex: str, display: str = "inline") -> str:
    return convert(latex, display=display).replace("\\_", "_")
