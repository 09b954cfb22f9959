import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import multivariate_normal

from unabases.features import Frozen
from unabases.objectives import squared_norm
from unabases.objectives.base import gaussian_nll

from .conftest import padded_batch

pytestmark = pytest.mark.usefixtures("float64")


def test_a_mean_over_rows_leaves_the_padding_out():
    batch = padded_batch(4, 2, 1, n_padding=3)
    assert_allclose(batch.mean(jnp.array([1.0, 2.0, 3.0, 6.0, 100.0, 100.0, 100.0])), 3.0)
    assert_allclose(batch._replace(weight=jnp.zeros(7)).mean(jnp.ones(7)), 0.0)  # nothing but padding


def test_some_rows_keep_the_total_of_all():
    batch = padded_batch(4, 2, 1, n_padding=3)
    part = batch.take(jnp.array([5, 0]))
    assert_array_equal(part.X, np.asarray(batch.X)[[5, 0]])
    assert_array_equal(part.y, np.asarray(batch.y)[[5, 0]])
    assert_array_equal(part.weight, [0.0, 1.0])
    assert part.total == 4


def test_the_norm_counts_what_is_trained():
    tree = {"W": jnp.array([[1.0, 2.0]]), "b": jnp.array([2.0]), "fixed": Frozen(jnp.array([9.0])), "n": jnp.array(7)}
    assert_allclose(squared_norm(tree), 9.0)


def test_the_likelihood_of_each_head_is_scipys():
    f, y, sigma2 = np.array([[0.0, 1.0], [2.0, -1.0], [0.5, 0.5]]), np.array([0.3, 0.7]), np.array([0.5, 2.0])
    expected = [-multivariate_normal.logpdf(y, mean, np.diag(sigma2)) for mean in f]
    assert_allclose(gaussian_nll(jnp.asarray(f), jnp.asarray(y), jnp.asarray(sigma2)), expected)
