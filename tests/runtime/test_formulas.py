import numpy as np
import pytest

from unabases.predictive import Normal, StudentT, Transformed
from unabases.predictive.curve import Curve
from unabases.regressors.committee.variances import widened as widened_in_training
from unabases.regressors.committee.varying_noise import NoisePattern
from unabases.regressors.processes.smooth_kernel import SmoothKernel, kernel_features
from unabases.regressors.wrappers.gap_scale import GapScale
from unabases.runtime.formulas import Columns, GapWidth, Kernel, Moments, Pattern, Shape, curved_moments, widened

RNG = np.random.default_rng(0)
Z = 2 * RNG.normal(size=(30, 2))


@pytest.mark.parametrize(("parts", "shares"), [(None, np.ones((1, 2))), ((1, 0), np.eye(2)[::-1])])
def test_kernel_features_are_those_of_training(parts, shares):
    smooth = SmoothKernel(1.3, 0.2, 0.1, np.array([0.5, 2.0]), parts)
    known = kernel_features(smooth, RNG.normal(size=(12, 2)))
    kernel = Kernel(1.3, 0.2, smooth.lengths, known.centres, np.linalg.inv(known.factor).T, shares)
    features, lacking = kernel(Z)
    np.testing.assert_allclose(features, known(Z), rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(lacking[:, 0], known.missing(Z), rtol=1e-7, atol=1e-9)


def test_a_pattern_of_noise_is_that_of_training():
    numbers = (RNG.normal(size=4), -np.ones(2), np.ones(2), RNG.normal(size=4), np.ones(4) / 2, 0.3, 1.7)
    np.testing.assert_allclose(Pattern(*numbers)(Z)[:, 0], NoisePattern(*numbers)(Z), rtol=1e-12)


def test_variances_widen_as_in_training():
    variance = np.geomspace(1e-4, 10, 20)
    np.testing.assert_allclose(widened(variance, 0.1, 30.0), widened_in_training(variance, 0.1, 30.0), rtol=1e-12)


def test_the_width_found_in_gaps_is_applied_as_it_was_found():
    scale = GapScale(np.array([3.0]), np.array([0.5]), np.array([0.04]))
    prediction = Normal(np.zeros(3), np.array([0.1, 0.2, 0.5]), 0.3)
    wider, louder = GapWidth(*scale).factors(prediction.epistemic_std, 0)
    known = scale.apply(prediction)
    np.testing.assert_allclose(prediction.epistemic_std * wider, known.epistemic_std, rtol=1e-12)
    np.testing.assert_allclose(prediction.noise_std * louder, known.noise_std, rtol=1e-12)


@pytest.mark.parametrize("df", [None, 3.0])
@pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 1.5, 2.0])
def test_moments_on_a_curve_are_those_of_the_prediction(power, df):
    curve = Curve(*(np.array([value]) for value in (power, 5.0, 2.0, -3.0, 4.0)))
    mean, epistemic, noise = np.linspace(-6, 8, 7), np.geomspace(0.01, 2, 7), np.geomspace(1, 0.01, 7)
    base = Normal(mean, epistemic, noise) if df is None else StudentT(mean, epistemic, noise, df)
    known = Transformed(base, curve)
    found = curved_moments(Moments(*(part[:, None] for part in (mean, epistemic, noise))), curve, 0, Shape(df))
    for name, values in found._asdict().items():
        np.testing.assert_allclose(values[:, 0], getattr(known, name), rtol=1e-8, atol=1e-10, err_msg=name)


def test_missing_numbers_are_filled_in_and_counted():
    # one column of a number with its mark, and one with two levels of which the second is `missing`
    owned = np.array([[1.0, 1, 0, 0], [0, 0, 1, 1]])
    marks = np.array([[0.0, 0], [1, 0], [0, 0], [0, 1]])
    columns = Columns(np.eye(4), owned.T, marks, owned, np.array([7.0, 1, 0, 1]))
    X = np.array([[3.0, 0, 1, 0], [np.nan, 0, 1, 0], [3.0, 0, np.nan, np.nan], [3.0, 1, 0, 1], [np.nan, 1, 0, 0]])
    read, absent = columns.read(X)
    assert absent.tolist() == [[0, 0], [1, 0], [0, 1], [1, 1], [1, 0]]
    assert read.tolist() == [[3, 0, 1, 0], [7, 1, 1, 0], [3, 0, 0, 1], [7, 1, 0, 1], [7, 1, 0, 0]]
