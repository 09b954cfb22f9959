"""The faces experiment, with made-up people where the file is absent."""

import pytest

from unabases import GaussianProcess
from unabases.metrics import auroc, epistemic, mae
from unabases.paper import faces
from unabases.paper.data import load_rows
from unabases.paper.report.figures.faces import draw_faces, faces_panels
from unabases.paper.store import Row


def test_scores_are_those_of_the_metrics_relative_to_training(people):
    rows = load_rows("faces", "faces-men", 0)
    model = GaussianProcess(restarts=0, sigma2=1.0, standardize="common").fit(rows.X_train, rows.y_train)
    outcome = faces.faces_scores(None, rows, model)
    seen, like, unlike = (model.predict_dist(X) for X in (rows.X_train, rows.X_test, rows.X_gap))
    assert outcome.scores["mae_gap"] == pytest.approx(mae(unlike, rows.y_gap))
    assert outcome.scores["rise"] == pytest.approx(epistemic(like) / epistemic(seen) - 1)
    assert outcome.scores["rise_gap"] == pytest.approx(epistemic(unlike) / epistemic(seen) - 1)
    assert outcome.scores["auroc"] == pytest.approx(auroc(unlike, like))
    assert outcome.scores["auroc"] > 0.9  # women are elsewhere in the second feature
    assert outcome.curves["gap"][-1] == pytest.approx(unlike.epistemic_std.max())
    row = Row("faces", "faces-men", 0, "GP", 0, {}, "quick", "", outcome.scores, outcome.curves, 1.0, {})
    (panel,) = faces_panels([row], "faces-men")
    assert panel.relative["train"].mean() == pytest.approx(1, abs=0.05)
    from matplotlib.figure import Figure

    ax = draw_faces(Figure().subplots(), panel)
    assert [line.get_label() for line in ax.get_lines()] == ["men, trained on", "other men", "women"]
    assert faces_panels([row], "faces-ages") == []


def test_ten_epochs_are_counted_in_batches():
    assert faces.steps_of(21_000) == 210
    assert faces.steps_of(1024, epochs=2) == 2
