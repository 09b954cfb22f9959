from dataclasses import replace

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

from unabases.objectives import AtData, Between, Diversity, Heads, luna, luna_objective
from unabases.objectives.luna import cosine_of, field_gram, mean_squared_cosine, pointwise_gram

from .conftest import (
    assert_gradient_matches_differences,
    field_penalty,
    pointwise_penalty,
    quick_jit,
    random_points,
    slopes_by_autodiff,
    slopes_by_differences,
    smooth_heads,
)

pytestmark = pytest.mark.usefixtures("float64")

# d, k, M, p. Through the features when k² < kMp + M²p; reverse mode when d > Mp and gradients are exact.
SHAPES = {
    "through features": (2, 3, 4, 1),
    "through features, two outputs": (2, 3, 4, 2),
    "direct": (2, 12, 2, 1),
    "direct, two outputs": (2, 20, 2, 2),
    "reverse mode": (5, 3, 2, 2),
}
PENALTIES = {"field": field_penalty, "pointwise": pointwise_penalty}
KINDS = [(similarity, gradient) for similarity in PENALTIES for gradient in luna.GRADIENTS]


def diversity(d, similarity="field", gradient="exact", epsilon=0.3, spread=None):
    return Diversity(
        weight=1.0,
        epsilon=epsilon,
        spread=jnp.ones(d) if spread is None else jnp.asarray(spread),
        where=AtData(),
        similarity=similarity,
        gradient=gradient,
    )


def penalties(heads, slopes=False, kinds=KINDS):
    """A compiled function of points, noise and epsilon: the value of each kind, and its gradient if asked."""
    arrays, static = eqx.partition(heads, eqx.is_array)

    def value(arrays, points, noise, epsilon, kind):
        term = diversity(points.X.shape[1], *kind, epsilon)
        return term.value(eqx.combine(arrays, static), points, noise)

    function = jax.value_and_grad(value) if slopes else value
    compiled = quick_jit(lambda *inputs: {kind: function(*inputs, kind) for kind in kinds})
    return lambda points, noise, epsilon=0.3: compiled(arrays, points, jnp.asarray(noise), epsilon)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_penalty_is_that_of_loops_over_all_pairs(shape):
    d = shape[0]
    heads, points = smooth_heads(*shape), random_points(5, d, n_padding=2)
    noise = np.linspace(-1.5, 2, d)
    slopes = {
        "exact": slopes_by_autodiff(heads, points.X),
        "finite-difference": slopes_by_differences(heads, points.X, 0.3 * noise),
    }
    for (similarity, gradient), value in penalties(heads)(points, noise).items():
        expected = PENALTIES[similarity](slopes[gradient], points.weight)
        assert 0.01 < expected < 0.99
        assert_allclose(value, expected, rtol=1e-10, err_msg=f"{similarity} {gradient}")


def test_the_barrier_costs_minus_the_logarithm_and_is_steep_where_the_cosine_is_flat():
    heads, points = smooth_heads(2, 3, 4, 1), random_points(5, 2)
    plain = diversity(2)
    barrier = replace(plain, penalty="log-barrier")
    cosine, cost = (float(quick_jit(lambda term=term: term.value(heads, points, None))()) for term in (plain, barrier))
    assert_allclose(cost, -np.log(1 - cosine), rtol=5e-3)
    assert_allclose(cosine_of(np.array([cost]), "log-barrier"), cosine, rtol=1e-10)
    near = Heads(heads.phi, heads.W[:1] + 1e-3 * (heads.W - heads.W[:1]))  # almost parallel
    slope = lambda term: jax.grad(lambda W: term.value(Heads(heads.phi, W), points, None))(near.W)  # noqa: E731
    flat, steep = (np.linalg.norm(quick_jit(lambda term=term: slope(term))()) for term in (plain, barrier))
    assert steep > 100 * flat > 0
    same = Heads(heads.phi, jnp.repeat(heads.W[:1], 4, axis=0))
    assert np.isfinite(quick_jit(lambda: barrier.value(same, points, None))())


def test_several_places_have_a_term_each():
    shared = {"sigma2": 1.0, "gamma": 0.0, "lam": 2.0, "epsilon": 0.1, "spread": np.ones(2), "n_heads": 3}
    objective = luna_objective(**shared, where={"diversity_data": AtData(), "diversity_between": Between(5)})
    assert [(term.name, term.where, float(term.weight)) for term in objective.terms] == [
        ("diversity_data", AtData(), 2.0),
        ("diversity_between", Between(5), 2.0),
    ]


def test_perturbations_are_in_units_of_each_inputs_spread():
    heads, points = smooth_heads(2, 3, 4, 1), random_points(5, 2)
    noise, spread = np.array([0.7, -1.2]), np.array([0.5, 3.0])
    term = diversity(2, "field", "finite-difference", 0.3, spread)
    slopes = slopes_by_differences(heads, points.X, 0.3 * noise * spread)
    value = quick_jit(lambda z: term.value(heads, points, z))(jnp.asarray(noise))
    assert_allclose(value, field_penalty(slopes, points.weight))


def test_padding_changes_neither_value_nor_gradient():
    kinds = [("field", "finite-difference"), ("pointwise", "exact")]
    function = penalties(smooth_heads(2, 3, 4, 1), True, kinds)
    points = random_points(5, 2, n_padding=2)
    other = points._replace(X=points.X.at[5:].set(-7.0))
    a, b = function(points, [0.7, -1.2]), function(other, [0.7, -1.2])
    jax.tree.map(lambda u, v: assert_allclose(u, v, rtol=1e-12), a, b)


@pytest.mark.parametrize(
    ("shape", "kinds"),
    [((5, 3, 5, 1), KINDS[:2]), ((5, 12, 3, 2), KINDS)],
    ids=["through features", "direct"],
)
def test_inputs_in_blocks_give_the_same_value_and_gradient(monkeypatch, shape, kinds):
    d, k, *_ = shape
    heads, points, noise = smooth_heads(*shape), random_points(4, d), np.linspace(-1.5, 2, d)
    whole = penalties(heads, True, kinds)(points, noise)
    monkeypatch.setattr(luna, "_BLOCK", 2 * 4 * k)  # two inputs at a time: the last block is half empty
    blocks = penalties(heads, True, kinds)(points, noise)
    jax.tree.map(lambda u, v: assert_allclose(u, v, rtol=1e-9, atol=1e-13), whole, blocks)


def test_blocks_are_really_smaller(monkeypatch):
    heads, points = smooth_heads(5, 12, 3, 2), random_points(4, 5)
    monkeypatch.setattr(luna, "_BLOCK", 2 * 4 * 12)
    program = str(jax.make_jaxpr(lambda X: field_gram(heads, points._replace(X=X), None))(points.X))
    assert "f64[2,4,12]" in program  # two inputs, four points, twelve features
    assert "f64[5,4,12]" not in program


@pytest.mark.parametrize("name", ["direct, two outputs", "reverse mode"])
def test_gradient_of_the_exact_penalty(name):
    heads, points = smooth_heads(*SHAPES[name]), random_points(4, SHAPES[name][0])
    term = diversity(SHAPES[name][0])
    assert_gradient_matches_differences(lambda h: term.value(h, points, None), heads)


def test_gram_matrices_are_inner_products_of_gradients():
    heads, points = smooth_heads(2, 3, 4, 2), random_points(5, 2, n_padding=2)
    slopes = slopes_by_autodiff(heads, points.X)
    field, pointwise = quick_jit(lambda v: (field_gram(heads, v, None), pointwise_gram(heads, v, None)))(points)
    assert_allclose(field, np.einsum("niqd,njqd->qij", slopes[:5], slopes[:5]))
    assert_allclose(pointwise, np.einsum("niqd,njqd->nqij", slopes, slopes))


def test_slopes_along_any_orthogonal_directions_give_the_same_inner_products():
    heads, points = smooth_heads(5, 12, 3, 2), random_points(4, 5)
    turned = jnp.asarray(np.linalg.qr(np.random.default_rng(0).standard_normal((5, 5)))[0])
    steps = jnp.full(5, 1e-7)
    for gram in (field_gram, pointwise_gram):
        along = quick_jit(lambda v, gram=gram: (gram(heads, points, None), gram(heads, points, steps, v)))(turned)
        assert_allclose(*along, rtol=1e-5, atol=1e-7)


def test_a_few_random_directions_stand_for_many_inputs_without_bias():
    heads, points = smooth_heads(6, 3, 4, 1), random_points(4, 6)
    term = Diversity(weight=1.0, epsilon=1e-5, spread=jnp.ones(6), where=AtData(), n_directions=2)
    lengths, towards = term.draw(np.random.default_rng(0), 4000, 6)
    assert lengths.shape == (4000, 2)
    assert_allclose(np.linalg.norm(towards, axis=-1), 1, rtol=1e-6)
    many = jax.vmap(lambda z, v: field_gram(heads, points, z * 1e-5, v))(jnp.asarray(lengths), jnp.asarray(towards))
    exact = field_gram(heads, points, None)
    assert_allclose(jnp.mean(many, axis=0) * 6 / 2, exact, atol=0.05 * float(jnp.max(exact)))
    few = term.draw(np.random.default_rng(0), 3, 2)
    assert_allclose(few, replace(term, n_directions=None).draw(np.random.default_rng(0), 3, 2))


def test_mean_squared_cosine_by_hand():
    vectors = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 2.0]])  # at 45°, 45° and 90° of each other
    K = np.stack([vectors @ vectors.T, np.ones((3, 3))])
    assert_allclose(mean_squared_cosine(jnp.asarray(K)), ((0.5 + 0.5 + 0) / 3 + 1) / 2)


def test_finite_differences_approach_the_exact_penalty_linearly():
    function = penalties(smooth_heads(2, 3, 4, 1))
    values = [function(random_points(5, 2), [0.7, -1.2], epsilon) for epsilon in (1e-2, 1e-3, 1e-4)]
    for similarity in PENALTIES:
        errors = [abs(v[similarity, "finite-difference"] - v[similarity, "exact"]) for v in values]
        assert errors[0] > 1e-6
        assert_allclose(np.divide(errors[:-1], errors[1:]), 10, rtol=0.1)


def test_pointwise_cosines_of_one_input_are_always_one():
    kinds = [("pointwise", "exact"), ("field", "exact")]
    out = penalties(smooth_heads(1, 3, 4, 1), slopes=True, kinds=kinds)(random_points(5, 1), [1.0])
    value, gradient = out["pointwise", "exact"]
    assert_allclose(value, 1)
    assert all(np.max(np.abs(leaf)) < 1e-10 for leaf in jax.tree.leaves(gradient))
    assert out["field", "exact"][0] < 0.99


def test_a_flat_head_is_similar_to_none():
    heads, points = smooth_heads(2, 3, 4, 1), random_points(5, 2)
    flat = Heads(heads.phi, heads.W.at[0, :, :-1].set(0))
    slopes = slopes_by_autodiff(flat, points.X)[:, 1:]
    out = penalties(flat, True, [(similarity, "exact") for similarity in PENALTIES])(points, [0.7, -1.2])
    for similarity, penalty in PENALTIES.items():
        value, _ = out[similarity, "exact"]
        assert_allclose(value, penalty(slopes, points.weight) * 3 / 6)  # 3 pairs of 6 are left
    assert all(np.all(np.isfinite(leaf)) for leaf in jax.tree.leaves(out))


def test_all_heads_flat_in_single_precision_is_zero_and_finite():
    heads, points = smooth_heads(2, 3, 4, 1), random_points(5, 2)
    flat = Heads(heads.phi, jnp.zeros_like(heads.W))
    flat, points = jax.tree.map(
        lambda leaf: jnp.asarray(leaf, jnp.float32) if eqx.is_array(leaf) else leaf, (flat, points)
    )
    kinds = KINDS[:2]
    out = penalties(flat, True, kinds)(points, np.ones(2, np.float32), np.float32(0.3))
    assert all(value == 0 for value, _ in out.values())
    assert all(np.all(np.isfinite(leaf)) for leaf in jax.tree.leaves(out))


def test_perturbations_are_standard_normal_kept_away_from_zero():
    z = diversity(3, gradient="finite-difference").draw(np.random.default_rng(0), 20000, 3)
    assert z.shape == (20000, 3)
    assert np.min(np.abs(z)) >= np.float32(0.01)
    assert_allclose(np.mean(z, axis=0), 0, atol=0.03)
    assert_allclose(np.std(z, axis=0), 1, atol=0.02)
    assert diversity(3).draw(np.random.default_rng(0), 5, 3) is None


def test_unknown_names_list_the_known_ones():
    with pytest.raises(ValueError, match=r"unknown similarity 'fields'.*field, pointwise"):
        diversity(2, "fields")
    with pytest.raises(ValueError, match=r"unknown gradient 'fd'.*finite-difference, exact"):
        diversity(2, gradient="fd")


def test_one_head_is_refused():
    with pytest.raises(ValueError, match="at least 2; got 1"):
        luna_objective(sigma2=1.0, gamma=0.0, lam=1.0, epsilon=0.1, spread=np.ones(2), n_heads=1, where=AtData())
