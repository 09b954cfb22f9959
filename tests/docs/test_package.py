"""What is built and installed: one version everywhere, and every data file in the wheel."""

import re
import tomllib

from typer.testing import CliRunner

import unabases
from tests.docs.pages import ROOT
from unabases.cli.main import app

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGE = ROOT / "src" / "unabases"


def test_the_project_takes_its_version_from_the_package():
    assert "version" in SETTINGS["project"]["dynamic"]
    assert SETTINGS["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "unabases.__version__"}


def test_the_citation_and_the_changelog_name_the_same_version():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.+)$", citation, re.MULTILINE) == [unabases.__version__]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## ([\w.]+)", changes, re.MULTILINE)[0] == unabases.__version__


def test_the_version_is_an_option_and_a_command():
    for words in (["--version"], ["--version", "demo"], ["version"]):
        result = CliRunner().invoke(app, words)
        assert result.exit_code == 0
        assert result.stdout.strip() == unabases.__version__


def test_a_pattern_ships_every_data_file():
    patterns = SETTINGS["tool"]["setuptools"]["package-data"]["unabases"]
    shipped = {path for pattern in patterns for path in PACKAGE.glob(pattern)}
    files = {path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert {path for path in files if path.suffix != ".py"} <= shipped


def test_every_folder_with_code_is_a_package():
    assert all((path.parent / "__init__.py").is_file() for path in PACKAGE.rglob("*.py"))


def test_ci_runs_every_python_that_the_project_promises():
    classified = [text.split(" :: ")[-1] for text in SETTINGS["project"]["classifiers"] if "Python :: 3." in text]
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    matrix = re.search(r"python: \[(.+)\]", workflow)
    assert matrix is not None
    assert re.findall(r"[\d.]+", matrix.group(1)) == classified
    assert SETTINGS["project"]["requires-python"] == f">={classified[0]}"
