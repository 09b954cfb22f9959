"""Functions that obey: on a model of straight lines, where everything can be seen."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from unabases import linear
from unabases.regressors.knowledge.known_values import Sums
from unabases.regressors.knowledge.obeying_functions import (
    DRAWS,
    Limits,
    draw_obeying,
    moments_of_draws,
    nearest_obeying,
    shortfall,
    widened_posterior,
)
from unabases.terms import Monotone
from unabases.terms.space import Columns, make_space

POSTERIOR = linear.condition(np.zeros((0, 2)), np.zeros(0), alpha=1.0, sigma2=1.0)  # slope and intercept, N(0, 1)


def features(Z):
    return linear.with_bias(Z)


def rises(n, rng, near=None):
    here = rng.uniform(-1, 1, (n, 1, 1))
    return [Limits(Sums(np.concatenate([here, here + 0.1], axis=1), np.array([-1.0, 1.0])), 0.0)]


def below_one(n, rng, near=None):
    return [Limits(Sums(rng.uniform(0, 2, (n, 1, 1)), np.array([-1.0])), -1.0)]


def test_lines_that_fall_become_flat_and_others_stay():
    W = draw_obeying(features, POSTERIOR, rises, np.random.default_rng(0)).W
    assert W.shape == (DRAWS, 2)
    assert W[:, 0].min() > -2e-3
    assert 0.3 < np.mean(W[:, 0] < 1e-2) < 0.7  # half of all lines would have fallen
    assert_allclose(W[:, 1].std(), 1.0, atol=0.3)  # the intercept does not care


def test_places_that_were_not_asked_first_are_found():
    W = draw_obeying(features, POSTERIOR, below_one, np.random.default_rng(0)).W
    assert np.max(W @ features(np.array([[0.0], [2.0]])).T) < 1 + 1e-2


@pytest.mark.parametrize(("slope", "moved"), [(-0.5, 0.0), (0.5, 0.5)])
def test_the_centre_is_the_mean_or_the_nearest_to_it(slope, moved):
    known = POSTERIOR._replace(m=np.array([slope, 2.0]))
    centre, W = draw_obeying(features, known, rises, np.random.default_rng(0))
    assert_allclose(centre, [moved, 2.0], atol=2e-3)
    assert W[:, 0].mean() > centre[0] + 0.03  # functions can only be steeper


def bump(Z):
    """A hill that is narrow in the second of two columns, and a slope along the first."""
    return np.column_stack([np.exp(-(((Z[:, 1] - 0.77) / 0.03) ** 2)) * Z[:, 0], Z[:, 0]])


def rises_everywhere(n, rng, near=None):
    """Along the first of two columns, at random values of the second."""
    across = rng.uniform(0, 1, n) if near is None else near.places[rng.integers(len(near.places), size=n), 1]
    across = np.clip(across + (0 if near is None else near.reach) * rng.standard_normal(n), 0, 1)
    here = np.column_stack([rng.uniform(0, 0.9, n), across])
    ends = np.stack([here, here + np.array([0.1, 0.0])], axis=1)
    return [Limits(Sums(ends, np.array([-1.0, 1.0])), 0.0, here)]


def test_functions_obey_where_few_places_are():
    W = draw_obeying(bump, POSTERIOR, rises_everywhere, np.random.default_rng(0)).W
    across = np.linspace(0, 1, 2001)
    slopes = W @ (bump(np.column_stack([np.ones(2001), across])) - bump(np.column_stack([np.zeros(2001), across]))).T
    assert slopes.min() > -0.01


def test_rough_functions_of_three_columns_rise_on_every_line():
    rng, waves = np.random.default_rng(0), 120
    frequencies, phases = rng.standard_normal((3, waves)) / 0.3, rng.uniform(0, 2 * np.pi, waves)
    space = make_space(Columns(None, ((0,), (1,), (2,)), (False,) * 3), rng.uniform(size=(40, 3)), np.ones(1))

    def rough(Z):
        return np.column_stack([np.cos(Z @ frequencies + phases) / np.sqrt(waves / 2), Z[:, 0]])

    def ask(n, rng, near=None):
        own = space if near is None else space.near(*near)
        return [Limits(Sums(*c), least, c.X.mean(axis=1)) for c, least in Monotone(0).limits(own, n, rng)]

    prior = linear.condition(np.zeros((0, waves + 1)), np.zeros(0), alpha=1.0, sigma2=1.0)
    W = draw_obeying(rough, prior, ask, np.random.default_rng(0)).W
    lines = np.repeat(rng.uniform(space.low, space.high, (100, 3))[:, None], 100, axis=1)
    lines[:, :, 0] = np.linspace(space.low[0], space.high[0], 100)
    f = (rough(lines.reshape(-1, 3)) @ W.T).reshape(100, 100, -1)
    assert np.max(np.maximum.accumulate(f, axis=1) - f) < 0.01
    assert f.std() > 0.5


def test_statements_that_leave_no_room_are_kept():
    def both(n, rng, near=None):
        (up,) = rises_everywhere(n, rng, near)
        return [up, up.opposite]

    W = draw_obeying(bump, POSTERIOR, both, np.random.default_rng(0)).W
    assert np.abs(W).max() < 0.02


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


def test_functions_fall_short_by_what_they_lack():
    limits = rises(3, np.random.default_rng(0))
    assert_allclose(shortfall(limits, features, np.array([[-2.0, 5.0], [1.0, 0.0]])), [[0.2] * 3, [-0.1] * 3])


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
    found = moments_of_draws(designs, draws, [W.mean(axis=1) for W in draws])
    assert_allclose(found.mean, f.mean(axis=1).T)
    assert_allclose(found.std, f.std(axis=1).T)
    assert_allclose(found.root[1] @ found.root[1].T, np.cov(f[1].T, bias=True))


def test_moments_are_taken_around_the_centres():
    designs, draws = [np.ones((1, 1))] * 2, [np.array([[[1.0], [2.0]]]), np.array([[[3.0], [6.0]]])]
    found = moments_of_draws(designs, draws, [np.array([[0.0]]), np.array([[2.0]])])
    assert found.mean.item() == 1.0
    assert_allclose(found.std.item() ** 2, (0 + 1 + 4 + 25) / 4)
    assert_allclose(found.root[0] @ found.root[0].T, 7.5)
