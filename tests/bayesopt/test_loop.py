import io
import warnings
from functools import partial

import numpy as np
import pytest
from rich.progress import Progress
from sklearn.base import clone
from sklearn.ensemble import RandomForestRegressor
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.linear_model import BayesianRidge

from unabases import UNA, GaussianProcess, NeuralLinear, VanillaEnsemble
from unabases.bayesopt import BayesOpt, Space, SpaceExhaustedError, log_expected_improvement
from unabases.bayesopt.proposer import Proposer
from unabases.regressors import DivergedError
from unabases.terms import Monotone

SPACE = Space(x=(-5.0, 10.0), y=(0.0, 15.0))
MIXED = Space(x=(-1.0, 1.0), n=(1, 100, "log-integer"), kind=["a", "b", "c"])
GP = GaussianProcess(restarts=0)
SKLEARN = GaussianProcessRegressor(RBF(0.5, "fixed"), alpha=1e-4, optimizer=None)
SMALL = NeuralLinear(
    "mle", hidden_layer_sizes=(10, 10), activation="tanh", sigma2=1e-4, prior_variance=1.0, max_steps=60
)


def bowl(point):
    return (point["x"] - 2) ** 2 + (point["y"] - 7) ** 2


def mixed(point):
    return (point["x"] - 0.3) ** 2 + (np.log10(point["n"]) - 1) ** 2 + {"a": 0.5, "b": 0.0, "c": 0.2}[point["kind"]]


@pytest.mark.parametrize("surrogate", [GP, SMALL, SKLEARN], ids=["gp", "nlm", "sklearn"])
def test_the_minimum_of_a_bowl_is_found(surrogate):
    study = BayesOpt(SPACE, surrogate=surrogate, n_initial=5, random_state=0)
    assert study.minimize(bowl, n=30).value < 0.3
    assert len(study.history_) == 30


def test_maximising_is_minimising_the_negative():
    down = BayesOpt(SPACE, surrogate=GP, random_state=0)
    up = BayesOpt(SPACE, surrogate=GP, maximize=True, random_state=0)
    down.minimize(bowl, n=9)
    up.optimize(lambda x: -bowl(x), n=9)
    assert up.best_.x == pytest.approx(down.best_.x)
    assert up.best_.value == -down.best_.value
    np.testing.assert_allclose(up.history_["best"], -down.history_["best"])
    point = {"x": 1.0, "y": 1.0}
    np.testing.assert_allclose(up.predict([point])[0], -down.predict([point])[0], rtol=1e-6)
    np.testing.assert_allclose(up.acquisition_values([point]), down.acquisition_values([point]), rtol=1e-6)
    with pytest.raises(ValueError, match="maximize=True; call `optimize`"):
        up.minimize(bowl)


@pytest.mark.parametrize("acquisition", ["ei", "lcb", "thompson"])
@pytest.mark.parametrize("surrogate", [GP, SMALL], ids=["gp", "nlm"])
def test_no_point_leaves_the_space_or_comes_twice(surrogate, acquisition):
    study = BayesOpt(MIXED, surrogate=surrogate, acquisition=acquisition, n_initial=4, random_state=1)
    seen = []
    for _ in range(4):
        batch = study.ask(n=3)
        for point in batch:
            assert MIXED.check(point) == point
            seen.append(MIXED.key(point))
        study.tell(batch[:2], [mixed(point) for point in batch[:2]])  # the third is never told
    assert len(set(seen)) == len(seen) == 12
    assert len(study.pending_) == 4


def test_each_point_of_a_thompson_batch_is_the_minimum_of_a_function_of_its_own(monkeypatch):
    """The oracle draws the same functions by hand; the surrogate is fitted once for all of them."""
    study = BayesOpt(Space(x=(0.0, 1.0)), surrogate=SMALL, acquisition="thompson", n_initial=4, random_state=0)
    for x in (0.0, 0.3, 0.8, 1.0):
        study.tell({"x": x}, (x - 0.5) ** 2)
    fits = []
    fit = Proposer.fit
    monkeypatch.setattr(Proposer, "fit", lambda *given: fits.append(1) or fit(*given))
    grid = np.linspace(0, 1, 401)[:, None]
    for asked, point in enumerate(study.ask(n=4)):
        drawn = study._proposer.belief.draw(np.random.default_rng([0, asked, 1]))
        values = drawn.moments(grid)[0]
        assert drawn.moments(np.array([[point["x"]]]))[0][0] < values.min() + 0.02 * np.ptp(values)
    assert len(fits) == 1
    assert len({point["x"] for point in study.pending_}) == 4


def test_asking_again_without_telling_gives_other_points_far_apart():
    study = BayesOpt(Space(x=(0.0, 1.0)), surrogate=SMALL, n_initial=4, random_state=0)
    for x in (0.0, 0.3, 0.8, 1.0):
        study.tell({"x": x}, (x - 0.5) ** 2)
    first, second = study.ask(), study.ask()
    assert abs(first["x"] - second["x"]) >= 1e-3


def test_pending_points_make_what_is_near_less_promising():
    study = BayesOpt(Space(x=(0.0, 1.0)), surrogate=SMALL, n_initial=3, random_state=0)
    for x in (0.0, 0.4, 1.0):
        study.tell({"x": x}, np.cos(5 * x))
    belief = study._fitted().belief
    at = np.array([[0.7]])
    mean, std = belief.moments(at)
    sure = belief.believe(at)
    np.testing.assert_allclose(sure.moments(at)[0], mean, rtol=1e-6)
    assert sure.moments(at)[1] < 0.2 * std
    again = belief.moments(at)
    np.testing.assert_array_equal(again[1], std)  # the belief itself is not changed


def test_the_first_points_are_sobol_points():
    study = BayesOpt(SPACE, n_initial=8, random_state=5)
    asked = SPACE.encode([study.ask() for _ in range(8)])
    np.testing.assert_allclose(asked, SPACE.sobol(8, 5), atol=1e-12)


def test_told_points_count_as_first_ones():
    study = BayesOpt(SPACE, surrogate=GP, n_initial=2, random_state=0)
    study.tell([{"x": 0, "y": 0}, {"x": 1, "y": 1}], np.array([3.0, 2.0]))
    study.ask()
    assert study.surrogate_.X_train_.shape == (2, 2)


def test_the_same_seed_gives_the_same_study_and_another_one_another():
    runs = [BayesOpt(MIXED, surrogate=SMALL, n_initial=4, random_state=seed) for seed in (3, 3, 4)]
    for study in runs:
        study.minimize(mixed, n=7)
    assert runs[0].history_.equals(runs[1].history_)
    assert not runs[0].history_.equals(runs[2].history_)


def test_failed_evaluations_are_kept_and_avoided():
    study = BayesOpt(Space(x=(0.0, 1.0)), surrogate=GP, n_initial=4, random_state=0)

    def half(point):
        if point["x"] > 0.5:
            raise ArithmeticError("no value here")
        return -point["x"]

    study.minimize(half, n=20, catch=ArithmeticError)
    states = study.history_["state"]
    assert set(states) == {"told", "failed"}
    assert study.best_.value <= -0.4
    assert (states == "failed").mean() < 0.6
    assert study.history_["value"].isna().sum() == (states == "failed").sum()
    assert study.history_["best"].iloc[-1] == study.best_.value


@pytest.mark.parametrize("failed", [None, float("nan"), np.inf, -np.inf])
def test_what_is_no_number_is_a_failure(failed):
    study = BayesOpt(Space(x=(0.0, 1.0)), surrogate=GP, n_initial=2, random_state=0)
    for _ in range(4):  # all fail: the sequence goes on
        study.tell(study.ask(), failed)
    assert list(study.history_["state"]) == ["failed"] * 4
    with pytest.raises(AttributeError, match="no value has been told"):
        _ = study.best_
    with pytest.raises(AttributeError, match="at least two values"):
        _ = study.surrogate_
    study.fail(study.ask())
    study.tell(study.ask(), 1.0)
    assert study.best_.value == 1.0


def test_an_error_that_is_not_caught_leaves_the_point_pending_and_it_comes_first_again():
    study = BayesOpt(Space(x=(0.0, 1.0)), surrogate=GP, n_initial=3, random_state=0)

    def broken(point):
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        study.minimize(broken, n=5)
    (waiting,) = study.pending_
    seen = []
    study.minimize(lambda x: seen.append(x) or x["x"], n=5)
    assert seen[0] == waiting
    assert len(seen) == len(study.history_) == 5
    study.minimize(broken, n=5)  # there are five already: nothing to do


def test_a_callback_sees_every_evaluation_and_can_end_the_search():
    counts = []
    study = BayesOpt(SPACE, surrogate=GP, random_state=0)
    study.minimize(bowl, n=50, callback=lambda s: counts.append(len(s.history_)) or len(counts) == 3)
    assert counts == [1, 2, 3]


def test_a_progress_bar_shows_the_best(monkeypatch):
    from rich.console import Console

    shown = io.StringIO()
    real = Progress.__init__
    fake = lambda self, *a, **k: real(self, *a, **{**k, "console": Console(file=shown, width=120)})  # noqa: E731
    monkeypatch.setattr(Progress, "__init__", fake)
    study = BayesOpt(SPACE, surrogate=GP, random_state=0)
    study.minimize(bowl, n=3, verbose=True)
    assert "3/3" in shown.getvalue()
    assert f"best {study.best_.value:.5g}" in shown.getvalue()


@pytest.mark.parametrize("surrogate", [GP, SMALL], ids=["gp", "nlm"])
def test_a_small_space_is_searched_whole_and_then_says_so(surrogate):
    space = Space(n=(1, 3, "integer"), c=["a", "b"])
    study = BayesOpt(space, surrogate=surrogate, n_initial=2, random_state=0)
    value = lambda point: point["n"] + (point["c"] == "a")  # noqa: E731
    with pytest.warns(UserWarning, match="ends after 6 of 50 evaluations"):
        study.minimize(value, n=50)
    assert len(study.history_) == 6
    assert study.best_.x == {"n": 1, "c": "b"}
    with pytest.raises(SpaceExhaustedError, match="all 6 points"):
        study.ask()
    study.tell({"n": 1, "c": "b"}, 1.5)  # a second look is welcome
    assert len(study.history_) == 7


def test_a_dictionary_is_a_space():
    assert BayesOpt({"x": (-5.0, 10.0), "y": (0.0, 15.0)}).space == SPACE


def test_a_range_of_two_ints_that_is_exhausted_says_how_to_get_real_numbers():
    study = BayesOpt(Space(x=(0, 1)), random_state=0)
    study.ask(n=2)
    with pytest.raises(SpaceExhaustedError, match=r"all 2 points .* write an end as a float"):
        study.ask()


def test_a_batch_of_the_rest_of_a_small_space():
    study = BayesOpt(Space(c=["a", "b", "c"]), random_state=0)
    assert {point["c"] for point in study.ask(n=10)} == {"a", "b", "c"}


@pytest.mark.parametrize(
    "surrogate", [BayesianRidge(), SKLEARN, VanillaEnsemble(n_members=3, max_steps=30, sigma2=0.01)]
)
def test_any_regressor_with_a_standard_deviation_is_a_surrogate(surrogate):
    study = BayesOpt(MIXED, surrogate=surrogate, n_initial=4, random_state=0)
    study.minimize(mixed, n=6)
    mean, std = study.predict([study.best_.x])
    assert mean.shape == std.shape == (1,)
    assert std[0] >= 0


def test_values_of_any_scale_do_not_matter_to_an_estimator_of_scikit_learn():
    asked = []
    for scale in (1.0, 1e6):
        study = BayesOpt(SPACE, surrogate=SKLEARN, n_initial=5, random_state=0)
        study.minimize(lambda x: scale * bowl(x) + scale, n=8)  # noqa: B023
        asked.append(study.space.encode([dict(row) for _, row in study.history_[["x", "y"]].iterrows()]))
    np.testing.assert_allclose(asked[0], asked[1], atol=1e-3)


@pytest.mark.parametrize("worst", [1e4, 1e8, 1e12])
def test_values_that_explode_do_not_hide_how_the_others_differ(worst):
    def explosive(point):
        return worst if point["x"] > 4 else bowl(point)

    study = BayesOpt(SPACE, surrogate=GP, n_initial=6, random_state=0)
    best = study.minimize(explosive, n=20)
    assert (study.history_["value"] == worst).any()
    assert best.value < 0.5


def test_predictions_are_in_the_units_of_what_was_told():
    points = [{"x": x, "y": y} for x, y in ((0, 0), (1, 9), (8, 4), (-3, 12))]
    values = np.array([500.0, 800.0, 650.0, 420.0])
    seen = np.array([500.0, 500 + 160 * (1 - (1 + 300 / 80) ** -0.5), 500 + 160 * (1 - (1 + 150 / 80) ** -0.5), 420.0])
    study = BayesOpt(SPACE, surrogate=SKLEARN)
    study.tell(points, values)
    own = clone(SKLEARN).fit(SPACE.encode(points), (seen - seen.mean()) / seen.std())
    at = [{"x": 3.0, "y": 3.0}, {"x": 9.0, "y": 1.0}, {"x": -3.0, "y": 12.5}]
    mean, std = own.predict(SPACE.encode(at), return_std=True)
    improvement = log_expected_improvement(mean, std, (420.0 - seen.mean()) / seen.std())
    np.testing.assert_allclose(study.acquisition_values(at), improvement, rtol=1e-9)
    mean, std = seen.mean() + seen.std() * mean, seen.std() * std
    assert mean.min() < 500 < mean.max()

    def told(w):
        return w if w < 500 else min(500 + 80 * ((1 - (w - 500) / 160) ** -2 - 1), 800) if w < 660 else 800

    expected = [told(m) for m in mean], [(told(m + s) - told(m - s)) / 2 for m, s in zip(mean, std, strict=True)]
    np.testing.assert_allclose(study.predict(at), expected, rtol=1e-9)


def test_without_the_warp_the_surrogate_sees_standardised_values_alone():
    points = [{"x": x, "y": y} for x, y in ((0, 0), (1, 9), (8, 4), (-3, 12))]
    values = np.array([500.0, 800.0, 650.0, 420.0])
    study = BayesOpt(SPACE, surrogate=SKLEARN, warp=False)
    study.tell(points, values)
    own = clone(SKLEARN).fit(SPACE.encode(points), (values - values.mean()) / values.std())
    mean, std = own.predict(SPACE.encode([{"x": 3.0, "y": 3.0}]), return_std=True)
    expected = values.mean() + values.std() * mean, values.std() * std
    np.testing.assert_allclose(study.predict([{"x": 3.0, "y": 3.0}]), expected, rtol=1e-9)


def test_a_surrogate_that_diverges_does_not_end_the_search(monkeypatch):
    def diverge(self, X, y):
        raise DivergedError("training diverged")

    monkeypatch.setattr(NeuralLinear, "fit", diverge)
    study = BayesOpt(SPACE, surrogate=SMALL, n_initial=2, random_state=0)
    with pytest.warns(UserWarning, match="could not be fitted to 2 rows: training diverged"):
        study.minimize(bowl, n=3)
    assert len(study.history_) == 3


def test_constant_values_and_repeated_points_are_no_trouble():
    study = BayesOpt(SPACE, surrogate=SMALL, n_initial=3, random_state=0)
    for _ in range(3):
        study.tell({"x": 1, "y": 1}, 2.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        point = study.ask()
    assert SPACE.check(point)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"acquisition": "pi"}, "unknown acquisition 'pi'; known ones are ei, lcb, thompson"),
        ({"n_initial": 0}, "`n_initial` must be a whole number"),
        ({"kappa": -1}, "`kappa` must be"),
        ({"random_state": "x"}, "`random_state` must be"),
    ],
)
def test_wrong_options_are_refused(options, says):
    with pytest.raises(ValueError, match=says):
        BayesOpt(SPACE, **options)


def test_wrong_kinds_of_things_are_refused():
    with pytest.raises(TypeError, match="must be a Space or a dictionary"):
        BayesOpt([(0.0, 1.0)])
    with pytest.raises(TypeError, match="return_std=True"):
        BayesOpt(SPACE, surrogate=RandomForestRegressor())
    with pytest.raises(ValueError, match="column of that name"):
        BayesOpt(Space(value=(0.0, 1.0)))
    study = BayesOpt(SPACE, random_state=0)
    with pytest.raises(TypeError, match="must be a number, or None"):
        study.tell(study.ask(), "low")
    with pytest.raises(ValueError, match="2 points need as many values"):
        study.tell(study.ask(n=2), [1.0])
    with pytest.raises(ValueError, match="`x` must be a number between"):
        study.tell({"x": 99, "y": 0}, 1.0)
    with pytest.raises(ValueError, match="`n` must be"):
        study.ask(n=0)


def test_thompson_needs_joint_values():
    study = BayesOpt(SPACE, surrogate=BayesianRidge(), acquisition="thompson", n_initial=3, random_state=0)
    with pytest.raises(TypeError, match="BayesianRidge gives only standard deviations"):
        study.minimize(bowl, n=4)


def test_a_generator_seeds_a_study():
    make = partial(BayesOpt, SPACE, n_initial=2)
    a, b = (make(random_state=np.random.default_rng(0)).ask() for _ in range(2))
    assert a == b
    assert make(random_state=np.random.RandomState(0)).ask() == make(random_state=np.random.RandomState(0)).ask()
    assert make().ask() != make().ask()


def test_a_study_that_maximises_turns_its_terms_around():
    """Of a function that rises, told as it is, the surrogate expects most at the upper end."""
    told = UNA(terms=[Monotone(0)], max_steps=20, n_folds=2, n_slabs=0, hidden_layer_sizes=(8, 8), random_state=0)
    study = BayesOpt(Space(x=(0.0, 1.0)), surrogate=told, maximize=True, warp=False, random_state=0)
    for x, value in ((0.0, 0.0), (0.1, 0.1), (0.3, 0.35), (0.4, 0.3), (0.55, 0.6), (0.7, 0.7)):
        study.tell({"x": x}, value)
    mean, _ = study.predict([{"x": x} for x in np.linspace(0, 1, 40)])
    assert np.diff(mean).min() > -0.01
    assert mean[-1] > mean[0] + 0.1
    assert study.surrogate.terms == [Monotone(0)]
    assert study.surrogate_.terms == [Monotone(0, increasing=False)]
