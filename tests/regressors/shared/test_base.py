"""Checks of parameters and shapes that every regressor shares; the contract itself is in tests/contract."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from unabases import GaussianProcess
from unabases.regressors.shared.base import check_count, check_positive, output_variances, with_noise


def test_a_variance_is_given_for_all_outputs_or_for_each():
    assert_array_equal(output_variances("sigma2", 2.0, 3, {"residual"}), [2.0, 2.0, 2.0])
    assert_array_equal(output_variances("sigma2", [1.0, 2.0], 2, {"residual"}), [1.0, 2.0])
    assert output_variances("sigma2", "residual", 2, {"residual"}) is None


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan, np.inf, [1.0, 2.0, 3.0], None, object()])
def test_an_impossible_variance_is_refused_by_name(bad):
    with pytest.raises(ValueError, match="`sigma2` is a variance"):
        output_variances("sigma2", bad, 2, {"residual"})


def test_an_unknown_word_lists_the_known_ones():
    with pytest.raises(ValueError, match="one of \\['evidence', 'residual'\\]; got 'guess'"):
        output_variances("sigma2", "guess", 1, {"residual", "evidence"})


def test_counts_are_whole_and_large_enough():
    assert check_count("n", np.int64(3)) == 3
    for bad in (0, 2.0, True, "3", None):
        with pytest.raises(ValueError, match="`n` must be a whole number of at least 1"):
            check_count("n", bad)


def test_positive_numbers_may_be_allowed_to_be_zero():
    assert check_positive("gamma", 0, zero=True) == 0.0
    for bad in (0, -1.0, np.nan, True, "1"):
        with pytest.raises(ValueError, match="`gamma` must be a positive number"):
            check_positive("gamma", bad)


def test_noise_stands_on_the_diagonal_of_each_output():
    covariance = np.ones((2, 3, 3))
    noise = np.array([[1.0, 2.0]] * 3)
    total = with_noise(covariance, noise)
    assert total.shape == (3, 3, 2)
    assert_allclose(np.diagonal(total[..., 1]), 5.0)
    assert_allclose(total[0, 1], 1.0)


def test_predictions_of_a_pandas_table_keep_its_labels():
    model = GaussianProcess(restarts=0).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 4.0])
    rows = pd.DataFrame([[0.5], [1.5]], index=["x", "y"])
    assert model.predict_dist(rows).to_frame().index.tolist() == ["x", "y"]
    assert model.predict_dist(rows.to_numpy()).to_frame().index.tolist() == [0, 1]
