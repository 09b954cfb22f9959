"""Chunks of rows teach a model what the rows together would."""

import numpy as np
import pandas as pd
import pytest

from unabases import LUNA, UNA
from unabases.datasets import chunks_of
from unabases.regressors.networks.exact_layer import add_statistics
from unabases.regressors.networks.streamed import SAMPLE

SMALL = {
    UNA: {"hidden_layer_sizes": (10, 10), "n_heads": 2, "n_folds": 2, "n_slabs": 1, "max_steps": 100},
    LUNA: {"hidden_layer_sizes": (10, 10), "n_heads": 2, "sigma2": 0.01, "max_steps": 100},
}
TEST = np.linspace(-1.5, 1.5, 30)[:, None]


def make(kind, **settings):
    return kind(**{**SMALL[kind], "random_state": 0, **settings})


def rows(n=1000, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, 1))
    return X, np.sin(3 * X[:, 0]) + 0.1 * rng.standard_normal(n)


@pytest.fixture(scope="module", params=[UNA, LUNA], ids=lambda kind: kind.__name__)
def streamed(request):
    return make(request.param).fit_stream(chunks_of(*rows(), rows=300), sample_rows=200)


def same(d, other, tolerance=1e-6):
    for name in ("mean", "epistemic_std", "noise_std"):
        np.testing.assert_allclose(getattr(d, name), getattr(other, name), rtol=tolerance, atol=tolerance)


def test_the_last_layers_learn_from_all_rows(streamed):
    """The oracle is `refit`, which is given all rows at once."""
    d = streamed.predict_dist(TEST)
    layers = streamed.layers_ if isinstance(streamed, UNA) else [streamed.layer_]
    assert {layer.statistics.n for layer in layers} == {1000.0}
    same(d, streamed.refit(*rows()).predict_dist(TEST))


@pytest.mark.parametrize("kind", [UNA, LUNA])
def test_few_rows_in_chunks_are_fitted_as_by_fit(kind):
    X, y = rows(200)
    chunks = ((X[i : i + 60], y[i : i + 60]) for i in range(0, 200, 60))
    given, whole = make(kind).fit_stream(chunks), make(kind).fit(X, y)
    assert np.array_equal(given.predict(TEST), whole.predict(TEST))


def test_statistics_of_parts_add_up_to_those_of_the_whole(streamed):
    X, y = rows(64, seed=1)
    halves = add_statistics(streamed.statistics_of(X[:32], y[:32]), streamed.statistics_of(X[32:], y[32:]))
    for half, whole in zip(halves, streamed.statistics_of(X, y), strict=True):
        np.testing.assert_allclose(half.G, whole.G, rtol=1e-6, atol=1e-6)
        assert half.n == whole.n


def test_a_row_of_weight_w_is_the_row_w_times(streamed):
    X, y = rows(64, seed=2)
    weight = np.arange(64) % 4
    counted = np.repeat(np.arange(64), weight)
    for mine, other in zip(
        streamed.statistics_of(X, y, weight), streamed.statistics_of(X[counted], y[counted]), strict=True
    ):
        np.testing.assert_allclose(mine.G, other.G, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(mine.b, other.b, rtol=1e-6, atol=1e-6)
        assert mine.n == other.n == weight.sum()


def test_chunks_with_weights_are_learned_from(tmp_path):
    """The oracle is `refit`, which is given all rows and weights at once; a stop in between changes nothing."""
    X, y = rows()
    weight = np.arange(1000) % 3 + 1.0
    chunks = chunks_of(X, y, weight=weight, rows=300)
    model = make(LUNA).fit_stream(chunks, sample_rows=200)
    d = model.predict_dist(TEST)
    assert model.rows_seen == weight.sum()
    same(d, model.refit(X, y, weight).predict_dist(TEST))
    model.refit_stream([(X[:600], y[:600], weight[:600])])
    same(d, model.refit_stream(chunks, resume=True).predict_dist(TEST))


def test_few_rows_with_weights_are_fitted_as_by_fit():
    X, y = rows(200)
    weight = np.arange(200) % 3
    given = make(LUNA).fit_stream([(X[:90], y[:90], weight[:90]), (X[90:], y[90:], weight[90:])])
    assert np.array_equal(given.predict(TEST), make(LUNA).fit(X, y, weight).predict(TEST))


def test_either_all_chunks_have_weights_or_none():
    X, y = rows(200)
    with pytest.raises(ValueError, match="some chunks have weights"):
        make(LUNA).fit_stream([(X[:90], y[:90], np.ones(90)), (X[90:], y[90:])])


def test_what_occurs_in_one_row_of_many_is_known():
    X, y = rows()
    frame = pd.DataFrame({"x": X[:, 0], "kind": "usual", "y": y})
    frame.loc[777, "kind"], frame.loc[555, "x"] = "rare", np.nan
    model = make(LUNA).fit_stream(chunks_of(frame, "y", rows=300), sample_rows=200)
    assert model.encoder_.columns == ("x", "x=missing", "kind=rare", "kind=usual")
    assert model.layer_.statistics.n == 1000
    assert np.isfinite(model.predict(frame.loc[[555, 777], ["x", "kind"]])).all()


def test_a_large_sample_trains_in_batches_and_the_parameter_stays(monkeypatch):
    monkeypatch.setattr("unabases.training.recipe.AUTO_ROWS", 100)
    monkeypatch.setattr("unabases.training.recipe.AUTO_BATCH", 64)
    model = make(LUNA).fit_stream(chunks_of(*rows(200)))
    assert model.batch_size == "auto"
    batched = make(LUNA, batch_size=64).fit(*rows(200))
    assert np.array_equal(model.predict(TEST), batched.predict(TEST))


def test_no_chunks_are_refused():
    with pytest.raises(ValueError, match="no rows"):
        make(LUNA).fit_stream([])


def test_progress_counts_the_rows_of_both_passes(capsys):
    make(LUNA, verbose=True).fit_stream(chunks_of(*rows(), rows=300), sample_rows=200)
    shown = capsys.readouterr().err
    assert shown.count("1000/1000") >= 2
    assert "last layers" in shown


@pytest.mark.parametrize(("layer_rows", "seen"), [(150, 150), (None, 1000), (300, 1000)])
def test_a_second_pass_is_spared_if_the_sample_is_enough(layer_rows, seen):
    """A sample of 200 rows serves last layers that want 150 each, but neither all rows nor 300."""
    model = make(UNA, layer_rows=layer_rows).fit_stream(chunks_of(*rows(), rows=300), sample_rows=200)
    assert model.rows_seen == seen


def test_the_sample_has_as_many_rows_as_last_layers_want():
    assert make(UNA)._sample_size(None) == make(LUNA)._sample_size(None) == SAMPLE
    assert make(UNA, layer_rows=10**6)._sample_size(None) == 10**6
