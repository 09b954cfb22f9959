import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from unabases import UNA, load, runtime, save
from unabases.metrics import log_likelihood
from unabases.regressors.committee.repeats import MOST_ROWS, Repeats, group_rows
from unabases.regressors.shared.same_inputs import keys_of
from unabases.regressors.shared.saved_state import SavedState, StateError

RNG = np.random.default_rng(0)


def drawn_rows(n: int = 40, different: int = 12) -> tuple[np.ndarray, np.ndarray]:
    X = RNG.standard_normal((different, 3))[RNG.integers(different, size=n)]
    return X, RNG.standard_normal((n, 2))


def with_share(repeats: Repeats, *share: float) -> Repeats:
    return repeats._replace(share=np.array(share), df=np.full(len(share), 3.0))


class TestRecall:
    @pytest.mark.parametrize("share", [1e-6, 0.2, 0.7])
    @pytest.mark.parametrize("count", [1, 4])
    def test_it_is_what_gaussian_conditioning_gives(self, share: float, count: int) -> None:
        f, v, noise, t = 0.7, 0.4, 1.3, RNG.standard_normal((count, 1))
        shared, between = (1 - share) * noise, share * noise
        # the covariance of what the targets have beyond a function that is known, which the code never makes
        targets = shared * np.ones((count, count)) + between * np.eye(count)
        gain = shared * np.ones(count) @ np.linalg.inv(targets)
        mean, own = f + gain @ (t[:, 0] - f), shared - gain @ (shared * np.ones(count))
        variance = own + (1 - gain.sum()) ** 2 * v  # an error of the function is mended as far as targets count
        Z = np.ones((count, 2))
        column = np.ones((1, 1))
        said = with_share(group_rows(Z, t), share).recall(Z[:1], f * column, v * column, noise * column)
        assert_allclose([said.mean.item(), said.variance.item()], [mean, variance], rtol=1e-7, atol=1e-9)
        assert_allclose(said.noise, between)

    def test_where_nothing_is_shared_nothing_is_learned_twice(self) -> None:
        Z, t, one = np.zeros((3, 1)), np.ones((3, 1)), np.ones((1, 1))
        said = with_share(group_rows(Z, t), 1 - 1e-9).recall(Z[:1], 0 * one, one, one)
        assert_allclose([said.mean.item(), said.variance.item(), said.noise.item()], [0, 1, 1], atol=1e-7)

    def test_other_rows_stay_as_they_are(self) -> None:
        repeats = with_share(group_rows(*drawn_rows()), 0.1, 0.2)
        Z, said = RNG.standard_normal((5, 3)), RNG.uniform(1, 2, (3, 5, 2))
        now = repeats.recall(Z, *said)
        assert_array_equal(np.stack(now[:3]), said)
        assert np.isnan(now.df).all()

    def test_an_output_that_shares_nothing_stays_as_it_is(self) -> None:
        Z, t = drawn_rows()
        said = RNG.uniform(1, 2, (3, len(Z), 2))
        now = with_share(group_rows(Z, t), 1.0, 0.1).recall(Z, *said)
        assert_array_equal(np.stack(now[:3])[..., 0], said[..., 0])
        assert np.all(now.mean[:, 1] != said[0, :, 1])
        assert np.isnan(now.df[:, 0]).all()
        assert np.all(now.df[:, 1] == 3)


class TestRows:
    def test_rows_that_are_added_are_those_of_all_at_once(self) -> None:
        Z, t = drawn_rows()
        weight = RNG.uniform(0.5, 2, len(Z))
        whole = group_rows(Z, t, weight)
        parts = group_rows(Z[:15], t[:15], weight[:15]).add(Z[15:], t[15:], weight[15:])
        for one, other in zip(whole, parts, strict=True):
            assert_allclose(one, other)

    def test_rows_that_are_taken_out_were_never_there(self) -> None:
        Z, t = drawn_rows()
        rest = group_rows(Z, t).subtract(Z[15:], t[15:])
        for one, other in zip(group_rows(Z[:15], t[:15]), rest, strict=True):
            assert_allclose(one, other, atol=1e-12)

    def test_a_weight_is_how_often_a_row_counts(self) -> None:
        Z, t = drawn_rows()
        twice = group_rows(np.vstack([Z, Z[:9]]), np.vstack([t, t[:9]]))
        for one, other in zip(twice, group_rows(Z, t, 1.0 + (np.arange(len(Z)) < 9)), strict=True):
            assert_allclose(one, other)

    def test_memory_is_bounded(self) -> None:
        Z = np.arange(MOST_ROWS + 500.0)[:, None]
        repeats = group_rows(Z[:MOST_ROWS], Z[:MOST_ROWS]).add(Z, 0 * Z)
        assert len(repeats.keys) == MOST_ROWS
        assert np.all(repeats.count == 2)


class TestStates:
    def test_what_was_saved_is_read(self) -> None:
        repeats = with_share(group_rows(*drawn_rows()), 0.1, 0.2)
        again = Repeats.read(SavedState(repeats._asdict(), {}, p=2))
        assert again is not None
        assert all(np.array_equal(*pair) for pair in zip(repeats, again, strict=True))
        assert Repeats.read(SavedState({}, {})) is None

    @pytest.mark.parametrize(
        ("name", "change"),
        [
            ("keys", lambda keys: keys[::-1].copy()),
            ("keys", lambda keys: keys[:-1].copy()),
            ("count", lambda count: -count),
            ("mean", lambda mean: mean * 1e200),
            ("share", lambda share: share + 1),
            ("share", lambda share: share * 0),
            ("df", lambda df: df * 0 + 2),
        ],
    )
    def test_what_cannot_be_is_refused(self, name: str, change: object) -> None:
        repeats = with_share(group_rows(*drawn_rows()), 0.1, 0.2)
        state = repeats._asdict()
        state[name] = change(state[name])
        with pytest.raises(StateError):
            Repeats.read(SavedState(state, {}, p=2))


def table(shared: float, between: float) -> tuple[np.ndarray, np.ndarray]:
    """Rows of which many have the same inputs; their targets share a part that no function tells, and differ."""
    rng = np.random.default_rng(3)
    inputs = rng.standard_normal((1200, 6))
    means = np.sin(inputs[:, 0]) + shared * rng.standard_normal(1200)
    which = rng.integers(1200, size=1700)
    return inputs[which], means[which] + between * rng.standard_normal(1700)


def small(**parameters: object) -> UNA:
    return UNA(max_steps=100, n_slabs=0, n_folds=3, random_state=0, target="identity", **parameters)


@pytest.fixture(scope="module")
def split() -> tuple[np.ndarray, ...]:
    X, y = table(0.7, 0.0)
    return X[:1400], y[:1400], X[1400:], y[1400:]


@pytest.fixture(scope="module")
def model(split: tuple[np.ndarray, ...]) -> UNA:
    return small().fit(*split[:2])


@pytest.fixture(scope="module")
def known(split: tuple[np.ndarray, ...]) -> np.ndarray:
    X, _, X_test, _ = split
    return np.isin(keys_of(X_test), keys_of(X))


class TestUNA:
    def test_copies_get_the_answer_of_before_and_other_rows_the_same_as_without(self, split, model, known) -> None:
        X, y, X_test, y_test = split
        plain = small(repeats="ignore").fit(X, y)
        assert plain.repeats_ is None
        assert model.repeats_ is not None
        assert 150 < known.sum() < 270
        now, before = model.predict_dist(X_test), plain.predict_dist(X_test)
        assert np.abs(now.mean - y_test)[known].max() < 0.02
        assert now.std[known].max() < 0.05
        assert log_likelihood(now, y_test) > log_likelihood(before, y_test) + 2
        for name in ("mean", "epistemic_std", "noise_std"):
            assert_allclose(getattr(now, name)[~known], getattr(before, name)[~known], rtol=1e-12)

    def test_rows_that_share_nothing_are_not_remembered(self) -> None:
        X, y = table(0.0, 0.5)
        assert small().fit(X[:1400], y[:1400]).repeats_ is None

    def test_how_much_rows_share_is_found(self) -> None:
        X, y = table(0.6, 0.3)
        model = small().fit(X[:1400], y[:1400])
        said = model.predict_dist(X[1400:])
        known = np.isin(keys_of(X[1400:]), keys_of(X[:1400]))
        assert 0.2 < said.noise_std[known].mean() < 0.4
        inside = np.abs(y[1400:] - said.mean)[known] < 1.645 * said.std[known]
        assert 0.83 < inside.mean() < 0.96

    @pytest.mark.parametrize("given", [{"sigma2": 0.1}, {"tails": "normal"}])
    def test_what_the_user_says_holds(self, given, split) -> None:
        model = small(**given).fit(*split[:2])
        if "sigma2" in given:
            assert model.repeats_ is None
        else:
            assert np.all(model.repeats_.df > 1e5)

    def test_covariance_and_draws_agree_with_the_prediction(self, split, model) -> None:
        X_test = np.vstack([split[2][:20], split[2][:3]])
        d = model.predict_dist(X_test, covariance=True)
        assert_allclose(np.diag(d.covariance), d.epistemic_std**2, rtol=1e-6)
        assert_allclose(d.mean, model.predict(X_test))
        f = model.sample_posterior(X_test, 4000, random_state=0)
        assert_allclose(f[:, :3], f[:, 20:], atol=1e-6)  # the same inputs are the same place
        off = np.abs(f.mean(axis=0) - d.mean) / d.epistemic_std
        assert off.max() < 0.1
        assert_allclose(f.std(axis=0), d.epistemic_std, rtol=0.2)

    def test_rows_that_come_later_are_remembered_and_can_be_forgotten(self, split, known) -> None:
        X, y, X_test, y_test = split
        model = small().fit(X, y)
        new, told = X_test[~known][:5], np.full(5, 3.0)
        before = model.predict(new)
        model.update(new, told)
        assert_allclose(model.predict(new), 3.0, atol=0.05)
        model.forget(new, told)
        assert_allclose(model.predict(new), before, atol=1e-6)
        model.refit(X_test, y_test)
        assert_allclose(model.predict(X_test[~known]), y_test[~known], atol=0.05)

    def test_statistics_alone_remember_nothing(self, split) -> None:
        X, y, X_test, _ = split
        model = small().fit(X, y)
        model.set_statistics(model.statistics_of(X, y))
        assert model.repeats_ is None
        assert model.predict(X_test).shape == (300,)

    def test_files_remember(self, split, model, tmp_path) -> None:
        X_test = split[2]
        save(model, tmp_path / "m.una")
        said = model.predict_dist(X_test)
        again = load(tmp_path / "m.una").predict_dist(X_test)
        light = runtime.load(tmp_path / "m.una").predict_dist(X_test)
        for name in ("mean", "std", "df"):
            assert_array_equal(getattr(said, name), getattr(again, name))
            assert_allclose(getattr(light, name), getattr(said, name), rtol=1e-5, atol=1e-5)

    def test_a_graph_cannot_remember_and_says_so(self, split, model, known, tmp_path) -> None:
        onnxruntime = pytest.importorskip("onnxruntime")
        from unabases import to_onnx

        with pytest.warns(UserWarning, match="as if their inputs were new"):
            to_onnx(model, tmp_path / "m.onnx")
        session = onnxruntime.InferenceSession(str(tmp_path / "m.onnx"))
        mean = session.run(["mean"], {"X": split[2]})[0]
        assert_allclose(mean[~known], model.predict(split[2])[~known], rtol=1e-5, atol=1e-5)

    def test_a_wrong_choice_is_refused(self, split) -> None:
        with pytest.raises(ValueError, match="`repeats` must be one of 'auto', 'ignore'"):
            small(repeats="never").fit(*split[:2])
