"""The scripts in examples/ run, here with few steps, rows and members, and print what they should."""

import re

import pytest

from tests.docs.pages import ROOT

EXAMPLES = ROOT / "examples"
PRINTS = {
    "first_fit": r"x = \+0: mean .* epistemic std",
    "own_table": r"interval_coverage(.|\n)*coal(.|\n)*homes.una",
    "table_in_a_search": r"chosen: .*regressor__prior_variance(.|\n)*area missing",
    "deploy_without_jax": r"JAX imported: False(.|\n)*ONNX: largest relative difference \de-(0[6-9]|1)",
    "audit": r"gender +female(.|\n)*at most 10 % are deferred(.|\n)*female +\d+%",
    "bayesian_optimisation": r"best: .* % wrong",
    "botorch_batch": r"12 evaluations: regret [\d.]+\n(Thompson: x1 = .*\n){4}",
    "ax_study": r"6 trials in Ax: regret [\d.]+",
    "custom_features": r"default network: .*\nadditive: in the corner, RMSE",
    "uncertainty_plot": r"the picture is in uncertainty_plot.png",
    "check_uncertainty": r"of 133 outcomes, \d+% fell inside their 90 % interval",
    "gap_and_tail": r"in the gap +RMSE(.|\n)*in the tails RMSE",
    "choose_model": r"UNA +\d(.|\n)*GaussianProcess(.|\n)*always the mean: RMSE",
    "weights": r"all rows alike: RMSE [\d.]+(.|\n)*by their noise: RMSE",
    "streaming_updates": r"epistemic std in week 9: [\d.]+, in week 10",
    "many_rows": r"100,000 rows seen",
    "convolution": r"digits as in training: RMSE(.|\n)*the digit 8: RMSE",
    "own_term": r"without the term: error(.|\n)*with it: error",
    "optuna_study": r"RMSE [\d.]+ with scikit-learn's defaults, [\d.]+ with",
    "pipeline_search_calibration": r"chosen: .*columns__k(.|\n)*as fitted(.|\n)*by 200 rows(.|\n)*calibrated: RMSE",
    "active_learning": r"least sure: RMSE .* with 10 labels(.|\n)*random: RMSE",
    "image_features": r"120 images, 144 features each(.|\n)*in negative: RMSE",
    "gpu": r"cpu: .*\n(.|\n)*cpu: eight networks of width 128: [\d.]+ s",
    "cluster": r"40,000 rows in 8 partitions, RMSE",
}
NEEDS = {"ax_study": "ax", "botorch_batch": "botorch", "cluster": "distributed", "image_features": "onnxruntime"}
SMALL = {"EVALUATIONS": "7", "STEPS": "60", "WEEKS": "12", "FOLDS": "2", "ROUNDS": "1", "IMAGES": "60"}
FEW_ROWS = {"many_rows": "100_000", "cluster": "40_000"}


@pytest.mark.parametrize("name", PRINTS)
def test_an_example_runs(name, tmp_path, monkeypatch, capsys):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    path = EXAMPLES / f"{name}.py"
    code = path.read_text(encoding="utf-8")
    for constant, value in {**SMALL, "ROWS": FEW_ROWS.get(name, "")}.items():
        code = re.sub(rf"^{constant} = [\d_]+$", f"{constant} = {value}", code, flags=re.MULTILINE)
    steps = "" if "max_steps=" in code else "max_steps=60, "
    code = re.sub(r"\bUNA\((?=\w)", f"UNA(n_folds=2, n_slabs=0, {steps}", code)
    exec(compile(code, str(path), "exec"), {"__name__": "__main__"})
    assert re.search(PRINTS[name], capsys.readouterr().out)


def test_every_example_is_tested_and_listed():
    scripts = {path.stem for path in EXAMPLES.glob("*.py")}
    assert scripts == set(PRINTS)
    assert scripts == set(re.findall(r"\((\w+)\.py\)", (EXAMPLES / "README.md").read_text(encoding="utf-8")))
