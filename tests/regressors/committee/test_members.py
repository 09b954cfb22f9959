"""Members of a committee: what they see, the features they have, and the errors on what they left out."""

import jax
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from unabases.features import MLP
from unabases.regressors.committee.members import (
    fit_kernels,
    known_rows,
    left_out_errors,
    make_features,
    moments_of,
    split_sample,
    weigh,
)
from unabases.regressors.committee.variances import Variances
from unabases.regressors.committee.varying_noise import NoisePattern
from unabases.regressors.processes.smooth_kernel import GivenNumbers
from unabases.regressors.shared.left_out import LeftOut, leave_folds_out

N = 60


@pytest.fixture
def rows():
    rng = np.random.default_rng(3)
    Z = rng.standard_normal((N, 2))
    return Z, (np.sin(Z[:, 0]) + 0.1 * rng.standard_normal(N))[:, None]


@pytest.fixture
def halves():
    even = np.arange(N) % 2 == 0
    return [LeftOut("fold", "even rows", even), LeftOut("fold", "odd rows", ~even)]


@pytest.fixture
def features(rows):
    Z, t = rows
    kernels = fit_kernels(Z, t, [], np.random.default_rng(0))
    return make_features(MLP(2, (4, 3), key=jax.random.key(0)), kernels.whole, Z, kernels.sample)


@pytest.fixture
def louder_to_the_right():
    return NoisePattern(
        weights=np.array([0.5, 0, 0, 0]),
        low=np.full(2, -3.0),
        high=np.full(2, 3.0),
        center=np.zeros(4),
        spread=np.ones(4),
        floor=0.03,
        level=1.0,
    )


def test_a_kernel_that_the_sample_refutes_is_not_predicted_with():
    """One member does not see where the function is steep, the other does."""
    rng = np.random.default_rng(0)
    Z = np.sort(rng.uniform(-2, 2, (80, 1)), axis=0)
    t = np.tanh(20 * Z) + 0.03 * rng.standard_normal((80, 1))
    absences = [LeftOut("slab", "middle", np.abs(Z[:, 0]) < 0.7), LeftOut("slab", "left", Z[:, 0] < -1)]
    kernels = fit_kernels(Z, t, absences, rng)
    ignorant, informed = kernels.to_predict_with(Z, t, None)
    assert ignorant is kernels.whole
    assert informed is kernels.own[1] is not kernels.whole
    assert kernels.own[0].lengths > 2 * kernels.whole.lengths


def test_a_large_table_is_sampled():
    fold = leave_folds_out(60_000, 3, np.random.default_rng(0))[0]
    seen, out = split_sample(fold, np.random.default_rng(0))
    assert len(seen) == 4096
    assert len(out) == 1400
    assert fold.rows[out].all()
    assert not fold.rows[seen].any()


def test_a_member_sees_the_sample_without_what_it_leaves_out(halves):
    assert_array_equal(known_rows(np.arange(10), halves[0]), [1, 3, 5, 7, 9])
    assert not halves[0].rows[known_rows(np.array([0, 2, 4]), halves[0])].any()


def test_each_member_has_a_kernel_of_what_it_sees(rows, halves):
    Z, t = rows
    kernels = fit_kernels(Z, t, halves, np.random.default_rng(0))
    changed = np.where(halves[0].rows[:, None], 5.0, t)  # only the second member sees the change
    again = fit_kernels(Z, changed, halves, np.random.default_rng(0))
    assert len(kernels.own) == 2
    assert_array_equal(np.sort(kernels.sample), np.arange(N))
    assert kernels.own[1].noise != again.own[1].noise


def test_a_nearly_exact_function_is_looked_at_in_more_rows():
    rng = np.random.default_rng(0)
    Z = rng.standard_normal((800, 1))
    quiet, noisy = np.sin(Z), np.sin(Z) + 0.3 * rng.standard_normal((800, 1))
    assert len(fit_kernels(Z, noisy, [], rng).sample) == 400
    more = fit_kernels(Z, quiet, [], rng)
    assert len(more.sample) == 700
    assert more.centres > 400


def test_many_inputs_are_looked_at_in_more_rows():
    """Features that know a kernel at 300 rows hold no plane of 160 inputs well."""
    rng = np.random.default_rng(0)
    Z = rng.standard_normal((800, 160))
    t = Z @ rng.standard_normal((160, 1)) / np.sqrt(160) + 0.3 * rng.standard_normal((800, 1))
    given = GivenNumbers(1.0, np.full(160, 20.0))  # nothing but the noise is fitted
    narrower = given._replace(lengths=given.lengths[:9])
    wide, narrow = fit_kernels(Z, t, [], rng, given), fit_kernels(Z[:, :9], t, [], rng, narrower)
    assert (len(wide.sample), len(narrow.sample)) == (700, 400)
    assert wide.centres > narrow.centres


def test_the_ratio_scales_the_kernel_only(rows, features):
    Z, _ = rows
    once, four_times = features(Z), features(Z, ratio=4.0)
    of_network = 3 + 1
    assert_array_equal(once[:, :of_network], four_times[:, :of_network])
    assert_array_equal(once[:, 3], 1.0)
    assert_allclose(four_times[:, of_network:], 2 * once[:, of_network:])


def test_a_mean_is_found_from_covariances_with_the_centres(rows, features):
    Z, _ = rows
    weights = np.random.default_rng(0).standard_normal(features(Z).shape[1])
    network, kernel = features.dual(weights, 4.0)
    found = features.of_network(Z) @ network + features.kernel.covariance(Z) @ kernel
    assert_allclose(found, features(Z, 4.0) @ weights, atol=1e-8)


def test_weighed_rows_have_the_same_noise_everywhere(rows, louder_to_the_right):
    Z, t = rows
    Phi = np.ones((N, 1))
    assert weigh(Phi, t, Z, None)[0] is Phi
    weighed, values = weigh(Phi, t, Z, louder_to_the_right)
    assert_allclose(weighed[:, 0] ** 2 * louder_to_the_right(Z), 1.0)
    assert_allclose(values / weighed, t)


def test_errors_are_those_of_the_exact_posterior_of_the_rows_seen(rows, halves, features, louder_to_the_right):
    Z, t = rows
    splits = [split_sample(absence, np.random.default_rng(0)) for absence in halves]
    members = [moments_of(features, split, Z, t, louder_to_the_right) for split in splits]
    chosen = Variances(1.0, np.array([0.5]), np.array([0.01]), np.ones(1))
    errors = left_out_errors(members, splits, Z, chosen)
    seen, out = splits[1]
    Phi = features(Z)
    covariance = 0.5 * Phi @ Phi.T
    noise = np.diag(0.01 * louder_to_the_right(Z[seen]))
    solved = np.linalg.solve(covariance[np.ix_(seen, seen)] + noise, covariance[np.ix_(seen, out)])
    variance = np.diag(covariance)[out] - np.sum(covariance[np.ix_(seen, out)] * solved, axis=0)
    mine = errors.fold == 1
    assert_array_equal(errors.Z[mine], Z[out])
    assert_allclose(errors.squares[mine, 0], (t[out, 0] - solved.T @ t[seen, 0]) ** 2, rtol=1e-5, atol=1e-10)
    assert_allclose(errors.epistemic[mine, 0], variance + 0.5 * features.kernel.missing(Z[out]), rtol=1e-5, atol=1e-9)
    assert_allclose(members[1].louder, louder_to_the_right(Z[out]))


def test_one_member_alone_has_no_errors_to_judge_by(rows, halves, features):
    Z, t = rows
    split = split_sample(halves[0], np.random.default_rng(0))
    chosen = Variances(1.0, np.array([0.5]), np.array([0.01]), np.ones(1))
    assert left_out_errors([moments_of(features, split, Z, t, None)], [split], Z, chosen) is None
