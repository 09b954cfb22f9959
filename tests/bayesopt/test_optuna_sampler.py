import pickle
import warnings

import numpy as np
import optuna
import pytest
from optuna.samplers import RandomSampler
from optuna.testing.pytest_samplers import BasicSamplerTestCase, RelativeSamplerTestCase, SingleOnlySamplerTestCase

from unabases import UNA, GaussianProcess
from unabases.bayesopt.optuna_sampler import UnabasesSampler
from unabases.terms import Monotone


@pytest.fixture(autouse=True)
def quiet():
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        yield


def make(**more):
    return UnabasesSampler(**{"surrogate": GaussianProcess(restarts=0), "n_startup_trials": 1, "seed": 0, **more})


class TestOptunasOwn(BasicSamplerTestCase, RelativeSamplerTestCase, SingleOnlySamplerTestCase):
    """What Optuna asks of every sampler, of those that sample relatively, and of those with one objective."""

    @pytest.fixture
    def sampler(self):
        return make


def objective(trial):
    x = trial.suggest_float("x", -5, 5)
    n = trial.suggest_int("n", 1, 100, log=True)
    kind = trial.suggest_categorical("kind", ["a", "b"])
    return (x - 1) ** 2 + (np.log10(n) - 1) ** 2 + (kind == "a")


def test_it_finds_more_than_chance():
    values = {}
    for name, sampler in (("ours", make(n_startup_trials=5)), ("random", RandomSampler(seed=0))):
        study = optuna.create_study(sampler=sampler)
        study.optimize(objective, n_trials=25)
        values[name] = study.best_value
    assert values["ours"] < 0.05
    assert values["ours"] < values["random"]


def test_maximising_and_the_same_seed_give_the_same_points():
    def run(direction, sign):
        study = optuna.create_study(sampler=make(n_startup_trials=4), direction=direction)
        study.optimize(lambda trial: sign * objective(trial), n_trials=8)
        return [trial.params for trial in study.trials]

    assert run("minimize", 1) == run("minimize", 1)
    for a, b in zip(run("minimize", 1), run("maximize", -1), strict=True):
        assert a.pop("kind") == b.pop("kind")
        assert a == pytest.approx(b, rel=1e-3)


def test_steps_are_kept_exactly():
    def stepped(trial):
        x = trial.suggest_float("x", 0.1, 0.9, step=0.2)
        n = trial.suggest_int("n", 3, 30, step=9)
        assert n in (3, 12, 21, 30)
        assert min(abs(x - value) for value in (0.1, 0.3, 0.5, 0.7, 0.9)) < 1e-12
        return x + n

    study = optuna.create_study(sampler=make(n_startup_trials=3))
    study.optimize(stepped, n_trials=22)  # more trials than points: repeats are left to the other sampler
    assert study.best_value == pytest.approx(3.1)
    assert len({tuple(trial.params.items()) for trial in study.trials[:20]}) >= 17


def test_running_trials_are_not_asked_for_again():
    study = optuna.create_study(sampler=make(n_startup_trials=4))
    study.optimize(objective, n_trials=6)
    trials = [study.ask() for _ in range(3)]
    points = [(t.suggest_float("x", -5, 5), t.suggest_int("n", 1, 100, log=True)) for t in trials]
    assert len(set(points)) == 3


def test_infinite_values_do_not_stop_it():
    study = optuna.create_study(sampler=make(n_startup_trials=2))
    study.optimize(
        lambda trial: float("inf") if trial.suggest_float("x", 0, 1) > 0.5 else trial.params["x"], n_trials=9
    )
    assert study.best_value < 0.5


def test_a_sampler_can_be_pickled_and_reseeded():
    sampler = make(n_startup_trials=2)
    study = optuna.create_study(sampler=sampler)
    study.optimize(objective, n_trials=4)
    again = pickle.loads(pickle.dumps(sampler))
    again.reseed_rng()
    study.sampler = again
    study.optimize(objective, n_trials=2)
    assert len(study.trials) == 6


def test_wrong_options_are_refused_at_once():
    with pytest.raises(ValueError, match="unknown acquisition"):
        UnabasesSampler(acquisition="x")
    with pytest.raises(ValueError, match="n_startup_trials"):
        UnabasesSampler(n_startup_trials=-1)


@pytest.mark.parametrize("ending", ["failed", "pruned", "constrained"])
def test_it_moves_away_from_where_trials_fail(ending):
    def fragile(trial):
        x = trial.suggest_float("x", 0, 1)
        if ending == "constrained":
            trial.storage.set_trial_system_attr(trial._trial_id, "constraints", [x - 0.5])
        elif x > 0.5:
            raise ValueError if ending == "failed" else optuna.TrialPruned
        return (x - 0.6) ** 2  # the best allowed place is next to the forbidden ones

    study = optuna.create_study(sampler=make(n_startup_trials=4))
    study.optimize(fragile, n_trials=25, catch=ValueError)
    lost = [trial.params["x"] for trial in study.trials if trial.params["x"] > 0.5]
    assert len(lost) <= 13  # chance alone loses half of them
    assert max(trial.params["x"] for trial in study.trials if trial.params["x"] <= 0.5) > 0.48
    assert np.ptp(lost[-3:]) > 1e-3  # not the same place again and again


def test_a_trial_that_failed_before_it_had_all_its_parameters_does_no_harm():
    def early(trial):
        x = trial.suggest_float("x", 0, 1)
        if trial.number == 3:
            raise ValueError
        return x + trial.suggest_float("z", 0, 1)

    study = optuna.create_study(sampler=make(n_startup_trials=2))
    study.optimize(early, n_trials=6, catch=ValueError)
    assert len(study.trials) == 6


def test_the_second_sampler_hears_of_every_trial():
    heard = []

    class Listener(RandomSampler):
        def before_trial(self, study, trial):
            heard.append(("before", trial.number))

        def after_trial(self, study, trial, state, values):
            heard.append(("after", trial.number, values))

    study = optuna.create_study(sampler=make(independent_sampler=Listener(seed=0)))
    study.optimize(lambda trial: trial.suggest_float("x", 0, 1) * 0 + 1.0, n_trials=3)
    assert heard[:2] == [("before", 0), ("after", 0, [1.0])]
    assert len(heard) == 6


@pytest.mark.parametrize("direction", ["minimize", "maximize"])
def test_terms_are_turned_around_for_a_study_that_maximises(direction):
    told = UNA(terms=[Monotone(0)], max_steps=20, n_folds=2, n_slabs=0, hidden_layer_sizes=(8, 8), random_state=0)
    sampler = make(surrogate=told, n_startup_trials=4)
    study = optuna.create_study(sampler=sampler, direction=direction)
    study.optimize(lambda trial: trial.suggest_float("x", 0, 1), 5)
    assert sampler._proposer.estimator.terms == [Monotone(0, increasing=direction == "minimize")]
