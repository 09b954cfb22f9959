"""SHAP explains predictions and, with the same lines, their uncertainty."""

import numpy as np
import pytest

from tests.ecosystem.rows import X, quick_model, y

shap = pytest.importorskip("shap")


@pytest.mark.parametrize("part", ["mean", "epistemic_std"])
def test_explanations_add_up_to_what_is_explained(part):
    model = quick_model().fit(X[:80], y[:80])
    explained = shap.Explainer(lambda rows: getattr(model.predict_dist(rows), part), X[:20])(X[80:84])
    total = explained.base_values + explained.values.sum(axis=1)
    np.testing.assert_allclose(total, getattr(model.predict_dist(X[80:84]), part), atol=1e-6)
    if part == "mean":
        assert np.abs(explained.values[:, 0]).mean() > 10 * np.abs(explained.values[:, 1]).mean()
