"""Every Python block of the README and the pages runs, and prints what the page says."""

import doctest
import re
import sys
import types

import pytest

from tests.docs.pages import ROOT, LastDigitChecker, blocks, pages

YOURS = "src/unabases/paper/catalogue/interval_width.py"  # that readers of docs/extending/experiment.md write


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_the_code_on_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    module = types.ModuleType("page_" + re.sub(r"\W", "_", page.stem))  # importable, so that its classes pickle
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for block in blocks(page.read_text(encoding="utf-8")):
        if ">>>" not in block.code:
            exec(compile("\n" * block.line + block.code, str(page), "exec"), module.__dict__)
            continue
        test = doctest.DocTestParser().get_doctest(block.code, {}, page.name, str(page), block.line)
        test.globs = module.__dict__
        report: list[str] = []
        runner = doctest.DocTestRunner(checker=LastDigitChecker(), verbose=False)
        assert runner.run(test, out=report.append, clear_globs=False).failed == 0, "".join(report)


@pytest.mark.parametrize(
    "page",
    [*pages(), ROOT / "CONTRIBUTING.md", ROOT / "examples/README.md"],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_links_between_pages_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"(?<!!)\[[^]]*\]\(([^)]+)\)", text):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        linked = (page.parent / path).resolve() if path else page
        assert linked.is_file(), target
        assert not anchor or anchor in _anchors(linked.read_text(encoding="utf-8")), target


@pytest.mark.parametrize(
    "page", [*pages(), ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"], ids=lambda page: str(page.relative_to(ROOT))
)
def test_the_modules_that_a_page_names_exist(page):
    named = set(re.findall(r"`((?:\w+/)+\w+\.py)\b", page.read_text(encoding="utf-8"))) - {YOURS}
    homes = (ROOT, ROOT / "src", ROOT / "src" / "unabases")
    assert [name for name in named if not any((home / name).is_file() for home in homes)] == []


def test_every_line_about_another_library_names_tests_that_exist():
    text = (ROOT / "docs" / "ecosystem.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\| (?!library|---).* \| (.+) \|$", text, re.MULTILINE)
    assert len(lines) > 20
    for tests in lines:
        named = re.findall(r"`((?:tests/|test_)[\w/.]+)`", tests)
        assert named, tests
        for name in named:
            assert (ROOT / ("" if "/" in name else "tests/ecosystem") / name).exists(), name


def _anchors(text: str) -> set[str]:
    """Anchors that GitHub makes of the headings."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(
    ("want", "got", "same"),
    [
        ("0.8", "0.7", True),
        ("0.8", "0.6", False),
        ("[0.8 0.3]", "[0.7  0.3]", True),
        ("403 %", "404 %", False),
        ("1.25", "1.3", False),
        ("True", "False", False),
        ("a 0.1", "b 0.1", False),
    ],
)
def test_numbers_may_differ_in_the_last_digit(want, got, same):
    assert LastDigitChecker().check_output(want + "\n", got + "\n", 0) is same
