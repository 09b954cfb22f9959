"""What a missing value adds to the noise of a row."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm

from unabases.predictive import Mixture, Normal, Transformed
from unabases.predictive.curve import fit_curve
from unabases.regressors.shared.missing_noise import MissingNoise, noise_arrays, noise_from
from unabases.regressors.shared.saved_state import SavedState, StateError

NOISE = MissingNoise(np.array([0.25]), np.array([[3.0], [5.0]]))
ABSENT = np.array([[False, False], [True, True]])


@pytest.mark.parametrize("d", [Normal([0.0, 1.0], [1.0, 1.0], 2.0), Mixture([[0.0, 1.0], [2.0, 1.0]], 2.0)])
def test_widening_adds_variances_and_leaves_the_rest(d):
    wide = NOISE.widen(d, ABSENT)
    assert_allclose(wide.noise_std**2, [1.0, 9.0])
    assert_array_equal(wide.mean, d.mean)
    assert_array_equal(wide.epistemic_std, d.epistemic_std)
    if isinstance(d, Normal):
        assert_allclose(wide.log_prob([0.0, 1.0]), norm.logpdf(0, scale=np.sqrt([2.0, 10.0])))


def test_on_a_curved_scale_variances_add_up_there():
    curve = fit_curve(np.array([[2.0], [5e5]]), 0.0, ratio=True)
    d = Transformed(Normal([0.5, 0.5], [1.0, 1.0], 2.0), curve)
    wide = NOISE.widen(d, ABSENT)
    assert_allclose(wide.base.noise_std**2, [1.0, 9.0])
    assert_allclose(wide.quantile(0.5), d.quantile(0.5))


@pytest.mark.parametrize("curve", [{}, {"curve.power": np.zeros(1)}])
def test_reading_gives_what_was_named(curve):
    saved = SavedState(noise_arrays(NOISE) | curve, {}, p=1)
    for read, written in zip(noise_from(saved, 2), NOISE, strict=True):
        assert_array_equal(read, written)
    assert noise_from(SavedState({}, {}, p=1), 2) is None


def test_early_files_are_read_unless_their_noise_is_wrong():
    early = {"missing.share": NOISE.share, "missing.extra": NOISE.extra}
    assert_array_equal(noise_from(SavedState(early, {}, p=1), 2).extra, NOISE.extra)
    with pytest.raises(StateError, match=r"early version, which got it wrong .* fit the model again"):
        noise_from(SavedState(early | {"curve.power": np.zeros(1)}, {}, p=1), 2)
