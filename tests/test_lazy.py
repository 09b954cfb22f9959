"""Starting costs little: heavy packages are imported when they are used, and no earlier."""

import importlib
import subprocess
import sys

import pytest

import unabases

HEAVY = (
    "jax",
    "sklearn",
    "pandas",
    "matplotlib",
    "optuna",
    "scipy",
    "numpy",
    "blackjax",
    "equinox",
    "optax",
    "pyarrow",
)
NOT_FOR_UNA = ("matplotlib", "optuna", "blackjax", "safetensors", "typer")  # scikit-learn itself imports pandas
LAZY = ("unabases", "unabases.regressors", "unabases.datasets", "unabases.saving")


def imported_by(code: str, names: tuple[str, ...]) -> list[str]:
    """Which of these modules a fresh Python has imported after running some code; what the code prints is ignored."""
    ask = f"{code}\nimport sys\nprint(*[name for name in {names!r} if name in sys.modules], sep='\\n', file=sys.stderr)"
    return subprocess.run([sys.executable, "-c", ask], check=True, capture_output=True, text=True).stderr.split()


def command(words: list[str]) -> str:
    return f"from typer.testing import CliRunner\nfrom unabases.cli.main import app\nCliRunner().invoke(app, {words})"


@pytest.mark.parametrize(
    "code",
    [
        "import unabases; dir(unabases); unabases.__version__",
        "import unabases.regressors, unabases.datasets",
        command(["--help"]),
        command(["--version"]),
        command(["fit", "--help"]),
        command(["fit", "table.csv", "--no-such-option"]),
        command(["no-such-command"]),
    ],
)
def test_nothing_heavy_is_imported_before_it_is_used(code):
    assert imported_by(code, HEAVY) == []


def test_the_recommended_regressor_imports_only_what_it_needs():
    found = imported_by("from unabases import UNA", (*NOT_FOR_UNA, "jax"))
    assert found == ["jax"]


@pytest.mark.parametrize("name", LAZY)
def test_every_public_name_is_there_and_listed(name):
    package = importlib.import_module(name)
    assert package.__all__ == sorted(set(package.__all__))
    assert set(package.__all__) <= set(dir(package))
    for public in package.__all__:
        assert getattr(package, public) is not None


def test_a_public_name_is_the_object_of_its_module():
    from unabases.regressors.una import UNA

    assert unabases.UNA is unabases.regressors.UNA is UNA


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """A lazy package with a function that has the name of its module."""
    home = tmp_path / "toylib"
    home.mkdir()
    (home / "__init__.py").write_text("from unabases.lazy import lazy_package\nlazy_package(__name__, __file__)\n")
    (home / "__init__.pyi").write_text("from toylib.audit import audit\n")
    (home / "audit.py").write_text("limit = 3\ndef audit():\n    return limit\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield "toylib"
    for name in [name for name in sys.modules if name.partition(".")[0] == "toylib"]:
        del sys.modules[name]


@pytest.mark.parametrize("first", ["toylib", "toylib.audit"])
def test_a_function_with_the_name_of_its_module_wins_however_that_was_imported(toy, first):
    importlib.import_module(first)
    assert sys.modules[toy].audit() == 3
    assert importlib.import_module("toylib.audit").limit == 3


def test_audit_is_the_function_although_its_package_was_imported():
    assert importlib.import_module("unabases.audit").AuditResult is unabases.AuditResult
    assert unabases.audit.__name__ == "audit"


def test_an_unknown_name_is_refused_as_everywhere_in_python():
    with pytest.raises(AttributeError, match=r"module 'unabases' has no attribute 'Luna'"):
        unabases.Luna  # noqa: B018
    with pytest.raises(ImportError, match="Luna"):
        from unabases import Luna  # noqa: F401
