"""The faces experiment, with made-up people where the file is absent."""

import numpy as np
import pytest

from unabases import GaussianProcess
from unabases.datasets import faces as source
from unabases.datasets.directory import DATA_DIR_VARIABLE
from unabases.datasets.faces import FACES_SETS, Faces
from unabases.metrics import auroc, epistemic, mae
from unabases.paper import faces
from unabases.paper.catalogue.faces import FACES
from unabases.paper.data import lacking, load_rows
from unabases.paper.report.figures.faces import draw_faces, faces_panels
from unabases.paper.results import Row
from unabases.paper.spec import expand


@pytest.fixture
def people(monkeypatch):
    """Two hundred people with their age as the first feature and gender as the second."""
    rng = np.random.default_rng(0)
    n = 200
    age, gender = rng.uniform(20, 60, n).astype(np.float32), (rng.random(n) < 0.6).astype(np.uint8)
    features = np.zeros((n, 256), dtype=np.float32)
    features[:, 0], features[:, 1] = age, 3 * gender
    nothing = np.zeros(n)
    made = Faces(features, age, gender, nothing.astype(np.uint16), nothing.astype(np.float16), "", "", "")
    monkeypatch.setattr(source, "load_faces", lambda directory=None: made)
    monkeypatch.setattr(source, "FACES_SETS", {"faces-men": 60, "faces-ages": 60})
    return made


def test_men_are_trained_on_and_women_are_the_gap(people):
    rows = load_rows("faces", "faces-men", 0)
    assert len(rows.y_train) == 60
    assert (rows.X_train[:, 1] == 3).all()
    assert (rows.X_test[:, 1] == 3).all()
    assert (rows.X_gap[:, 1] == 0).all()
    assert len(rows.y_train) + len(rows.y_test) + len(rows.y_gap) == 200
    assert len(set(rows.y_train) & set(rows.y_test)) == 0


def test_thirties_are_the_gap(people):
    rows = load_rows("faces", "faces-ages", 1)
    assert rows.y_gap.min() >= 30
    assert rows.y_gap.max() <= 40
    assert not ((rows.y_train >= 30) & (rows.y_train <= 40)).any()
    assert not np.array_equal(rows.y_train, load_rows("faces", "faces-ages", 2).y_train)


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
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["men, trained on", "other men", "women"]
    assert faces_panels([row], "faces-ages") == []


def test_ten_epochs_are_counted_in_batches():
    assert faces.steps_of(21_000) == 210
    assert faces.steps_of(1024, epochs=2) == 2


def test_the_experiment_expands_to_trials_of_the_papers_network():
    trials = [trial for batch in expand(FACES, "paper") for trial in batch]
    assert len(trials) == 2 * 5 * len(FACES.methods)
    assert {trial.settings["hidden_layer_sizes"] for trial in trials} == {(500,), (50,)}
    assert {trial.settings["batch_size"] for trial in trials} == {1024}


def test_an_unknown_data_set_is_refused():
    with pytest.raises(ValueError, match="known ones are faces-men, faces-ages"):
        load_rows("faces", "faces-cats", 0)


def test_the_real_faces_have_the_stated_numbers(data_directory):
    if not (data_directory / "faces" / "wiki_faces.npz").is_file():
        pytest.skip(f"needs real data: {data_directory} lacks faces/wiki_faces.npz")
    men, ages = (load_rows("faces", name, 0) for name in FACES_SETS)
    assert (len(men.y_train) + len(men.y_test), len(men.y_gap)) == (29_678, 9710)
    assert len(ages.y_train) + len(ages.y_test) + len(ages.y_gap) == 39_388


def test_without_the_file_the_reason_is_said(tmp_path, monkeypatch):
    monkeypatch.setenv(DATA_DIR_VARIABLE, str(tmp_path))
    assert "wiki_faces.npz is not there" in lacking("faces", "faces-men")
