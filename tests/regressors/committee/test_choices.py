"""The steps of choosing by left-out rows, on straight lines with noise of a known kind."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.regressors.linear_network import Identity
from unabases.regressors.committee.choices import Asked, TrainedMembers, choose_by_left_out
from unabases.regressors.committee.members import Split, make_features
from unabases.regressors.knowledge.known_values import KnownSums, Sums
from unabases.regressors.processes.smooth_kernel import SmoothKernel
from unabases.regressors.shared.weights import WeightedRows

N = 400
Z = np.random.default_rng(1).uniform(-1.7, 1.7, (N, 1))
CHOOSE = np.array([np.nan])


def draw_line(noise_std, df=None):
    """y = x and noise, normal or of Student's t."""
    rng = np.random.default_rng(2)
    noise = rng.standard_normal(N) if df is None else rng.standard_t(df, N)
    return Z + (noise_std * noise)[:, None]


def members_that(t, *out, known=()):
    """Members with straight lines as features, each of which left some rows out."""
    features = make_features(Identity(), SmoothKernel(1.0, 0.0, 0.1, np.ones(1)), Z, np.arange(8))
    splits = [Split(np.flatnonzero(~rows), np.flatnonzero(rows)) for rows in out]
    return TrainedMembers([features] * len(splits), splits, WeightedRows(Z, t, None), known)


def choose(t, asked, known=()):
    folds = [np.arange(N) % 4 == k for k in range(4)]
    middle = np.abs(Z[:, 0]) < 0.5
    return choose_by_left_out(members_that(t, *folds, known=known), members_that(t, middle, known=known), asked)


def value_at_zero(value, std):
    """The function is said to have a value at 0."""
    return KnownSums(Sums(np.zeros((1, 1, 1)), np.ones(1)), np.array([[value]]), np.array([[std]]))


def test_normal_noise_of_one_size_has_no_pattern_and_only_the_tails_of_doubt():
    chosen = choose(draw_line(np.full(N, 0.3)), Asked(CHOOSE))
    assert chosen.pattern is None
    assert chosen.tails is not None
    assert_allclose([chosen.tails.df, chosen.tails.far], N / 2)  # the variance is estimated by N rows
    assert_allclose(chosen.tails.factor, 1.0)
    assert choose(draw_line(np.full(N, 0.3)), Asked(CHOOSE, tails="normal")).tails is None
    assert_allclose(chosen.variances.sigma2, 0.09, rtol=0.15)
    assert chosen.chances == []


def test_noise_that_varies_is_found_unless_it_is_said_to_be_constant():
    truth = 0.1 + 0.5 * (Z[:, 0] > 0)
    chosen = choose(draw_line(truth), Asked(CHOOSE))
    assert chosen.pattern is not None
    quiet, loud = chosen.pattern(np.array([[-1.0], [1.0]]))
    assert 10 < loud / quiet < 80  # the truth is 36
    assert choose(draw_line(truth), Asked(CHOOSE, noise="constant")).pattern is None


def test_outliers_are_found_unless_tails_are_said_to_be_normal():
    t = draw_line(np.full(N, 0.2), df=3)
    tails = choose(t, Asked(CHOOSE)).tails
    assert tails is not None
    assert tails.df[0] <= 6
    assert choose(t, Asked(CHOOSE, tails="normal")).tails is None


def test_a_noise_variance_that_is_given_stays_and_is_not_doubted():
    chosen = choose(draw_line(0.1 + 0.5 * (Z[:, 0] > 0), df=3), Asked(np.array([0.25])))
    assert chosen.variances.sigma2 == 0.25
    assert chosen.pattern is None
    assert chosen.tails is None


@pytest.mark.parametrize(("value", "least", "most"), [(0.0, 0.05, 1.0), (2.0, 0.0, 1e-6)])
def test_what_is_known_is_doubted_where_the_rows_speak_against_it(value, least, most):
    chosen = choose(draw_line(np.full(N, 0.3)), Asked(CHOOSE), known=[value_at_zero(value, 0.01)])
    (chance,) = chosen.chances
    assert least <= chance <= most


def test_a_wrong_value_that_all_members_believe_makes_the_noise_larger():
    t = draw_line(np.full(N, 0.3))
    right, wrong = (choose(t, Asked(CHOOSE), [value_at_zero(value, 0.01)]).variances.sigma2 for value in (0.0, 2.0))
    assert wrong > right
