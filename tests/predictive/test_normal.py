import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis.strategies import floats, sampled_from
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import quad
from scipy.stats import kstest, multivariate_normal, norm

from unabases.predictive import Normal

SHAPES = [(1,), (5,), (4, 3)]


def draw(shape, seed=0, k=None):
    """A prediction with arbitrary values; with `k`, one that knows its covariance."""
    rng = np.random.default_rng(seed)
    mean, noise_std = rng.normal(size=shape), rng.uniform(0.1, 2, size=shape)
    if k is None:
        return Normal(mean, rng.uniform(0.1, 2, size=shape), noise_std)
    root = rng.normal(size=(*shape[1:], shape[0], k))
    return Normal(mean, np.sqrt((root**2).sum(-1)).T, noise_std, root)


@pytest.fixture(autouse=True)
def _no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


class TestDistribution:
    @given(sampled_from(SHAPES), floats(0, 20), floats(1e-3, 20), floats(-30, 30))
    def test_matches_scipy(self, shape, epistemic_std, noise_std, y):
        prediction = Normal(np.full(shape, 1.5), np.full(shape, epistemic_std), noise_std)
        reference = norm(1.5, np.sqrt(epistemic_std**2 + noise_std**2))
        assert_allclose(prediction.log_prob(np.full(shape, y)), reference.logpdf(np.full(shape, y)))
        assert_allclose(prediction.cdf(np.full(shape, y)), reference.cdf(np.full(shape, y)), atol=1e-300)
        assert_allclose(prediction.std, np.full(shape, reference.std()))
        assert_allclose(prediction.var, np.full(shape, reference.var()))

    def test_density_integrates_to_the_cdf(self):
        prediction = Normal([2.0], [0.7], [0.4])
        area, _ = quad(lambda y: np.exp(prediction.log_prob(y))[0], -20, 2.5)
        assert_allclose(prediction.cdf(2.5), [area], rtol=1e-7)

    @pytest.mark.parametrize("shape", SHAPES)
    def test_quantile_inverts_the_cdf_with_the_axes_of_q_first(self, shape):
        prediction = draw(shape)
        q = np.array([[0.01, 0.3], [0.5, 0.999]])
        values = prediction.quantile(q)
        assert values.shape == (2, 2, *shape)
        assert_allclose(prediction.cdf(values), np.broadcast_to(q.reshape(2, 2, *[1] * len(shape)), values.shape))
        assert_allclose(prediction.quantile(0.5), prediction.mean)

    def test_quantile_at_the_ends_is_infinite(self):
        assert_array_equal(Normal([0.0], [1.0], 1.0).quantile([0.0, 1.0]), [[-np.inf], [np.inf]])

    def test_y_may_have_leading_axes(self):
        prediction = draw((5,))
        y = np.linspace(-3, 3, 10).reshape(2, 5)
        assert_allclose(prediction.log_prob(y), norm.logpdf(y, prediction.mean, prediction.std))

    def test_far_tails_are_not_warnings(self):
        prediction = Normal([0.0], [0.0], [1e-200])
        assert_array_equal(prediction.log_prob(1e200), [-np.inf])
        assert_array_equal(prediction.cdf(1e200), [1.0])

    def test_nan_stays_nan(self):
        prediction = Normal([np.nan, 0.0, 0.0], [1.0, np.nan, 0.0], 0.0)
        y = [0.0, 0.0, np.nan]
        assert np.isnan(prediction.log_prob(y)).all()
        assert np.isnan(prediction.cdf(y)).all()


class TestPointMass:
    prediction = Normal([1.0, 1.0, 1.0], [0.0, 0.0, 0.0], 0.0)

    def test_log_prob_is_infinite(self):
        assert_array_equal(self.prediction.log_prob([0.9, 1.0, 1.1]), [-np.inf, np.inf, -np.inf])

    def test_cdf_is_a_step(self):
        assert_array_equal(self.prediction.cdf([0.9, 1.0, 1.1]), [0, 1, 1])

    def test_everything_else_is_the_mean(self):
        assert_array_equal(self.prediction.quantile([0.0, 0.3, 1.0]), np.ones((3, 3)))
        assert_array_equal(self.prediction.sample(4, random_state=0), np.ones((4, 3)))

    def test_mixes_with_ordinary_rows(self):
        prediction = Normal([0.0, 0.0], [0.0, 1.0], 0.0)
        assert_allclose(prediction.log_prob([1.0, 1.0]), [-np.inf, norm.logpdf(1)])
        assert_allclose(prediction.cdf([1.0, 1.0]), [1, norm.cdf(1)])


class TestCovariance:
    def test_is_the_product_of_the_root(self):
        prediction = Normal([0.0, 0.0], [5.0, 1.0], 1.0, root=[[3.0, 4.0], [1.0, 0.0]])
        assert_allclose(prediction.covariance, [[25, 3], [3, 1]])

    def test_has_one_matrix_per_output(self):
        prediction = draw((4, 3), k=2)
        assert prediction.covariance.shape == (3, 4, 4)
        diagonal = np.diagonal(prediction.covariance, axis1=1, axis2=2).T
        assert_allclose(diagonal, prediction.epistemic_std**2)

    def test_without_a_root_says_how_to_get_it(self):
        with pytest.raises(ValueError, match=r"predict_dist\(X, covariance=True\)"):
            _ = draw((5,)).covariance


class TestSample:
    N = 40_000

    @pytest.mark.parametrize("noise", [True, False])
    @pytest.mark.parametrize(("shape", "k"), [((3,), None), ((3,), 2), ((3, 2), None), ((3, 2), 4)])
    def test_marginals_are_right(self, shape, k, noise):
        prediction = draw(shape, seed=1, k=k)
        std = prediction.std if noise else prediction.epistemic_std
        samples = prediction.sample(self.N, random_state=2, noise=noise)
        assert samples.shape == (self.N, *shape)
        for index in np.ndindex(shape):
            column = samples[:, *index]
            assert kstest(column, norm(prediction.mean[index], std[index]).cdf).pvalue > 1e-3

    def test_rows_are_joint_with_a_root(self):
        prediction = draw((3,), k=3)
        samples = prediction.sample(self.N, random_state=0, noise=False)
        # Whitened by the covariance, squared lengths must average to the dimension.
        log_prob = multivariate_normal(prediction.mean, prediction.covariance).logpdf(samples)
        entropy = multivariate_normal(prediction.mean, prediction.covariance).entropy()
        assert_allclose(-log_prob.mean(), entropy, atol=5 * np.sqrt(3 / 2 / self.N))
        assert_allclose(np.cov(samples.T), prediction.covariance, atol=0.15)

    def test_outputs_have_their_own_covariance_and_are_independent(self):
        prediction = draw((2, 2), k=2)
        samples = prediction.sample(self.N, random_state=0, noise=False)
        expected = np.zeros((4, 4))
        expected[:2, :2], expected[2:, 2:] = prediction.covariance
        assert_allclose(np.cov(samples.transpose(0, 2, 1).reshape(-1, 4).T), expected, atol=0.15)

    def test_noise_is_independent_between_rows(self):
        root = np.ones((3, 1))
        samples = Normal(np.zeros(3), np.ones(3), 2.0, root).sample(self.N, random_state=0)
        assert_allclose(np.cov(samples.T), np.ones((3, 3)) + 4 * np.eye(3), atol=0.2)

    def test_rows_are_independent_without_a_root(self):
        samples = Normal(np.zeros(3), np.ones(3), 0.0).sample(self.N, random_state=0)
        assert_allclose(np.cov(samples.T), np.eye(3), atol=0.05)

    def test_a_seed_fixes_the_draw_and_its_function(self):
        prediction = draw((5,), k=2)
        assert_array_equal(prediction.sample(3, random_state=7), prediction.sample(3, random_state=7))
        noise = prediction.sample(3, random_state=7) - prediction.sample(3, random_state=7, noise=False)
        rng = np.random.default_rng(7)
        rng.standard_normal((3, 2))
        assert_allclose(noise, prediction.noise_std * rng.standard_normal((3, 5)), atol=1e-12)

    def test_a_generator_moves_on(self):
        rng = np.random.default_rng(0)
        prediction = draw((5,))
        assert not np.any(prediction.sample(2, rng) == prediction.sample(2, rng))

    def test_no_draws_is_an_empty_array(self):
        assert draw((4, 3)).sample(0).shape == (0, 4, 3)


class TestRows:
    @pytest.mark.parametrize("k", [None, 2])
    @pytest.mark.parametrize("shape", [(5,), (5, 3)])
    @pytest.mark.parametrize("rows", [slice(1, 4), [4, 0], np.arange(5) % 2 == 0, slice(0, 0)])
    def test_selection_takes_every_array_along(self, shape, k, rows):
        prediction = draw(shape, k=k)
        part = prediction[rows]
        for name in ("mean", "epistemic_std", "noise_std", "std"):
            assert_array_equal(getattr(part, name), getattr(prediction, name)[rows])
        assert len(part) == len(prediction.mean[rows])
        if k is not None:
            index = np.arange(5)[rows]
            assert_allclose(part.covariance, prediction.covariance[..., index[:, None], index])

    def test_an_integer_keeps_the_axis_and_iteration_ends(self):
        prediction = draw((5, 3))
        assert prediction[-1].shape == (1, 3)
        assert_array_equal(np.concatenate([row.mean for row in prediction]), prediction.mean)  # pyright: ignore


class TestConstruction:
    @pytest.mark.parametrize("noise_std", [2, 2.0, [2.0, 3.0], np.full((4, 2), 2.0)])
    def test_noise_is_broadcast(self, noise_std):
        prediction = Normal(np.zeros((4, 2)), np.ones((4, 2)), noise_std)
        assert_array_equal(prediction.noise_std, np.broadcast_to(noise_std, (4, 2)))

    def test_does_not_alias_or_change_its_arguments(self):
        mean = np.zeros(3)
        prediction = Normal(mean, np.ones(3), 1.0)
        mean[:] = 7
        assert_array_equal(prediction.mean, np.zeros(3))
        with pytest.raises(ValueError, match="read-only"):
            prediction.mean[0] = 1
        root = np.ones((3, 1))
        Normal(mean, np.ones(3), 1.0, root)
        root[0] = 2

    def test_is_frozen(self):
        with pytest.raises(AttributeError):
            draw((5,)).mean = np.zeros(5)  # pyright: ignore[reportAttributeAccessIssue]

    def test_float32_becomes_float64(self):
        prediction = Normal(np.zeros(3, np.float32), np.ones(3, np.float32), np.float32(1))
        assert prediction.mean.dtype == prediction.std.dtype == np.float64

    def test_survives_pickle(self):
        prediction = draw((4, 3), k=2)
        copy = pickle.loads(pickle.dumps(prediction))
        assert_array_equal(copy.covariance, prediction.covariance)

    def test_repr_is_short(self):
        assert repr(draw((4, 3), k=2)) == "Normal(shape=(4, 3), root=(3, 4, 2))"


class TestErrors:
    def test_mean_of_a_wrong_dimension(self):
        with pytest.raises(ValueError, match=r"\(n,\) or \(n, p\), got \(\)"):
            Normal(0.0, 1.0, 1.0)

    def test_epistemic_std_of_another_shape(self):
        with pytest.raises(ValueError, match=r"\(3, 1\) but `mean` has \(3,\)"):
            Normal(np.zeros(3), np.ones((3, 1)), 1.0)

    @pytest.mark.parametrize(
        ("shape", "root_shape"), [((3,), (2, 3)), ((3,), (3,)), ((3,), (1, 3, 2)), ((3, 2), (3, 2, 4))]
    )
    def test_root_of_a_wrong_shape(self, shape, root_shape):
        with pytest.raises(ValueError, match="`root` has shape"):
            Normal(np.zeros(shape), np.ones(shape), 1.0, np.ones(root_shape))

    def test_root_in_other_units(self):
        with pytest.raises(ValueError, match="units of y"):
            Normal(np.zeros(3), np.full(3, 10.0), 1.0, np.ones((3, 1)))
