import numpy as np

from unabases import NeuralLinear
from unabases.saving.partial import PartialFit


def test_a_stopped_fit_is_found_by_the_same_fit_alone(tmp_path):
    X = np.linspace(-1, 1, 20)[:, None]
    model = NeuralLinear(max_steps=10, sigma2=0.01, random_state=0).fit(X, X[:, 0])
    out, table = tmp_path / "m.una", tmp_path / "t.csv"
    table.write_text("x,y")
    PartialFit(out, table, {"seed": 0}).keep(model)
    assert PartialFit(out, table, {"seed": 1}).load() is None
    found = PartialFit(out, table, {"seed": 0})
    assert np.array_equal(found.load().predict(X), model.predict(X))
    found.remove()
    found.remove()  # nothing to do
    assert found.load() is None
    assert list(tmp_path.iterdir()) == [table]


def test_a_table_that_has_changed_starts_afresh(tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("x,y")
    before = PartialFit(tmp_path / "m.una", table).path
    table.write_text("x,y\n1,2")
    assert PartialFit(tmp_path / "m.una", table).path != before
