"""The page about defaults shows those that the code has."""

import ast
import inspect
import re

import pytest

from tests.docs.pages import ROOT
from unabases import LUNA, NeuralLinear

PAGE = (ROOT / "docs" / "defaults.md").read_text(encoding="utf-8")
LUNA_ONLY, SHARED = PAGE.split("## What both neural models share")


def shown(text):
    """Values by parameter in the tables of a text; a row may hold several of both."""
    values = {}
    for names, cell in re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| ([^|]+) \|", text, re.MULTILINE):
        parameters = re.findall(r"`(\w+)`", names)
        value = ast.literal_eval(cell.replace("`", ""))
        values |= dict(zip(parameters, value if len(parameters) > 1 else (value,), strict=True))
    return values


@pytest.mark.parametrize(
    ("estimator", "text", "some"),
    [(LUNA, LUNA_ONLY, "lam"), (LUNA, SHARED, "alpha"), (NeuralLinear, SHARED, "alpha")],
    ids=["luna", "shared-luna", "shared-neural-linear"],
)
def test_the_page_shows_the_defaults(estimator, text, some):
    defaults = {name: parameter.default for name, parameter in inspect.signature(estimator).parameters.items()}
    page = shown(text)
    assert some in page
    assert page == {name: defaults[name] for name in page}


def test_the_page_shows_the_penalty_of_the_ordinary_model():
    assert f"`gamma={inspect.signature(NeuralLinear).parameters['gamma'].default:g}`" in PAGE
