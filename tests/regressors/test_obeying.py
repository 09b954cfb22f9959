"""Functions that obey: on a model of straight lines, where everything can be seen."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from unabases import linear
from unabases.regressors.known_values import Sums
from unabases.regressors.obeying import (
    DRAWS,
    Limits,
    Walls,
    draw_obeying,
    moments_of_draws,
    nearest_obeying,
    widened_posterior,
)

POSTERIOR = linear.condition(np.zeros((0, 2)), np.zeros(0), alpha=1.0, sigma2=1.0)  # slope and intercept, N(0, 1)


def features(Z):
    return linear.with_bias(Z)


def rises(n, rng, near=None):
    here = rng.uniform(-1, 1, (n, 1, 1))
    return [Limits(Sums(np.concatenate([here, here + 0.1], axis=1), np.array([-1.0, 1.0])), 0.0)]


def below_one(n, rng, near=None):
    return [Limits(Sums(rng.uniform(0, 2, (n, 1, 1)), np.array([-1.0])), -1.0)]


def test_lines_that_fall_become_flat_and_others_stay():
    W = draw_obeying(features, POSTERIOR, rises, np.random.default_rng(0))
    assert W.shape == (DRAWS, 2)
    assert W[:, 0].min() > -2e-3
    assert 0.3 < np.mean(W[:, 0] < 1e-2) < 0.7  # half of all lines would have fallen
    assert_allclose(W[:, 1].std(), 1.0, atol=0.3)  # the intercept does not care


def test_places_that_were_not_asked_first_are_found():
    W = draw_obeying(features, POSTERIOR, below_one, np.random.default_rng(0))
    assert np.max(W @ features(np.array([[0.0], [2.0]])).T) < 1 + 1e-2


def test_statements_that_contradict_each_other_are_refused():
    def both(n, rng, near=None):
        (upper,) = below_one(n, rng)
        return [upper, Limits(Sums(upper.sums.Z, np.array([1.0])), 2.0)]

    with pytest.raises(ValueError, match="contradict each other"):
        draw_obeying(features, POSTERIOR, both, np.random.default_rng(0))


def test_the_distance_to_the_nearest_function_that_obeys():
    falling = POSTERIOR._replace(m=np.array([-3.0, 0.0]))  # its slope is known to ±1
    nearest = nearest_obeying(features, falling, rises(5, np.random.default_rng(0)))
    assert_allclose(np.linalg.norm(nearest.X), 3.0)


def test_walls_say_by_how_much_functions_fall_short():
    walls = Walls.of(rises(3, np.random.default_rng(0)), features)
    assert_allclose(walls.shortfall(np.array([[-2.0, 5.0], [1.0, 0.0]])), [[0.2] * 3, [-0.1] * 3])


def test_a_wider_posterior_has_the_wider_prior_and_the_same_mean():
    rng = np.random.default_rng(0)
    Phi, y = rng.standard_normal((6, 2)), rng.standard_normal(6)
    own, wide = (linear.condition(Phi, y, alpha=alpha, sigma2=0.5) for alpha in (0.2, 1.0))
    found = widened_posterior(own, 5.0)
    assert_allclose(found.L, wide.L)
    assert_allclose(found.m, own.m)


def test_moments_are_those_of_all_functions_together():
    rng = np.random.default_rng(0)
    designs, draws = [rng.standard_normal((4, 3)) for _ in range(2)], [rng.standard_normal((2, 7, 3)) for _ in range(2)]
    f = np.concatenate([np.einsum("nk,psk->psn", *pair) for pair in zip(designs, draws, strict=True)], axis=1)
    found = moments_of_draws(designs, draws)
    assert_allclose(found.mean, f.mean(axis=1).T)
    assert_allclose(found.std, f.std(axis=1).T)
    assert_allclose(found.root[1] @ found.root[1].T, np.cov(f[1].T, bias=True))
