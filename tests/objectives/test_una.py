import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm

from unabases.features import MLP
from unabases.objectives import AtData, Between, Term, Una, luna_objective, map_objective
from unabases.objectives.schedules import schedule_values
from unabases.training import Recipe, make_batch, train

from .conftest import (
    as_float64,
    assert_gradient_matches_differences,
    field_penalty,
    padded_batch,
    quick_jit,
    slopes_by_differences,
    smooth_heads,
    values,
)

SIGMA2, GAMMA, LAM, EPSILON = np.array([0.3, 0.7]), 0.4, 2.5, 0.2
N, D, P, M = 6, 2, 2, 3


def luna(schedule="sigmoid"):
    objective = luna_objective(
        sigma2=SIGMA2,
        gamma=GAMMA,
        lam=LAM,
        epsilon=EPSILON,
        spread=np.array([1.0, 2.0]),
        n_heads=M,
        where=AtData(),
        schedule=schedule,
    )
    return as_float64(objective)


def one_step(objective, progress=0.4):
    noise = objective.draw(np.random.default_rng(5), np.array([progress]), np.arange(N), D)
    return jax.tree.map(lambda leaf: jnp.asarray(leaf[0]), noise)


def squared_norm_by_hand(tree):
    return sum(float(np.sum(np.square(leaf))) for leaf in jax.tree.leaves(eqx.filter(tree, eqx.is_array)))


@pytest.mark.usefixtures("float64")
def test_luna_loss_is_the_formula_divided_by_the_rows():
    heads, batch, objective = smooth_heads(D, 3, M, P), padded_batch(N, D, P, n_padding=2), luna()
    noise = one_step(objective)
    loss, terms = quick_jit(lambda *inputs: objective.loss(*inputs))(heads, batch, noise)

    X, y = np.asarray(batch.X)[:N], np.asarray(batch.y)[:N]
    f = np.swapaxes(values(heads, X), 0, 1)  # M n p
    fit = np.mean([norm.logpdf(y, f[m], np.sqrt(SIGMA2)).sum() for m in range(M)])
    delta = np.asarray(noise[0][2]) * EPSILON * np.array([1.0, 2.0])
    pairs = M * (M - 1) / 2
    sum_of_cos2 = field_penalty(slopes_by_differences(heads, X, delta), np.ones(N)) * pairs
    annealed = 1 / (1 + np.exp(-6 * 0.4 + 3))
    C = 2 * N / (M * (M - 1))
    penalty = GAMMA * squared_norm_by_hand(heads)
    maximised = fit - penalty - LAM * annealed * C * sum_of_cos2
    assert_allclose(loss, -maximised / N, rtol=1e-7)  # the schedule is kept in single precision
    assert set(terms) == {"loss", "fit", "weight_penalty", "diversity"}
    assert_allclose(terms["loss"], loss)
    assert_allclose(terms["fit"], -fit / N)
    assert_allclose(terms["weight_penalty"], penalty / N)
    assert_allclose(terms["diversity"], sum_of_cos2 / pairs)


@pytest.mark.usefixtures("float64")
def test_gradient_of_the_whole_loss():
    heads, batch, objective = smooth_heads(D, 3, M, P), padded_batch(N, D, P, n_padding=2), luna()
    noise = one_step(objective)
    assert_gradient_matches_differences(lambda h: objective.loss(h, batch, noise)[0], heads)


@pytest.mark.usefixtures("float64")
def test_mini_batches_are_unbiased_for_fit_and_weight_penalty():
    heads, batch = smooth_heads(D, 3, M, P), padded_batch(N, D, P, n_padding=2)
    objective = as_float64(Una(sigma2=SIGMA2, gamma=GAMMA, n_heads=M))
    loss = quick_jit(lambda rows: objective.loss(heads, batch.take(rows), ())[1])
    pairs = np.array([(i, j) for i in range(N) for j in range(i)])
    parts = [loss(jnp.asarray(rows)) for rows in pairs]
    full = quick_jit(lambda *inputs: objective.loss(*inputs))(heads, batch, ())[1]
    for name in ("fit", "weight_penalty", "loss"):
        assert_allclose(np.mean([part[name] for part in parts]), full[name])
    assert np.std([part["fit"] for part in parts]) > 0.1


@pytest.mark.usefixtures("float64")
def test_maximum_a_posteriori_is_one_head_and_no_term():
    heads, batch = smooth_heads(D, 3, 1, P), padded_batch(N, D, P, n_padding=2)
    X, y = np.asarray(batch.X)[:N], np.asarray(batch.y)[:N]
    nll = -norm.logpdf(y, values(heads, X)[:, 0], np.sqrt(SIGMA2)).sum()
    for gamma in (GAMMA, 0.0):  # 0 is maximum likelihood
        loss, terms = as_float64(map_objective(SIGMA2, gamma)).loss(heads, batch, ())
        assert_allclose(loss, (nll + gamma * squared_norm_by_hand(heads)) / N)
        assert set(terms) == {"loss", "fit", "weight_penalty"}
        assert_allclose(terms["fit"], nll / N)


def test_initial_heads_are_those_of_a_layer():
    phi = MLP(2, (16,), key=jax.random.key(0))
    heads = Una(sigma2=1.0, gamma=0.0, n_heads=50).init(phi, 16, 2, key=jax.random.key(1))
    assert heads.W.shape == (50, 2, 17)
    assert np.max(np.abs(heads.W)) <= 0.25
    assert np.max(np.abs(heads.W)) > 0.24


def test_draws_have_a_row_for_each_step():
    progress = np.array([0.25, 0.5, 1.0])
    terms = (Term("a", lambda heads, points, key: 0.0, schedule="sqrt", where="between", n_points=7),)
    objective = Una(sigma2=1.0, gamma=0.0, terms=terms)
    ((annealed, (pairs, share), keys),) = objective.draw(np.random.default_rng(0), progress, np.arange(9), 2)
    assert_allclose(annealed, schedule_values("sqrt", progress))
    assert (pairs.shape, share.shape, keys.shape) == ((3, 2, 7), (3, 7), (3, 2))


@pytest.mark.parametrize("names", [("fit",), ("loss",), ("same", "same")])
def test_terms_need_names_of_their_own(names):
    with pytest.raises(ValueError, match="different names"):
        Una(sigma2=1.0, gamma=0.0, terms=tuple(Term(n, lambda heads, points, key: 0.0) for n in names))


def falling(heads, points, key):
    """How steeply the heads fall along the first input, on average."""
    slope = jax.vmap(jax.jacfwd(heads))(points.X)[..., 0]  # points, heads, outputs
    return points.mean(jnp.mean(jax.nn.relu(-slope), axis=(1, 2)))


def test_a_users_term_makes_heads_increase_in_one_input():
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, (40, 2))
    y = np.sin(2 * X[:, :1]) + 0.3 * X[:, 1:]  # falls along the first input over half of its range
    objectives = [
        Una(
            sigma2=np.array([0.1]),
            gamma=0.01,
            terms=(Term("falling", falling, weight, where="between", n_points=16),),
            n_heads=4,
        )
        for weight in (0.0, 100.0)
    ]
    start = objectives[0].init(MLP(2, (16,), "tanh", key=jax.random.key(0)), 16, 1, key=jax.random.key(1))
    starts = jax.tree.map(lambda leaf: np.stack([leaf, leaf]) if eqx.is_array(leaf) else leaf, start)
    trained = train(objectives, starts, make_batch(X, y), rngs=rng.spawn(2), recipe=Recipe(steps=300), threads=1)
    free, bound = np.mean(trained.history["falling"][:, -50:], axis=1)
    assert bound < free / 20
    grid = np.stack([np.linspace(-1.5, 1.5, 31), np.zeros(31)], axis=1).astype(np.float32)
    curves = eqx.filter_vmap(lambda heads: jax.vmap(heads)(grid))(trained.params)[..., 0]  # models, grid, heads
    falls = np.mean(np.diff(curves, axis=1) < -1e-3, axis=(1, 2))
    assert falls[0] > 0.3
    assert falls[1] < 0.02


def test_term_defaults_and_places():
    term = Term("a", falling, where="between", n_points=5)
    assert term.where == Between(5)
    assert Term("a", falling, n_points=0).where == AtData(None)
    with pytest.raises(ValueError, match=r"unknown schedule 'fast'.*sqrt, sigmoid, tanh, none"):
        Term("a", falling, schedule="fast")
