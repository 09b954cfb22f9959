"""What predictions of one shape share holds for each kind; the kinds have tests of their own."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad

from unabases.predictive import Normal, StudentT
from unabases.predictive.location_scale import AbstractLocationScale

KINDS = [Normal([2.0], [0.7], 0.4), StudentT([2.0], [0.7], 0.4, 5.0)]


@pytest.mark.parametrize("prediction", KINDS, ids=lambda one: type(one).__name__)
def test_every_kind_has_the_stated_mean_and_variance(prediction):
    def moment(power):
        return quad(lambda y: (y - 2.0) ** power * np.exp(prediction.log_prob(y))[0], -np.inf, np.inf)[0]

    assert isinstance(prediction, AbstractLocationScale)
    assert_allclose([moment(0), moment(1), moment(2)], [1.0, 0.0, 0.7**2 + 0.4**2], atol=1e-6)


@pytest.mark.parametrize("prediction", KINDS, ids=lambda one: type(one).__name__)
def test_a_root_in_other_units_is_refused(prediction):
    with pytest.raises(ValueError, match="row norms"):
        prediction._like([2.0], [0.7], 0.4, [[7.0]])
