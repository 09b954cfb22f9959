import numpy as np

from unabases import NeuralLinear
from unabases.saving.partial import PartialFit


def test_a_stopped_fit_is_found_by_the_same_fit_alone(tmp_path):
    X = np.linspace(-1, 1, 20)[:, None]
    model = NeuralLinear(max_steps=10, sigma2=0.01, random_state=0).fit(X, X[:, 0])
    out = tmp_path / "m.una"
    PartialFit(out, "table", {"seed": 0}).keep(model)
    assert PartialFit(out, "table", {"seed": 1}).load() is None
    found = PartialFit(out, "table", {"seed": 0})
    assert np.array_equal(found.load().predict(X), model.predict(X))
    found.remove()
    found.remove()  # nothing to do
    assert found.load() is None
    assert list(tmp_path.iterdir()) == []
