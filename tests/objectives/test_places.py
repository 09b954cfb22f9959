import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from unabases.objectives import AtData, Batch, Between, Beyond, Sampled, make_places

REAL = np.array([0, 2, 3, 6])
X = np.random.default_rng(0).uniform(-1, 1, (8, 3)).astype(np.float32)
WEIGHT = np.isin(np.arange(8), REAL).astype(np.float32)
X[WEIGHT == 0] = 1e6
BATCH = Batch(jnp.asarray(X), jnp.zeros((8, 1)), jnp.asarray(WEIGHT), jnp.asarray(4.0))


def points(places, steps=30):
    """The points of each of some steps, as the loop makes them."""
    noise = places.draw(np.random.default_rng(1), steps, REAL)
    return noise, jax.vmap(lambda one: places(BATCH, one))(jax.tree.map(jnp.asarray, noise))


def test_between_lies_on_segments_between_real_rows():
    (pairs, share), chosen = points(Between(10))
    assert set(np.unique(pairs)) == set(REAL)
    assert np.min(share) >= 0
    assert np.max(share) <= 1
    a, b = X[pairs[:, 0]].astype(np.float64), X[pairs[:, 1]].astype(np.float64)
    along, whole = np.asarray(chosen.X) - b, a - b
    assert_allclose(np.linalg.norm(np.cross(along, whole), axis=-1), 0, atol=1e-5)  # on the line
    position = np.sum(along * whole, axis=-1)
    assert np.all(position >= -1e-5)
    assert np.all(position <= np.sum(whole**2, axis=-1) + 1e-5)
    assert np.max(np.abs(chosen.X)) <= 1
    assert_array_equal(chosen.weight, 1)


def test_beyond_lies_past_the_second_of_two_real_rows():
    (pairs, share), chosen = points(Beyond(10, reach=0.5))
    assert set(np.unique(pairs)) == set(REAL)
    a, b = X[pairs[:, 0]].astype(np.float64), X[pairs[:, 1]].astype(np.float64)
    past, whole = np.asarray(chosen.X) - b, b - a
    assert_allclose(np.linalg.norm(np.cross(past, whole), axis=-1), 0, atol=1e-5)  # on the line
    assert_allclose(np.linalg.norm(past, axis=-1), share * np.linalg.norm(whole, axis=-1), atol=1e-5)
    assert np.all(np.sum(past * whole, axis=-1) >= -1e-5)  # and not back towards the first
    assert 0.4 < np.max(share) <= 0.5
    assert_array_equal(chosen.weight, 1)


def test_between_is_mostly_off_the_data():
    _, chosen = points(Between(10))
    distance = np.linalg.norm(np.asarray(chosen.X)[..., None, :] - X[REAL], axis=-1).min(axis=-1)
    assert np.mean(distance > 0.05) > 0.5


def test_a_few_points_at_the_data_are_real_rows_and_new_each_step():
    noise, chosen = points(AtData(5))
    assert set(np.unique(noise)) == set(REAL)
    assert_array_equal(chosen.X, X[noise])
    assert_array_equal(chosen.weight, 1)
    assert len(np.unique(noise, axis=0)) > 20


def test_all_points_at_the_data_keep_the_weight_of_padding():
    assert AtData().draw(np.random.default_rng(0), 5, REAL) is None
    chosen = AtData()(BATCH, None)
    assert_array_equal(chosen.X, X)
    assert_array_equal(chosen.weight, WEIGHT)
    assert_allclose(chosen.mean(chosen.X[:, 0]), np.mean(X[REAL, 0]), rtol=1e-6)


def test_a_users_sampler_sees_real_rows_and_its_points_are_used():
    sampler = lambda rows, key: rows[:3] + 10 + jax.random.uniform(key, (3, 1))  # noqa: E731
    (rows, _), chosen = points(Sampled(sampler, n_rows=6))
    assert rows.shape == (30, 6)
    assert set(np.unique(rows)) == set(REAL)
    shift = np.asarray(chosen.X) - X[rows[:, :3]] - 10
    assert_allclose(shift, np.broadcast_to(shift[..., :1], shift.shape), atol=1e-5)
    assert len(np.unique(shift[:, :, 0].round(4))) > 50  # another key at each step
    assert chosen.weight.shape == (30, 3)


@pytest.mark.parametrize(
    ("sampler", "shape"),
    [(lambda rows, key: rows[0], r"\(3,\)"), (lambda rows, key: rows[:, :2], r"\(64, 2\)")],
)
def test_a_sampler_of_the_wrong_shape_is_refused(sampler, shape):
    with pytest.raises(ValueError, match=rf"must return points of shape \(P, 3\); it gave {shape}"):
        points(Sampled(sampler), steps=1)


def test_places_by_name():
    sampler = lambda rows, key: rows  # noqa: E731
    assert make_places("data", 0) == AtData(None)
    assert make_places("data", 7) == AtData(7)
    assert make_places("between", 7) == Between(7)
    assert make_places("beyond", 7) == Beyond(7)
    assert make_places(sampler, 7) == Sampled(sampler)
    assert make_places(Between(3), 7) == Between(3)


def test_unknown_place_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"unknown `where` 'gaps'; .* data, between, beyond, or a function"):
        make_places("gaps", 7)


def test_between_needs_points():
    with pytest.raises(ValueError, match=r"`n_points` must be at least 1 with .*; got 0"):
        make_places("between", 0)
