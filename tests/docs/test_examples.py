"""The scripts in examples/ run, here with few steps, and print what they should."""

import re

import pytest

from tests.docs.pages import ROOT

EXAMPLES = ROOT / "examples"
PRINTS = {
    "first_fit": r"x = \+0: mean .* epistemic std",
    "own_table": r"interval_coverage(.|\n)*coal(.|\n)*homes.una",
    "table_in_a_search": r"chosen: .*regressor__prior_variance(.|\n)*area missing",
    "deploy_without_jax": r"JAX imported: False(.|\n)*ONNX: largest relative difference \de-(0[6-9]|1)",
    "audit": r"gender +female",
    "bayesian_optimisation": r"best: .* % wrong",
    "custom_features": r"default network: .*\nadditive: in the corner, RMSE",
    "uncertainty_plot": r"the picture is in uncertainty.png",
}


@pytest.mark.parametrize("name", PRINTS)
def test_an_example_runs(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    path = EXAMPLES / f"{name}.py"
    cheap = re.sub(r"^EVALUATIONS = \d+$", "EVALUATIONS = 7", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    cheap = re.sub(r"^STEPS = \d+$", "STEPS = 200", cheap, flags=re.MULTILINE)
    exec(compile(cheap, str(path), "exec"), {"__name__": "__main__"})
    assert re.search(PRINTS[name], capsys.readouterr().out)


def test_every_example_is_tested_and_listed():
    scripts = {path.stem for path in EXAMPLES.glob("*.py")}
    assert scripts == set(PRINTS)
    assert scripts == set(re.findall(r"\((\w+)\.py\)", (EXAMPLES / "README.md").read_text(encoding="utf-8")))
