import inspect
from functools import reduce
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from unabases.linear import Statistics, accumulate, add, stream, subtract, with_bias

unchecked = inspect.unwrap  # a function as users meet it, without the shape checker that tests run under


def rows(seed, n=40, k=4, p=2):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, k)), rng.normal(size=(n, p))


def assert_same(s, t, rtol=1e-10):
    for left, right in zip(s, t, strict=True):
        assert_allclose(left, right, rtol=rtol, atol=rtol)


def test_statistics_are_sums_over_rows():
    Phi, y = rows(0, n=7)
    by_hand = Statistics(
        G=sum(np.outer(f, f) for f in Phi),
        b=sum(np.outer(f, t) for f, t in zip(Phi, y, strict=True)),
        yy=sum(t**2 for t in y),
        n=7.0,
    )
    assert_same(accumulate(Phi, y), by_hand)


def test_one_output_is_stored_as_one_column():
    Phi, y = rows(1)
    s = accumulate(Phi, y[:, 0])
    assert s.b.shape == (4, 1)
    assert_same(s, accumulate(Phi, y[:, :1]))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.integers(0, 40), max_size=5))
def test_streaming_equals_the_whole(seed, cuts):
    Phi, y = rows(seed)
    edges = [0, *sorted(cuts), 40]  # some chunks are empty
    chunks = ((Phi[i:j], y[i:j]) for i, j in pairwise(edges))
    assert_same(stream(chunks), accumulate(Phi, y))


def test_more_rows_than_a_block_lose_nothing():
    Phi, y = rows(2, n=20_001)
    assert_same(accumulate(Phi, y), Statistics(G=Phi.T @ Phi, b=Phi.T @ y, yy=(y**2).sum(axis=0), n=20_001.0))


def test_float32_rows_are_summed_in_float64():
    Phi = np.full((30_000, 1), 0.1, dtype=np.float32)
    s = accumulate(Phi, Phi[:, 0])
    assert s.G.dtype == np.float64
    assert_allclose(s.G[0, 0], 30_000 * float(np.float32(0.1)) ** 2, rtol=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([1, 10, 39, 40]), st.sampled_from([1e-6, 1.0, 1e10]))
def test_subtract_undoes_add(seed, m, scale):
    Phi, y = rows(seed)
    Phi = Phi * [1.0, scale, 1.0, 1.0]
    whole = accumulate(Phi, y)
    left = subtract(whole, accumulate(Phi[:m], y[:m]))
    remaining = accumulate(Phi[m:], y[m:])
    unit = np.sqrt(np.diag(whole.G))
    assert_allclose(left.G / np.outer(unit, unit), remaining.G / np.outer(unit, unit), atol=1e-12)
    assert_allclose(left.b / unit[:, None], remaining.b / unit[:, None], atol=1e-10)
    assert_allclose(left.yy, remaining.yy, atol=1e-10)
    assert left.n == 40 - m


def test_subtracting_everything_leaves_exact_zeros():
    Phi, y = rows(3)
    halves = reduce(add, [accumulate(Phi[20:], y[20:]), accumulate(Phi[:20], y[:20])])
    left = subtract(halves, accumulate(Phi, y))
    for part in left:
        assert_array_equal(part, np.zeros_like(part))


@pytest.mark.parametrize("seed", range(20))
def test_all_rows_can_be_subtracted_one_by_one_also_where_features_are_zero(seed):
    rng = np.random.default_rng(seed)
    n, k = rng.integers(2, 40, size=2)
    Phi, y = np.maximum(rng.normal(size=(n, k)), 0.0), rng.normal(size=n)
    left = accumulate(Phi, y)
    for i in rng.permutation(n):
        left = subtract(left, accumulate(Phi[i : i + 1], y[i : i + 1]))
    assert left.n == 0
    assert not left.G.any()


def test_rows_that_were_not_there_cannot_be_subtracted():
    Phi, y = rows(4)
    s = accumulate(Phi[:20], y[:20])
    with pytest.raises(ValueError, match=r"Cannot take 40 rows from 20.*not part of it"):
        subtract(s, accumulate(Phi, y))
    with pytest.raises(ValueError, match="not part of it"):
        subtract(s, accumulate(10 * Phi[20:30], y[20:30]))
    with pytest.raises(ValueError, match="not part of it"):  # right features, wrong y
        subtract(s, accumulate(Phi[:10], y[:10] + 100.0))
    with pytest.raises(ValueError, match="not part of it"):  # as many rows as there are, but fainter ones
        subtract(s, accumulate(0.5 * Phi[:20], 0.5 * y[:20]))


def test_what_is_left_cannot_know_more_than_its_rows():
    rng = np.random.default_rng(3)
    Phi, y = rng.normal(size=(8, 5)), rng.normal(size=8)
    s = accumulate(Phi, y)
    assert subtract(s, accumulate(Phi[:6], y[:6])).n == 2
    with pytest.raises(ValueError, match="not part of it"):  # small enough to leave all eigenvalues positive
        subtract(s, accumulate(0.01 * Phi[:6], 0.01 * y[:6]))


def test_bias_is_the_last_column_and_precision_is_kept():
    assert_array_equal(with_bias(np.array([[2.0], [3.0]])), [[2.0, 1.0], [3.0, 1.0]])
    assert with_bias(np.ones((2, 3), dtype=np.float32)).dtype == np.float32
    assert with_bias(np.ones((2, 0))).shape == (2, 1)


@pytest.mark.parametrize(
    ("Phi", "y", "message"),
    [
        (np.ones(3), np.ones(3), r"shape \(n, k\).*has shape \(3,\)"),
        (np.ones((3, 0)), np.ones(3), "at least one column"),
        (np.ones((3, 2)), np.ones(4), r"shape \(3,\) or \(3, p\).*has shape \(4,\)"),
        (np.ones((3, 2)), np.ones((3, 1, 1)), r"has shape \(3, 1, 1\)"),
        (np.array([[1.0], [np.nan]]), np.ones(2), r"`Phi` must be finite.*1 of its 2.*\(1, 0\)"),
        (np.ones((2, 1)), np.array([np.inf, 1.0]), "`y` must be finite"),
        (np.full((2, 1), 1e200), np.ones(2), "overflow"),
        (np.array([["a"], ["b"]]), np.ones(2), "real numbers"),
        (np.array([[1j], [2j]]), np.ones(2), "real numbers"),
    ],
)
def test_bad_rows_are_named(Phi, y, message):
    with pytest.raises(ValueError, match=message):
        unchecked(accumulate)(Phi, y)


def test_statistics_of_different_features_do_not_mix():
    s, t = accumulate(*rows(0, k=3)), accumulate(*rows(0, k=4))
    for combine in (add, subtract):
        with pytest.raises(ValueError, match=r"\(3, 2\) and \(4, 2\)"):
            combine(s, t)


def test_an_empty_stream_is_refused():
    with pytest.raises(ValueError, match="`chunks` is empty"):
        stream(iter([]))
    with pytest.raises(ValueError, match=r"`features` must have shape \(n, k\)"):
        unchecked(with_bias)(np.ones(3))


def test_a_row_of_weight_w_counts_as_w_rows():
    Phi, y = rows(5)
    weight = np.arange(40) % 4
    repeated = np.repeat(np.arange(40), weight)
    counted = accumulate(Phi, y, weight.astype(float))
    assert_same(counted[:4], accumulate(Phi[repeated], y[repeated])[:4])
    assert counted.weighted
    assert_same(counted, stream([(Phi[:9], y[:9], 1.0 * weight[:9]), (Phi[9:], y[9:], 1.0 * weight[9:])]))


def test_light_rows_can_be_taken_out_again_and_others_cannot():
    """Three rows of weight 0.1 have rank 3 but a sum of weights of 0.3: the sum bounds nothing."""
    Phi, y = rows(6)
    light = np.full(40, 0.1)
    whole, three = accumulate(Phi, y, light), accumulate(Phi[:3], y[:3], light[:3])
    assert_same(add(subtract(whole, three), three), whole)
    assert_same(
        subtract(three, accumulate(Phi[:3], y[:3], light[:3] / 4)), accumulate(Phi[:3], y[:3], 0.075 * np.ones(3))
    )
    assert subtract(three, three).n == 0
    with pytest.raises(ValueError, match="not part of it"):
        subtract(whole, accumulate(Phi[:3], y[:3]))


@pytest.mark.parametrize(
    ("weight", "says"), [([1.0, 2.0], "shape"), ([-1.0] * 40, "negative"), ([np.nan] * 40, "finite")]
)
def test_weights_that_cannot_be_are_refused(weight, says):
    with pytest.raises(ValueError, match=says):
        unchecked(accumulate)(*rows(7), np.array(weight))
