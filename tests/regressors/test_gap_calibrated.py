"""The leave-gaps-out scale: it finds a factor that is known, leaves out what it says, and keeps the contract."""

import joblib
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.compose import make_column_transformer
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import unabases
from tests.contract.regressors import fast
from unabases import GapCalibrated, GaussianProcess, NeuralLinear, all_regressors
from unabases.predictive import Normal

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, (60, 2))
Y = np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.1 * RNG.standard_normal(60)
NEW = RNG.uniform(-3, 3, (25, 2))
GP = GaussianProcess(restarts=0, random_state=0)
NLM = fast("NeuralLinear")


@pytest.fixture(scope="module")
def model():
    return GapCalibrated(NLM, random_state=0).fit(X, Y)


class Overconfident(RegressorMixin, BaseEstimator):
    """The exact posterior of a Gaussian process with its variance divided: what its factor must be is known."""

    def __init__(self, divided_by=1.0):
        self.divided_by = divided_by

    def fit(self, X, y):
        self.X_, self.weights_ = X, np.linalg.solve(kernel(X, X) + 0.01 * np.eye(len(X)), y)
        return self

    def predict_dist(self, X):
        between = kernel(X, self.X_)
        explained = np.sum(
            between * np.linalg.solve(kernel(self.X_, self.X_) + 0.01 * np.eye(len(self.X_)), between.T).T, 1
        )
        return Normal(between @ self.weights_, np.sqrt(np.maximum(1 - explained, 0) / self.divided_by), 0.1)


def kernel(A, B):
    return np.exp(-0.5 * cdist(A, B, "sqeuclidean") / 0.5**2)


@pytest.mark.parametrize(("divided_by", "spared"), [(9.0, 0.0), (9.0, 0.5), (1.0, 0.5)])
def test_the_factor_comes_back_by_which_an_exact_posterior_is_too_narrow(divided_by, spared):
    logs = []
    for seed in range(9):
        rng = np.random.default_rng(seed)
        places = rng.uniform(-1, 1, (60, 2))
        f = np.linalg.cholesky(kernel(places, places) + 1e-9 * np.eye(60)) @ rng.standard_normal(60)
        made = GapCalibrated(Overconfident(divided_by), spared=spared, prior_std=5.0, random_state=seed)
        logs.append(np.log(made.fit(places, f + 0.1 * rng.standard_normal(60)).epistemic_factor_))
    error = np.std(logs) / 3
    assert error < 0.5
    assert abs(np.mean(logs) - np.log(divided_by)) < 3 * error


class TestLeavingOut:
    def test_the_record_is_what_a_fit_without_these_rows_says(self):
        x = RNG.permutation(np.linspace(-1, 1, 60))
        y = np.sin(4 * x) + 0.1 * RNG.standard_normal(60)
        made = GapCalibrated(GP, n_slabs=2, n_folds=0).fit(x[:, None], y)
        rank = np.argsort(np.argsort(x))
        for line, gone in enumerate([(rank >= 20) & (rank < 40), (rank < 10) | (rank >= 50)]):
            alone = clone(GP).fit(x[~gone, None], y[~gone])
            record = made.left_out_.loc[line]
            assert record["rows"] == 20
            assert_allclose(record["before"], alone.predict_dist(x[gone, None]).log_prob(y[gone]).mean())
            assert_allclose(made.curves_[line].iloc[20], record["before"])  # the factor there is 1
            assert record["own_factor"] == made.curves_[line].idxmax()
        assert_allclose(made.curves_.index[20], 1.0)
        assert list(made.left_out_["where"]) == ["middle third of column 0", "outer sixths of column 0"]

    def test_the_choice_gains_over_all_slabs_together(self, model):
        assert model.left_out_["after"].sum() >= model.left_out_["before"].sum()

    def test_folds_choose_a_factor_on_the_noise(self):
        quiet = GaussianProcess(restarts=0, sigma2=0.0001, random_state=0)  # a hundredth of the true noise
        made = GapCalibrated(quiet, n_folds=3, random_state=0).fit(X, Y)
        assert list(made.left_out_["kind"]) == ["slab"] * 4 + ["fold"] * 3
        assert made.noise_factor_ > 3
        assert_allclose(made.sigma2_, made.noise_factor_ * 0.0001)
        assert_allclose(made.predict_dist(NEW).noise_std ** 2, made.sigma2_)
        assert made.explanation_.endswith("The noise factor was chosen on 3 folds.")

    @pytest.mark.parametrize(
        ("rows", "settings", "reason"),
        [
            (X[:12], {}, "12 rows are too few"),
            (X, {"n_slabs": 0}, "`n_slabs` is 0"),
            (np.column_stack([np.ones(60), X[:, 0] > 0]), {}, "enough different values"),
        ],
        ids=["few", "off", "ties"],
    )
    def test_without_slabs_the_factor_is_one_and_it_says_why(self, rows, settings, reason):
        made = GapCalibrated(GP, **settings).fit(rows, Y[: len(rows)])
        assert made.epistemic_factor_ == made.noise_factor_ == 1.0
        assert len(made.left_out_) == 0
        assert reason in made.explanation_
        assert_array_equal(
            made.predict_dist(rows).epistemic_std, clone(GP).fit(rows, Y[: len(rows)]).predict_dist(rows).epistemic_std
        )

    def test_twenty_rows_of_one_input_are_enough(self):
        x = np.linspace(-1, 1, 20)[:, None]
        made = GapCalibrated(GP).fit(x, np.sin(3 * x[:, 0]) + 0.1 * RNG.standard_normal(20))
        assert len(made.left_out_) == 4
        assert np.isfinite(made.epistemic_factor_)


class TestPredictions:
    def test_means_are_those_of_the_regressor_alone(self, model):
        alone = clone(NLM).fit(X, Y)
        assert_array_equal(model.predict(NEW), alone.predict(NEW))
        assert model.score(X, Y) == alone.score(X, Y)

    def test_the_variance_above_the_median_on_the_data_is_multiplied(self, model):
        alone = clone(NLM).fit(X, Y)
        v, usual = alone.predict_dist(NEW).epistemic_std ** 2, np.median(alone.predict_dist(X).epistemic_std ** 2)
        wanted = np.where(v > usual, usual + model.epistemic_factor_ * (v - usual), v)
        assert model.epistemic_factor_ != 1
        assert_allclose(model.predict_dist(NEW).epistemic_std ** 2, wanted)

    def test_std_and_covariance_agree_with_the_distribution(self, model):
        d = model.predict_dist(NEW, covariance=True)
        assert_allclose(np.diag(d.covariance), d.epistemic_std**2)
        mean, std = model.predict(NEW, return_std=True)
        assert_array_equal(mean, d.mean)
        assert_allclose(std, d.std)
        assert_allclose(np.diag(model.predict(NEW, return_cov=True)[1]), d.std**2)
        with pytest.raises(ValueError, match="one of"):
            model.predict(NEW, return_std=True, return_cov=True)

    def test_many_rows_are_predicted_in_blocks(self, model, monkeypatch):
        whole = model.predict(NEW, return_std=True)[1]
        monkeypatch.setattr(type(model.estimator_), "_rows_at_once", lambda self: 10)
        assert_allclose(model.predict(NEW, return_std=True)[1], whole, rtol=1e-5)

    def test_functions_drawn_have_the_mean_and_spread_of_the_prediction(self, model):
        drawn, d = model.sample_posterior(NEW, 4000, random_state=0), model.predict_dist(NEW)
        assert_allclose(drawn.std(axis=0), d.epistemic_std, rtol=0.1)
        assert np.all(np.abs(drawn.mean(axis=0) - d.mean) < 5 * d.epistemic_std / np.sqrt(4000))

    def test_outputs_have_factors_of_their_own(self):
        both = np.column_stack([Y, np.round(3 * Y)])
        made = GapCalibrated(GP, random_state=0).fit(X, both)
        for j in range(2):
            single = GapCalibrated(GP, random_state=0).fit(X, both[:, j])
            assert_allclose(made.epistemic_factor_[j], single.epistemic_factor_, rtol=1e-3)
            lines = made.left_out_.query(f"output == {j}")
            assert_allclose(lines["before"], single.left_out_["before"], rtol=1e-5)
        d = made.predict_dist(NEW, covariance=True)
        assert_allclose(np.einsum("pnn->np", d.covariance), d.epistemic_std**2, rtol=1e-6)

    @pytest.mark.filterwarnings("ignore:the chains have not converged")
    @pytest.mark.parametrize(
        "name", [pytest.param(n, marks=pytest.mark.slow if n == "HamiltonianBNN" else ()) for n in all_regressors()]
    )
    def test_every_regressor_can_be_wrapped(self, name):
        brief = {"n_warmup": 20, "n_samples": 10, "max_depth": 2, "max_steps": 100}  # of chains and networks
        made = GapCalibrated(fast(name, **brief), n_slabs=1, random_state=0).fit(X[:30], Y[:30])
        alone, d = made.estimator_.predict_dist(NEW), made.predict_dist(NEW)
        assert type(d) is type(alone)
        assert_array_equal(d.mean, alone.mean)
        assert_allclose(d.epistemic_std**2, made.scale_.row_factors(alone) * alone.epistemic_std**2, rtol=1e-9)
        assert len(made.left_out_) == 1


class TestDelegation:
    def test_update_forget_and_refit_are_the_regressors(self):
        made = GapCalibrated(NLM, n_slabs=1, random_state=0).fit(X[:40], Y[:40])
        before, factor = made.predict_dist(NEW), made.epistemic_factor_
        assert made.update(X[40:], Y[40:]) is made
        assert_array_equal(made.predict(NEW), clone(NLM).fit(X[:40], Y[:40]).update(X[40:], Y[40:]).predict(NEW))
        made.forget(X[40:], Y[40:])
        assert_allclose(made.predict_dist(NEW).mean, before.mean, rtol=1e-6)
        assert made.refit(X[20:], Y[20:]).epistemic_factor_ == factor

    def test_what_the_regressor_lacks_is_not_there(self, model):
        for name in ("update", "forget", "refit", "sample_posterior"):
            assert not hasattr(GapCalibrated(GP), name)
            assert hasattr(GapCalibrated(NLM), name)
            assert hasattr(GapCalibrated(make_pipeline(StandardScaler(), NLM)), name)
        assert hasattr(GapCalibrated(), "update")  # LUNA

    def test_pipelines_and_tables_with_text(self):
        table = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "colour": np.where(X[:, 0] > 0, "red", "blue")})
        steps = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["colour"]), remainder="passthrough")
        made = GapCalibrated(make_pipeline(steps, StandardScaler(), GP), random_state=0).fit(table, Y)
        assert {where.split(" of ")[1] for where in made.left_out_["where"]} <= {"a", "b", "a random direction"}
        assert_array_equal(made.feature_names_in_, ["a", "b", "colour"])
        before = made.estimator_[:-1].transform(table)
        assert_array_equal(made.predict(table), made.estimator_.predict(table))
        raw = made.estimator_[-1].predict_dist(before)
        assert_allclose(made.predict_dist(table).epistemic_std, made.scale_.apply(raw).epistemic_std)
        assert made.predict(table, return_std=True)[1].shape == (60,)

    def test_names_of_columns_are_remembered(self):
        frame = pd.DataFrame(X, columns=["a", "b"])
        made = GapCalibrated(GP, n_slabs=2).fit(frame, pd.Series(Y, index=range(100, 160)))
        assert_array_equal(made.feature_names_in_, ["a", "b"])
        assert all(where[-1] in "ab" for where in made.left_out_["where"])
        with pytest.raises(ValueError, match="feature names"):
            made.predict(frame.rename(columns={"a": "c"}))


class TestParameters:
    def test_parameters_of_the_regressor_are_reached_through_it(self):
        made = GapCalibrated(NeuralLinear()).set_params(estimator__gamma=0.7, n_slabs=2)
        assert made.estimator.gamma == made.get_params()["estimator__gamma"] == 0.7
        assert clone(made).get_params()["estimator__gamma"] == 0.7
        grid = GridSearchCV(GapCalibrated(GP, n_slabs=1), {"estimator__kernel": ["rbf", "matern"]}, cv=2).fit(X, Y)
        assert grid.best_score_ > 0.5

    def test_one_seed_is_enough(self):
        one, other = (
            GapCalibrated(fast("NeuralLinear", random_state=None), random_state=3).fit(X, Y) for _ in range(2)
        )
        assert_array_equal(one.predict_dist(NEW).std, other.predict_dist(NEW).std)
        assert one.estimator.random_state is None

    @pytest.mark.parametrize(
        ("settings", "message"),
        [
            ({"n_slabs": -1}, "`n_slabs`"),
            ({"n_folds": 1.5}, "`n_folds`"),
            ({"spared": 2.0}, "from 0 to 1"),
            ({"prior_std": 0.0}, "`prior_std`"),
            ({"estimator__sigma2": -1.0}, "`sigma2`"),
        ],
    )
    def test_impossible_settings_are_refused_and_leave_no_fit(self, settings, message):
        made = GapCalibrated(clone(GP)).fit(X[:10], Y[:10]).set_params(**settings)
        with pytest.raises(ValueError, match=message):
            made.fit(X, Y)
        with pytest.raises(NotFittedError):
            made.predict(X)

    @pytest.mark.parametrize("wrong", [Ridge(), make_pipeline(StandardScaler(), Ridge())])
    def test_a_regressor_without_distributions_is_refused(self, wrong):
        with pytest.raises(TypeError, match="must have `predict_dist`"):
            GapCalibrated(wrong).fit(X, Y)


class TestSaving:
    @pytest.mark.parametrize("targets", [Y, np.column_stack([Y, Y**2])], ids=["vector", "matrix"])
    def test_it_comes_back_to_the_last_bit(self, targets, tmp_path):
        made = GapCalibrated(clone(NLM), n_slabs=2, random_state=0).fit(pd.DataFrame(X, columns=["a", "b"]), targets)
        unabases.save(made, tmp_path / "model.una")
        loaded = unabases.load(tmp_path / "model.una")
        new = pd.DataFrame(NEW, columns=["a", "b"])
        assert type(loaded) is GapCalibrated
        assert_array_equal(loaded.predict_dist(new).epistemic_std, made.predict_dist(new).epistemic_std)
        assert_array_equal(loaded.predict_dist(new).noise_std, made.predict_dist(new).noise_std)
        assert_array_equal(loaded.epistemic_factor_, made.epistemic_factor_)
        pd.testing.assert_frame_equal(loaded.left_out_, made.left_out_)
        pd.testing.assert_frame_equal(loaded.curves_, made.curves_)
        assert loaded.explanation_ == made.explanation_
        both = [{k: v for k, v in m.get_params().items() if k != "estimator"} for m in (loaded, made)]
        assert both[0] == both[1]
        assert_array_equal(loaded.update(new, targets[:25]).predict(new), made.update(new, targets[:25]).predict(new))

    def test_nothing_left_out_comes_back_too(self, tmp_path):
        made = GapCalibrated(GP).fit(X[:10], Y[:10])
        unabases.save(made, tmp_path / "model.una")
        assert len(unabases.load(tmp_path / "model.una").left_out_) == 0

    def test_a_regressor_with_a_function_of_ones_own_must_be_given_again(self, tmp_path):
        own = fast("NeuralLinear", activation=lambda x: x)
        made = GapCalibrated(own, n_slabs=0).fit(X, Y)
        unabases.save(made, tmp_path / "model.una")
        with pytest.raises(unabases.ModelFileError, match=r"`estimator` .*give it again"):
            unabases.load(tmp_path / "model.una")
        loaded = unabases.load(tmp_path / "model.una", estimator=own)
        assert_array_equal(loaded.predict(NEW), made.predict(NEW))

    def test_a_pipeline_is_for_joblib(self, tmp_path):
        made = GapCalibrated(make_pipeline(StandardScaler(), GP), n_slabs=1).fit(X, Y)
        with pytest.raises(TypeError, match=r"joblib\.dump"):
            unabases.save(made, tmp_path / "model.una")
        joblib.dump(made, tmp_path / "model.joblib")
        assert_array_equal(joblib.load(tmp_path / "model.joblib").predict(NEW), made.predict(NEW))


def test_weights_reach_the_last_step_and_what_is_left_out():
    """Rows of weight 0 are absent, and whole weights are repeated rows to the exact process."""
    weight = np.r_[np.ones(50), np.zeros(10)]
    fixed = GaussianProcess(restarts=0, random_state=0, sigma2=0.01)
    pipe = make_pipeline(StandardScaler(), fixed)
    with_them = GapCalibrated(pipe, random_state=0, n_slabs=2).fit(X, Y, sample_weight=weight)
    without = GapCalibrated(pipe, random_state=0, n_slabs=2).fit(X[:50], Y[:50])
    assert with_them.epistemic_factor_ == without.epistemic_factor_
    twice = GapCalibrated(fixed, random_state=0, n_slabs=0).fit(X, Y, sample_weight=np.full(60, 2.0))
    assert_allclose(twice.predict(NEW), clone(fixed).fit(X, Y, sample_weight=np.full(60, 2.0)).predict(NEW))
