"""Student t predictions against SciPy's distribution."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import kstest, t

from unabases.predictive import Normal, StudentT


@pytest.fixture
def prediction():
    return StudentT(np.array([[1.0, -2.0], [0.5, 3.0]]), np.array([[0.3, 1.0], [2.0, 0.1]]), 0.4, [3.0, 8.0])


def of_scipy(prediction):
    return t(prediction.df, prediction.mean, prediction.std * np.sqrt((prediction.df - 2) / prediction.df))


def test_density_probability_and_quantiles_are_scipys(prediction):
    reference, y = of_scipy(prediction), np.array([[0.0, 9.0], [-30.0, 3.1]])
    assert_allclose(prediction.log_prob(y), reference.logpdf(y))
    assert_allclose(prediction.cdf(y), reference.cdf(y))
    assert_allclose(prediction.quantile([0.02, 0.7]), np.stack([reference.ppf(0.02), reference.ppf(0.7)]))
    assert_allclose(prediction.std, reference.std())
    assert_array_equal(prediction.quantile([0.0, 1.0])[:, 0, 0], [-np.inf, np.inf])


def test_with_many_degrees_of_freedom_it_is_normal():
    heavy, normal = StudentT([1.0], [0.3], 0.4, df=1e7), Normal([1.0], [0.3], 0.4)
    assert_allclose(heavy.log_prob([1.9]), normal.log_prob([1.9]), rtol=1e-5)
    assert_allclose(heavy.interval(0.9), normal.interval(0.9), rtol=1e-5)


def test_draws_of_y_are_t_and_draws_of_the_function_are_normal():
    prediction = StudentT([1.0, 1.0], [2.0, 2.0], 1.0, 3.0, root=[[2.0], [2.0]])
    y = prediction.sample(4000, random_state=0)
    assert kstest(y[:, 0], of_scipy(prediction[:1]).cdf).pvalue > 0.01
    f = prediction.sample(4000, random_state=0, noise=False)
    assert kstest(f[:, 0], "norm", (1.0, 2.0)).pvalue > 0.01
    assert_allclose(f[:, 0], f[:, 1])  # one function
    assert np.corrcoef(np.argsort(np.argsort(y, axis=0), axis=0).T)[0, 1] > 0.7


def test_wider_noise_and_some_rows_keep_the_tails(prediction):
    made = prediction.scaled(epistemic=4.0).with_noise(0.7)[1:]
    assert isinstance(made, StudentT)
    assert_array_equal(made.df, prediction.df)
    assert_allclose(made.epistemic_std, 2 * prediction.epistemic_std[1:])
    assert_allclose(made.noise_std, 0.7)


def test_a_point_mass_stays_one():
    certain = StudentT([2.0], [0.0], 0.0, 4.0)
    assert_array_equal(certain.quantile(0.9), [2.0])
    assert_array_equal(certain.cdf([2.5]), [1.0])
    assert_array_equal(certain.sample(3, random_state=0), np.full((3, 1), 2.0))


@pytest.mark.parametrize("df", [2.0, -1.0, np.nan, [3.0, 4.0, 5.0]])
def test_impossible_degrees_of_freedom_are_refused(df):
    with pytest.raises(ValueError, match="above 2"):
        StudentT([[0.0, 0.0]], [[1.0, 1.0]], 1.0, df)


def test_each_element_may_have_tails_of_its_own():
    mean, std, df = np.array([1.0, -2.0, 0.5]), np.array([0.3, 1.0, 2.0]), np.array([2.3, 5.0, 1e6])
    prediction, y = StudentT(mean, std, 0.4, df), np.array([0.0, 9.0, -30.0])
    assert prediction.by_row
    assert_allclose(prediction.log_prob(y), of_scipy(prediction).logpdf(y))
    assert_allclose(prediction.quantile([0.02, 0.7])[1], of_scipy(prediction).ppf(0.7))
    some = prediction[[2, 0]].scaled(epistemic=4.0)
    assert_array_equal(some.df, df[[2, 0]])
    assert "2.3" in repr(StudentT(np.zeros(9), np.ones(9), 1.0, np.linspace(2.3, 4.0, 9)))
