"""skpro wraps a regressor of this package, with its standard deviation, as one of its own."""

import numpy as np
import pandas as pd
import pytest

from tests.ecosystem.rows import X, quick_model, y

adapters = pytest.importorskip("skpro.regression.adapters.sklearn")


def test_its_normal_distribution_has_our_mean_and_std():
    table, target = pd.DataFrame(X, columns=["a", "b"]), pd.DataFrame({"y": y})
    wrapped = adapters.SklearnProbaReg(quick_model()).fit(table[:80], target[:80])
    mean, std = quick_model().fit(table[:80], y[:80]).predict(table[80:], return_std=True)
    theirs = wrapped.predict_proba(table[80:])
    np.testing.assert_allclose(theirs.mean().to_numpy()[:, 0], mean, rtol=1e-6)
    np.testing.assert_allclose(np.sqrt(theirs.var().to_numpy()[:, 0]), std, rtol=1e-6)
