"""Splitting rows, starting warm, choosing among starts, and what lets two trainings share a program."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from unabases import NeuralLinear
from unabases.regressors.networks import step_one
from unabases.regressors.networks.step_one import (
    Plan,
    _program,
    as_history,
    final_loss,
    history_arrays,
    history_from,
    mean_of_running,
    residual_variance,
    split_rows,
    stack_members,
    take_member,
    train_runs,
    warm_starts,
)
from unabases.regressors.shared.saved_state import SavedState
from unabases.training import Recipe

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, (60, 2))
Y = np.sin(X[:, 0]) + 0.1 * RNG.standard_normal(60)
FAST = {"hidden_layer_sizes": (16, 8), "sigma2": 0.01, "max_steps": 50, "random_state": 0}


def plan(fraction):
    return Plan(lambda d, *, key: None, Recipe(), lambda rate: None, fraction)


@pytest.mark.parametrize(("n", "fraction", "held"), [(60, 0.1, 6), (3, 0.01, 1), (4, 0.99, 3)])
def test_rows_are_held_out_once_and_some_are_left(n, fraction, held):
    held_out, rest = split_rows(n, plan(fraction), np.random.default_rng(0))
    assert (len(held_out), len(rest)) == (held, n - held)
    assert_array_equal(np.sort(np.concatenate([held_out, rest])), np.arange(n))
    assert split_rows(n, plan(None), np.random.default_rng(0))[0] is None


def test_the_final_loss_is_the_mean_of_the_last_tenth_of_the_steps_taken():
    assert final_loss(np.r_[np.arange(20.0), np.full(5, np.nan)]) == 18.5
    assert final_loss(np.array([3.0])) == 3.0


def test_a_warm_start_replaces_the_first_only_where_shapes_agree():
    starts = {"W": np.zeros((3, 2), dtype=np.float32)}
    warmed = warm_starts(starts, {"W": np.ones(2, dtype=np.float32)})
    assert_array_equal(warmed["W"][:, 0], [1, 0, 0])
    assert warm_starts(starts, {"W": np.ones(3)}) is starts
    assert warm_starts(starts, None) is starts


def test_members_are_taken_from_where_they_were_stacked():
    members = [{"W": np.full(2, i), "name": "net"} for i in range(3)]
    assert_array_equal(take_member(stack_members(members), 2)["W"], [2, 2])


def test_a_history_survives_as_named_arrays():
    history = as_history({"loss": np.array([2.0, 1.0, np.nan]), "fit": np.array([1.5, 0.5, np.nan])})
    assert list(history.index) == [1, 2]
    assert history_from(SavedState(history_arrays(history), {})).equals(history)


def test_numbers_and_seeds_share_a_program_but_rows_and_shapes_do_not():
    def key(**own):
        model = NeuralLinear(**{**FAST, **own})
        return _program(model._step_one(model._prepare(X, Y)))

    same = key()
    assert key(gamma=3.0, learning_rate=1e-3, random_state=5, restarts=2) == same
    for own in ({"standardize": False}, {"hidden_layer_sizes": (8,)}, {"batch_size": 8}, {"optimizer": "sgd"}):
        assert key(**own) != same
    assert key(early_stopping=True) != same
    assert key(early_stopping=True) == key(early_stopping=True)
    assert key(early_stopping=True, random_state=1) != key(early_stopping=True)  # other rows are held out


def test_residual_variance_of_pure_noise_is_about_its_variance():
    noise = np.random.default_rng(3).standard_normal((200, 1))
    model = NeuralLinear(**{**FAST, "max_steps": 200})
    found = residual_variance(
        np.random.default_rng(4).standard_normal((200, 2)), noise, plan=model._plan(100), rng=np.random.default_rng(0)
    )
    assert 0.8 < found[0] < 1.5


def test_residual_variance_of_a_large_table_is_that_of_a_random_sample(monkeypatch):
    rng = np.random.default_rng(3)
    Z, t, weight = rng.standard_normal((900, 2)), rng.standard_normal((900, 1)), rng.uniform(0.5, 1.5, 900)
    own = NeuralLinear(**{**FAST, "max_steps": 20})._plan(200)
    monkeypatch.setattr(step_one, "_NOISE_ROWS", 200)
    found = residual_variance(Z, t, plan=own, rng=np.random.default_rng(0), weight=weight)
    rng = np.random.default_rng(0)
    some = rng.permutation(900)[:200]
    assert_array_equal(found, residual_variance(Z[some], t[some], plan=own, rng=rng, weight=weight[some]))


@pytest.mark.parametrize(("n", "fits"), [(9, 1), (200, 5), (1000, 2), (5000, 1)])
def test_as_many_fits_tell_the_noise_as_leave_enough_rows_out(monkeypatch, n, fits):
    rng, trained = np.random.default_rng(3), []
    monkeypatch.setattr(step_one, "_ENOUGH_OUT", 400)
    monkeypatch.setattr(step_one, "train_runs", lambda runs: trained.extend(runs) or train_runs(runs))
    own = NeuralLinear(**{**FAST, "max_steps": 20})._plan(n)
    found = residual_variance(rng.standard_normal((n, 2)), rng.standard_normal((n, 1)), plan=own, rng=rng)
    assert len(trained[0].objectives) == 2 * fits
    assert 0.3 < found[0] < 3


def test_the_history_is_the_mean_over_members_that_still_train():
    values = np.array([[1.0, 2.0, np.nan, np.nan], [3.0, 4.0, 5.0, np.nan]])
    assert_array_equal(mean_of_running(values), [2.0, 3.0, 5.0, np.nan])
