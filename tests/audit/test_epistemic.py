import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.audit.conftest import REGRESSOR
from unabases import GaussianProcess, NeuralLinear, audit
from unabases.audit import AuditSettings, Reference, leave_one_out_std
from unabases.predictive import Normal


@pytest.fixture(scope="module")
def trained():
    """A neural linear model of the first 60 of 400 rows."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    y = np.sin(X[:, 0]) + 0.3 * rng.normal(size=400)
    model = NeuralLinear(
        hidden_layer_sizes=(20, 20), max_steps=100, sigma2=0.09, prior_variance=1.0, random_state=0
    ).fit(X[:60], y[:60])
    return model, X, y


class TestSeenRows:
    """Rows that were trained on are more certain than fresh ones, and leaving each out corrects for it."""

    def test_leaving_a_row_out_is_forgetting_it(self, trained):
        model, X, y = trained
        state = model.get_state()
        expected = []
        for i in (0, 7, 31):
            model.forget(X[i : i + 1], y[i : i + 1])
            expected.append(model.predict_dist(X[i : i + 1]).epistemic_std[0])
            model.set_state(*state)
        assert_allclose(leave_one_out_std(model, X[[0, 7, 31]]), expected, rtol=1e-6)

    def test_seen_rows_look_too_familiar_and_left_out_ones_do_not(self, trained):
        model, X, _ = trained
        seen, fresh = (model.predict_dist(part).epistemic_std.mean() for part in (X[:60], X[60:]))
        corrected = leave_one_out_std(model, X[:60]).mean()
        assert seen < 0.93 * fresh
        assert abs(np.log(corrected / fresh)) < 0.6 * abs(np.log(seen / fresh))  # the features still saw the rows

    def test_training_rows_can_be_the_reference(self, trained):
        model, X, _ = trained
        result = audit(
            model, X[60:], reference=Reference(X[:60], trained_on=True), settings=AuditSettings(n_permutations=200)
        )
        assert result.overall["p"] > 0.05
        assert (
            audit(
                model,
                X[60:] + 3.0,
                reference=Reference(X[:60], trained_on=True),
                settings=AuditSettings(n_permutations=200),
            ).overall["p"]
            < 0.05
        )

    def test_other_models_and_other_rows_are_refused(self, trained):
        model, X, y = trained
        with pytest.raises(TypeError, match="GaussianProcess has no Bayesian last layer"):
            leave_one_out_std(GaussianProcess(**REGRESSOR).fit(X[:30], y[:30]), X[:30])
        with pytest.raises(ValueError, match="the model was not trained on them"):
            leave_one_out_std(model, 100 * X[:3])


class Certain:
    """A model that is never unsure, as one of a constant may be."""

    def predict_dist(self, X):
        return Normal(np.full(len(X), 40.0), np.zeros(len(X)), 1.0)


def test_a_model_that_is_certain_of_all_reference_rows_is_refused_with_advice():
    X = np.zeros((5, 1))
    with pytest.raises(ValueError, match="certain of all 5 reference rows: their epistemic std is 0"):
        audit(Certain(), X, {"site": ["A"] * 5}, reference=X)
