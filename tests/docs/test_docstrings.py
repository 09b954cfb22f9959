"""Examples in docstrings run, and what is public is described."""

import doctest
import importlib
import pkgutil

import pytest

import unabases
from tests.docs.pages import LastDigitChecker

MODULES = sorted(info.name for info in pkgutil.walk_packages(unabases.__path__, "unabases."))
EXAMPLES = [
    (name, test)
    for name in MODULES
    for test in doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(name))
    if test.examples
]


@pytest.mark.parametrize(("module", "test"), EXAMPLES, ids=[test.name for _, test in EXAMPLES])
def test_an_example_runs(module, test):
    report: list[str] = []
    runner = doctest.DocTestRunner(checker=LastDigitChecker(), verbose=False)
    assert runner.run(test, out=report.append).failed == 0, "".join(report)


def test_examples_were_found():
    assert {name for name, _ in EXAMPLES} >= {"unabases.linear.posterior", "unabases.regressors.luna"}


@pytest.mark.parametrize("name", MODULES)
def test_a_module_says_what_it_is(name):
    assert importlib.import_module(name).__doc__


@pytest.mark.parametrize("name", [name for name in unabases.__all__ if not name.startswith("__")])
def test_a_public_name_is_described(name):
    thing = getattr(unabases, name)
    assert thing.__doc__
    assert thing.__doc__.strip()
    for method in vars(thing) if isinstance(thing, type) else ():
        if not method.startswith("_") and callable(getattr(thing, method)):
            assert getattr(thing, method).__doc__, method
