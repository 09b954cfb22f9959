"""`unabases predict`, as a user types it."""

import json

import numpy as np
import pandas as pd

from tests.cli.conftest import RUN, run
from unabases import NeuralLinear, save
from unabases.cli.main import app


def test_predict_writes_a_line_for_each_row(place):
    said = run("predict", place / "m.una", place / "new.csv", "--out", place / "p.csv", "--keep", "region")
    table = pd.read_csv(place / "p.csv")
    columns = ["row", "region", "mean", "epistemic_std", "noise_std", "lower", "upper", "defer"]
    assert table.columns.tolist() == columns
    assert (table["defer"][:40] == "yes").mean() > 0.9
    assert (table["defer"][40:] == "yes").mean() < 0.3
    assert "at most 10 % are deferred" in said
    assert "120 rows" in said


def test_predict_for_programs(place):
    given = ["predict", place / "m.una", place / "new.csv", "--out", place / "for-programs.csv", "--json"]
    done = json.loads(RUN.invoke(app, list(map(str, given))).stdout)
    assert done["rows"] == 120
    assert done["deferred"] == (pd.read_csv(place / "for-programs.csv")["defer"] == "yes").sum()
    assert done["statement"] == "of rows like the training data at most 10 % are deferred"


def test_predict_can_bound_the_error(place):
    said = run("predict", place / "m.una", place / "new.csv", "--out", place / "q.csv", "--max-error", "40")
    assert "mean absolute error" in said


def test_a_model_without_its_table_is_told_how_to_make_one(place, tmp_path):
    X = np.linspace(0, 1, 20)[:, None]
    save(NeuralLinear(hidden_layer_sizes=(4,), max_steps=10, sigma2=0.1).fit(X, X[:, 0]), tmp_path / "bare.una")
    said = run("predict", tmp_path / "bare.una", place / "new.csv", code=1)
    assert "holds a NeuralLinear without the table" in " ".join(said.split())
