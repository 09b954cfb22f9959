"""What predictions of every kind refuse."""

import numpy as np
import pytest

from unabases.predictive import Mixture, Normal

RNG = np.random.default_rng(0)


def normal(shape):
    return Normal(RNG.normal(size=shape), RNG.uniform(0.1, 2, shape), RNG.uniform(0.1, 2, shape))


def mixture(shape):
    return Mixture(RNG.normal(size=(3, *shape)), RNG.uniform(0.1, 2, shape))


either = pytest.mark.parametrize("make", [normal, mixture])


@either
@pytest.mark.parametrize("rows", [(0, 1), None, [[0, 1], [1, 2]]])
def test_other_indices_are_refused(rows, make):
    with pytest.raises(TypeError, match="rows"):
        make((5, 3))[rows]


@either
def test_out_of_range_is_an_index_error(make):
    with pytest.raises(IndexError):
        make((5,))[5]


@either
@pytest.mark.parametrize("method", ["log_prob", "cdf"])
@pytest.mark.parametrize("shape", [(5, 1), (4,), (1,), (5, 3)])
def test_y_of_another_shape(method, shape, make):
    with pytest.raises(ValueError, match=r"`y` has shape .* but the prediction has \(5,\)"):
        getattr(make((5,)), method)(np.zeros(shape))


@either
@pytest.mark.parametrize("q", [-0.1, [0.5, 1.1], np.nan])
def test_q_outside_the_unit_interval(q, make):
    with pytest.raises(ValueError, match="between 0 and 1"):
        make((5,)).quantile(q)


@either
def test_negative_number_of_draws(make):
    with pytest.raises(ValueError, match="`n` must not be negative"):
        make((5,)).sample(-1)


def test_noise_std_that_does_not_broadcast():
    with pytest.raises(ValueError, match=r"\(4,\) does not broadcast to the shape \(4, 2\)"):
        Normal(np.zeros((4, 2)), np.ones((4, 2)), np.ones(4))


@pytest.mark.parametrize("name", ["epistemic_std", "noise_std"])
def test_negative_std(name):
    arguments = {"epistemic_std": np.ones(2), "noise_std": np.ones(2), name: np.array([1.0, -0.5])}
    with pytest.raises(ValueError, match=rf"`{name}` must not be negative, got -0\.5"):
        Normal(np.zeros(2), **arguments)
