"""The command line, as a user types it."""

import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import unabases
from unabases.cli.main import app
from unabases.paper import comparison, fan, run_demo
from unabases.paper.methods import GP, LUNA, NLM_MAP, UNA
from unabases.paper.report.figures import demo_figure
from unabases.paper.store import ResultStore

RUN = CliRunner()


@pytest.fixture
def few_steps(monkeypatch):
    """Comparisons train for a hundred steps."""
    whole = comparison.comparison_experiment
    monkeypatch.setattr(comparison, "comparison_experiment", lambda *given: whole(*given, max_steps=100))
    fit_fan = fan.fit_fan
    monkeypatch.setattr(fan, "fit_fan", lambda seed: fit_fan(seed, n_seeds=1, n_functions=2, max_steps=100))


def test_version():
    result = RUN.invoke(app, ["version"])
    assert result.exit_code == 0
    assert result.stdout.strip() == unabases.__version__


@pytest.mark.parametrize(
    "command", ["", "fit", "predict", "audit", "explain", "embed", "doctor", "demo", "compare", "report", "reproduce"]
)
def test_help_asks_for_no_value_after_a_flag(command):
    result = RUN.invoke(app, [*command.split(), "--help"])
    assert result.exit_code == 0
    of_typer = ("--help", "--install-completion", "--show-completion")
    ours = [line for line in result.output.splitlines() if not any(option in line for option in of_typer)]
    assert ours
    assert "bool" not in "".join(ours).lower()


def test_help_lists_the_commands_and_completion():
    result = RUN.invoke(app, ["--help"])
    assert result.exit_code == 0
    for word in ("demo", "doctor", "--install-completion"):
        assert word in result.stdout


def test_a_shell_completes_commands():
    asked = {"_UNABASES_COMPLETE": "complete_bash", "COMP_WORDS": "unabases d", "COMP_CWORD": "1"}
    result = RUN.invoke(app, [], env=asked, prog_name="unabases")
    assert set(result.stdout.split()) == {"data", "doctor", "demo"}


def test_demo_prints_a_table_and_writes_pictures(tmp_path, few_steps):
    result = RUN.invoke(app, ["demo", "--out", str(tmp_path / "new" / "place")])
    assert result.exit_code == 0, result.output
    for word in (NLM_MAP, LUNA, UNA, GP, "EURC"):
        assert word.split()[0] in result.output
    for picture in ("cubic-gap.png", "fan.png"):
        assert (tmp_path / "new" / "place" / picture).read_bytes().startswith(b"\x89PNG")


def test_a_terminal_shows_what_the_demo_is_doing_and_standard_output_does_not(tmp_path, few_steps, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    result = RUN.invoke(app, ["demo", "--out", str(tmp_path), "--json"])
    assert result.exit_code == 0, result.output
    assert "starting" in result.stderr
    assert "training UNA with other seeds" in result.stderr
    assert set(json.loads(result.stdout)) == {"scores", "pictures"}


def test_the_picture_has_a_panel_a_method_with_data_mean_and_bands():
    data, grid, results = run_demo(max_steps=100)
    figure = demo_figure(data, grid, results)
    assert [ax.get_title().splitlines()[0] for ax in figure.axes] == [NLM_MAP, LUNA, UNA, GP]
    for ax, result in zip(figure.axes, results, strict=True):
        labels = ax.get_legend_handles_labels()[1]
        assert {"training data", "mean", "epistemic ± 2 std", "total ± 2 std", "no data"} <= set(labels)
        mean = next(line for line in ax.lines if line.get_label() == "mean")
        assert np.array_equal(mean.get_ydata(), result.curve.mean)
        assert ax.get_ylim() == figure.axes[0].get_ylim()
    assert results[3].scores["EURC"] > 1


def test_compare_prints_a_table_and_writes_picture_and_rows(tmp_path, few_steps):
    store = tmp_path / "fits.sqlite"
    options = ["--seeds", "2", "--out", str(tmp_path / "new"), "--store", str(store)]
    told = json.loads(RUN.invoke(app, ["compare", *options, "--method", GP, "--json"]).stdout)
    assert [fit["method"] for fit in told["fits"]] == [GP, GP]
    RUN.invoke(app, ["compare", *options, "--method", GP, "--method", NLM_MAP])
    rows = pd.read_csv(tmp_path / "new" / "rows.csv")
    assert rows.groupby("method").size().to_dict() == {GP: 2, NLM_MAP: 2}
    assert np.allclose(rows["eurc"], rows["epistemic_gap"] / rows["epistemic_data"] - 1)
    assert (tmp_path / "new" / "cubic-gap-all.png").stat().st_size > 10_000
    assert (tmp_path / "new" / "table.md").read_text().count("\n") == 4
    assert len(ResultStore(store).rows("compare", "defaults")) == 4


def test_compare_refuses_names_it_does_not_know():
    result = RUN.invoke(app, ["compare", "--method", "oracle"])
    assert result.exit_code == 2
    assert "oracle" in result.output
    result = RUN.invoke(app, ["compare", "--settings", "magic"])
    assert result.exit_code == 2
    assert "magic" in result.output
