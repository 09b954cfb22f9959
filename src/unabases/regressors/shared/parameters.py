"""How estimators declare their parameters: name, default, type and effect in one place, inherited with the class.

A class decorated with `estimator` gets its `__init__` from its fields, as a dataclass does, and a docstring in which
every parameter is described, inherited ones too. A subclass that only wants another default writes
`gamma: Any = 0.3`; the description stays.
"""

import dataclasses
import inspect
import numbers
import re
import reprlib
import textwrap
from typing import Any, TypeVar, dataclass_transform

import numpy as np

__all__ = ["GROUPS", "about", "check_kinds", "estimator", "parameter"]

GROUPS = ("Model", "Penalty", "Noise and prior", "Sampling", "Training", "Other")
_FITTED = re.compile(r"^[ ]*\{(?P<names>\w+_(?:, \w+_)*)\}$", re.MULTILINE)
_WIDTH = 110
_WORDS = re.compile(r"""\s*(?:,|\bor\b|[{}])\s*""")  # between the alternatives of a kind

_IN_WORDS = {
    "bool or": "True, False or",
    "bool": "True or False",
    "tuple of int": "a tuple of whole numbers",
    "int": "a whole number",
    "float": "a number",
    "str": "a name",
    "callable": "a function",
    "array": "an array of them",
}
_NOUNS = re.compile("|".join(rf"\b{noun}\b" for noun in _IN_WORDS))

Class = TypeVar("Class", bound=type)
Estimator = TypeVar("Estimator")


def parameter(default: Any, group: str, kind: str, text: str) -> Any:
    """A field of an estimator, with what its documentation says.

    Parameters
    ----------
    default
        The value that holds when the user gives none.
    group
        The heading under which it is described: one of `GROUPS`.
    kind
        Its type in words, such as `"int"` or `'float or "evidence"'`.
    text
        What it does, in plain sentences.
    """
    return dataclasses.field(default=default, metadata=about(group, kind, text))


def about(group: str, kind: str, text: str) -> dict[str, str]:
    """The metadata of a field that a class declares with `dataclasses.field` itself, to take it by position too."""
    if group not in GROUPS:
        raise ValueError(f"unknown group {group!r}; known ones are {', '.join(GROUPS)}.")
    return {"group": group, "kind": kind, "text": text}


def check_kinds(model: Estimator) -> Estimator:
    """Refuse parameters that are not of the kind that their description names; the default is always fine.

    Whether a number is in its range, and a name a known one, is for those to say who use it.

    Returns
    -------
    estimator
        The model that was given.

    Examples
    --------
    >>> from unabases import LUNA
    >>> check_kinds(LUNA(schedule=[]))
    Traceback (most recent call last):
    ...
    ValueError: `schedule` must be a name; got [].
    """
    declared: Any = type(model) if dataclasses.is_dataclass(model) else None
    for field in dataclasses.fields(declared) if declared else ():
        value, kind = getattr(model, field.name), _said_of(declared, field.name)["kind"]
        if value is not field.default and not _is_of(kind, value):
            said = _NOUNS.sub(lambda match: _IN_WORDS[match[0]], kind)
            raise ValueError(f"`{field.name}` must be {said}; got {reprlib.repr(value)}.")
    return model


def _is_of(kind: str, value: Any) -> bool:
    """Whether a value is of a kind such as `'float, array or "evidence"'`."""
    several = isinstance(value, tuple | list)
    number = isinstance(value, numbers.Real) and not isinstance(value, bool | np.bool_)
    whole = number and isinstance(value, numbers.Integral)
    ways = {
        "int": whole,
        "float": number,
        "bool": isinstance(value, bool | np.bool_) or (whole and value in (0, 1)),
        "str": isinstance(value, str),
        "None": value is None,
        "callable": callable(value),
        "array": several or isinstance(value, np.ndarray) or hasattr(value, "__array__"),
        "list": several,
        "tuple of int": several or whole or isinstance(value, np.ndarray),
        "tuple of them": several and all(_is_of("str or callable", item) for item in value),
    }
    plain = value is None or number or isinstance(value, bool | str | bytes | tuple | list | dict | set | np.ndarray)
    plain = plain or isinstance(value, np.random.Generator)  # scikit-learn seeds with a RandomState
    named = ways["str"] and '"' in kind  # any name: those who use it know the known ones
    # A noun that is not among these stands for an object with a class of its own, such as RandomState.
    return named or any(ways.get(word, not plain) for word in filter(None, _WORDS.split(kind)) if word[0] != '"')


@dataclass_transform(kw_only_default=True, field_specifiers=(dataclasses.field,))
def estimator(cls: Class) -> Class:
    """Class decorator: `__init__` from the fields, and every parameter and fitted attribute described.

    Parameters are inserted before the docstring's first section. A line such as `{phi_, history_}` under "Attributes"
    stands for the shared descriptions of those attributes, which classes keep in `fitted_attributes`.
    """
    doc = cls.__doc__  # before `dataclass`, which would invent one
    made = dataclasses.dataclass(kw_only=True, eq=False, repr=False)(cls)
    made.__init__.__signature__ = _signature(made)
    made.__doc__ = None if doc is None else _described(made, inspect.cleandoc(doc))
    return made


def _signature(cls: type) -> inspect.Signature:
    """The parameters of `__init__` in the order of their groups, without annotations: what `help` shows first."""
    given = inspect.signature(cls.__init__).parameters
    fields = {field.name: GROUPS.index(_said_of(cls, field.name)["group"]) for field in dataclasses.fields(cls)}
    kinds = {name: given[name].kind is inspect.Parameter.KEYWORD_ONLY for name in fields}
    order = sorted(fields, key=lambda name: (kinds[name], fields[name]))
    plain = [given[name].replace(annotation=inspect.Parameter.empty) for name in ("self", *order)]
    return inspect.Signature(plain)


def _described(cls: type, doc: str) -> str:
    attributes = {name: said for base in reversed(cls.__mro__) for name, said in _own_attributes(base).items()}
    doc = _FITTED.sub(
        lambda match: "\n".join(_entry(name, *attributes[name]) for name in match["names"].split(", ")), doc
    )
    first = re.search(r"^(?=\S.*\n-{3,}$)", doc, re.MULTILINE)
    place = len(doc) if first is None else first.start()
    return f"{doc[:place].rstrip()}\n\n{_parameters(cls)}\n\n{doc[place:]}".rstrip() + "\n"


def _own_attributes(cls: type) -> dict[str, tuple[str, str]]:
    return vars(cls).get("fitted_attributes", {})


def _parameters(cls: type) -> str:
    """The section on parameters, group by group."""
    groups: dict[str, list[str]] = {group: [] for group in GROUPS}
    for field in dataclasses.fields(cls):
        said = _said_of(cls, field.name)
        shown = f"{said['kind']}, default={field.default!r}"
        groups[said["group"]].append(_entry(field.name, shown, said["text"]))
    parts = [f"**{group}**\n\n" + "\n".join(entries) for group, entries in groups.items() if entries]
    return "Parameters\n----------\n" + "\n\n".join(parts)


def _said_of(cls: type, name: str) -> Any:
    """The description of a field: its own or, where a subclass only changed the default, that of a parent."""
    for base in cls.__mro__:
        field = vars(base).get("__dataclass_fields__", {}).get(name)
        if field is not None and field.metadata:
            return field.metadata
    raise TypeError(f"{cls.__name__}.{name} has no description; declare it with `parameter(...)`.")


def _entry(name: str, kind: str, text: str) -> str:
    return f"{name} : {kind}\n" + textwrap.fill(text, _WIDTH, initial_indent="    ", subsequent_indent="    ")
