"""Tests mirror the source: src/unabases/a/b.py is tested in tests/a/test_b.py."""

from pathlib import Path

import pytest

from tests.docs.pages import ROOT

SOURCE, TESTS = ROOT / "src" / "unabases", ROOT / "tests"
NOT_YET: set[str] = set()  # modules without a test file of their own, such as "audit/rows.py"; may only shrink
MODULES = sorted(path.relative_to(SOURCE) for path in SOURCE.rglob("*.py") if path.name != "__init__.py")


def home_of(module: Path) -> Path:
    return TESTS / module.parent / f"test_{module.name.removeprefix('_')}"


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_a_module_has_its_own_test_file(module):
    missing = not home_of(module).is_file()
    assert missing == (module.as_posix() in NOT_YET), (
        f"{home_of(module).relative_to(ROOT)} is missing: add it"
        if missing
        else f"{module} has its test file now: take it off NOT_YET"
    )


def test_the_list_of_exceptions_names_modules():
    assert {module.as_posix() for module in MODULES} >= NOT_YET
