"""Intervals hold their share of rows like the training rows: exactly as often as theory says, and by hand."""

import joblib
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import t
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import unabases
from tests.contract.regressors import fast
from tests.saving.kept import kept_files
from unabases import UNA, Conformal, GapCalibrated, GaussianProcess
from unabases.metrics import log_likelihood
from unabases.predictive import Normal, Stretched, Transformed
from unabases.predictive.stretched import distances
from unabases.regressors.shared.saved_state import StateError

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, (60, 2))
Y = np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.1 * RNG.standard_normal(60)
NEW = RNG.uniform(-3, 3, (25, 2))
GP = GaussianProcess(restarts=0, sigma2=0.01, random_state=0)
NLM = fast("NeuralLinear")
KEPT = {kept.name: kept.path for kept in kept_files()}


class Guess(RegressorMixin, BaseEstimator):
    """Always says 0 ± x: nothing is learned, so that thousands of fits take a second."""

    def fit(self, X, y, sample_weight=None):
        self.rows_, self.weight_, self.sigma2_ = X, sample_weight, 1.0
        return self

    def predict_dist(self, X, covariance=False):
        return Normal(np.zeros(len(X)), np.zeros(len(X)), X[:, 0])


def test_coverage_is_exactly_the_rank_over_all_rows_and_one():
    """Errors are heavy-tailed and three times as large as said. Of 19 rows, ranks 10, 18 and 19 have known shares."""
    rng, inside, repeats = np.random.default_rng(1), [], 120
    for _ in range(repeats):
        spread = rng.uniform(0.5, 2, (39, 1))
        y = 3 * spread[:, 0] * rng.standard_t(3, 39)
        model = Conformal(Guess(), held_out=0.5, levels=(0.5, 0.9, 0.95), random_state=0).fit(spread, y)
        d = model.predict_dist(np.array([[1.3]]))
        ends = [d.interval(level)[1][0] for level in (0.5, 0.9, 0.95, 0.7)]
        inside.append(1 - 2 * t(3, scale=3 * 1.3).sf(ends))
    found, error = np.mean(inside, axis=0), np.std(inside, axis=0) / np.sqrt(repeats)
    assert np.all(error < 0.015)
    assert np.all(np.abs(found[:3] - [0.5, 0.9, 0.95]) < 4 * error[:3])
    assert abs(found[3] - 0.7) < 0.05  # in between nothing is promised, but it is near


@pytest.fixture(scope="module")
def model():
    return Conformal(GP, held_out=0.4, random_state=0).fit(X, Y)


class TestByHand:
    def test_a_split_is_a_fit_to_the_rest_and_a_rank_among_the_distances(self, model):
        rng = np.random.default_rng(np.random.RandomState(0).randint(0, 2**31 - 1, size=4))
        unseen = np.sort(rng.permutation(60)[:24])
        seen = np.setdiff1d(np.arange(60), unseen)
        alone = clone(GP).fit(X[seen], Y[seen])
        said, new = alone.predict_dist(X[unseen]), alone.predict_dist(NEW)
        far = np.sort(np.abs(Y[unseen] - said.mean) / said.std)
        for level, rank in [(0.5, 13), (0.8, 20), (0.9, 23), (0.95, 24)]:
            lower, upper = model.predict_dist(NEW).interval(level)
            assert_allclose(lower, new.mean - far[rank - 1] * new.std)
            assert_allclose(upper, new.mean + far[rank - 1] * new.std)
        assert_array_equal(model.predict(NEW), alone.predict(NEW))
        own = [np.mean((said.interval(p)[0] <= Y[unseen]) & (Y[unseen] <= said.interval(p)[1])) for p in (0.5, 0.95)]
        assert_allclose(model.levels_["covered"].iloc[[0, -1]], own)
        assert model.explanation_ == "Intervals at 50, 80, 90 and 95 % were set by 24 rows that were held out."

    def test_folds_predict_every_row_once_and_the_last_fit_sees_all(self):
        made = Conformal(GP, n_folds=3, random_state=0).fit(X, Y)
        assert_array_equal(made.predict(NEW), clone(GP).fit(X, Y).predict(NEW))
        assert "60 rows, each predicted by one of 3 copies" in made.explanation_

    def test_own_rows_set_the_intervals_anew(self, model):
        made = Conformal(GP, held_out=0, random_state=0).fit(X[:40], Y[:40])
        assert_array_equal(made.predict_dist(NEW).std, clone(GP).fit(X[:40], Y[:40]).predict_dist(NEW).std)
        assert len(made.levels_) == 0
        assert "No rows were held out" in made.explanation_
        assert made.calibrate(X[40:], Y[40:]) is made
        said = made.estimator_.predict_dist(X[40:])
        far = np.sort(np.abs(Y[40:] - said.mean) / said.std)
        assert_allclose(made.widths_.after[:, 0], far[[10, 16, 18, 19]])

    def test_a_fitted_model_stays_as_it_is(self):
        fitted = clone(GP).fit(X[:40], Y[:40])
        made = Conformal(FrozenEstimator(fitted), held_out=0).fit(X[:5], Y[:5]).calibrate(X[40:], Y[40:])
        assert made.estimator_.estimator is fitted
        assert_array_equal(made.predict(NEW), fitted.predict(NEW))
        assert made.levels_["level"].tolist() == [0.5, 0.8, 0.9, 0.95]

    @pytest.mark.parametrize("name", ["LUNA", "UNA-skewed", "VanillaEnsemble"])
    def test_predictions_of_every_kind_can_be_set(self, name):
        """Normal, on a curved scale, and mixtures, of models that were kept."""
        made = Conformal(FrozenEstimator(unabases.load(KEPT[name])), held_out=0).fit(X[:20], Y[:20])
        own = made.predict_dist(X[:20])
        d = made.calibrate(X[:20], np.exp(Y[:20])).predict_dist(X[:20])
        far = np.sort(distances(own, np.exp(Y[:20])))
        for level, rank in [(0.5, 11), (0.95, 20)]:
            for end in d.interval(level):
                assert_allclose(distances(own, end), far[rank - 1])
        assert np.all(np.isfinite(d.log_prob(np.exp(Y[:20]))))
        assert_array_equal(made.predict(X[:20]), d.mean)
        assert isinstance(d, Transformed if name == "UNA-skewed" else Stretched)
        if name == "UNA-skewed":  # the median stays, and so the mean does not
            assert_allclose(d.quantile(0.5), own.quantile(0.5))
            assert np.all(d.mean != own.mean)

    def test_few_rows_set_few_levels(self):
        made = Conformal(GP, random_state=0).fit(X[:20], Y[:20])
        assert made.levels_["level"].tolist() == [0.5, 0.8]
        assert made.explanation_.endswith("held out. 90 % would need 9 of them. 95 % would need 19 of them.")
        assert Conformal(GP).fit(X[:3], Y[:3]).levels_.empty


class TestPredictions:
    def test_it_is_a_whole_distribution_that_knows_its_noise(self, model):
        d = model.predict_dist(NEW, covariance=True)
        assert isinstance(d, Stretched)
        assert_allclose(np.diag(d.covariance), d.epistemic_std**2)
        assert_allclose(d.noise_std**2, model.sigma2_)
        mean, std = model.predict(NEW, return_std=True)
        assert_array_equal(mean, d.mean)
        assert_array_equal(std, d.std)
        assert_allclose(np.diag(model.predict(NEW, return_cov=True)[1]), d.var)
        assert d.to_frame().shape == (25, 6)

    def test_densities_come_near_the_best_where_the_spread_was_told_wrong(self):
        rng = np.random.default_rng(3)
        spread = rng.uniform(0.5, 2, (2400, 1))
        y = 5 * spread[:, 0] * rng.standard_normal(2400)
        made = Conformal(Guess(), held_out=0.5, random_state=0).fit(spread[:400], y[:400])
        said = made.estimator_.predict_dist(spread[400:])
        new, best = made.predict_dist(spread[400:]), said.scaled(noise=25.0)
        before, after, most = (log_likelihood(d, y[400:]) for d in (said, new, best))
        assert before < most - 5
        assert most - 0.05 < after < most

    def test_outputs_have_widths_of_their_own(self):
        both = np.column_stack([Y, np.round(3 * Y)])
        made = Conformal(GP, held_out=0.4, random_state=0).fit(X, both)
        assert made.levels_["output"].tolist() == [0, 1] * 4
        for j in range(2):
            single = Conformal(GP, held_out=0.4, random_state=0).fit(X, both[:, j])
            assert_allclose(
                made.predict_dist(NEW).interval(0.9)[1][:, j], single.predict_dist(NEW).interval(0.9)[1], rtol=1e-5
            )
        assert made.sigma2_.shape == (2,)

    def test_functions_drawn_have_the_mean_and_spread_of_the_prediction(self):
        made = Conformal(NLM, held_out=0.4, random_state=0).fit(X, Y)
        drawn, d = made.sample_posterior(NEW, 4000, random_state=0), made.predict_dist(NEW)
        assert_allclose(drawn.std(axis=0), d.epistemic_std, rtol=0.1)
        assert not hasattr(Conformal(GP), "sample_posterior")


class TestTogether:
    def test_gaps_may_be_calibrated_inside_and_around(self):
        inside = Conformal(GapCalibrated(GP, n_slabs=1), random_state=0).fit(X, Y)
        assert_allclose(distances_at(inside, 0.9), inside.widths_.after[2] * inside.estimator_.predict_dist(NEW).std)
        around = GapCalibrated(Conformal(GP), n_slabs=1, random_state=0).fit(X, Y)
        assert isinstance(around.predict_dist(NEW), Stretched)
        assert np.all(around.predict_dist(NEW).epistemic_std > 0)

    def test_pipelines_tables_and_searches(self):
        frame = pd.DataFrame(X, columns=["a", "b"], index=range(100, 160))
        made = Conformal(make_pipeline(StandardScaler(), GP), random_state=0).fit(frame, pd.Series(Y))
        assert_array_equal(made.feature_names_in_, ["a", "b"])
        assert made.predict_dist(frame[:3]).index.tolist() == [100, 101, 102]
        grid = GridSearchCV(Conformal(GP), {"estimator__kernel": ["rbf", "matern"]}, cv=2).fit(X, Y)
        assert grid.best_score_ > 0.5
        assert isinstance(Conformal()._wrapped(), UNA)

    def test_weights_reach_the_fit_and_the_ranks(self):
        """Rows of weight 0 are absent; a whole weight is a repeated row."""
        spread, y, weight = np.ones((40, 1)), RNG.standard_normal(40), np.r_[np.full(30, 2.0), np.zeros(10)]
        pipe = make_pipeline(Guess())
        made = Conformal(pipe, random_state=0, held_out=0.5).fit(spread, y, sample_weight=weight)
        assert_array_equal(made.estimator_[-1].weight_, np.full(15, 2.0))
        plain = Conformal(Guess(), random_state=0, held_out=0.5).fit(spread[:30], y[:30])
        far = plain.calibrate(np.repeat(spread, 2, 0)[:10], np.repeat(y[:5], 2)).widths_.after
        assert_array_equal(plain.calibrate(spread[:5], y[:5], sample_weight=np.full(5, 2.0)).widths_.after, far)

    def test_update_keeps_the_intervals(self):
        made = Conformal(NLM, random_state=0).fit(X[:40], Y[:40])
        before = made.widths_.after
        assert made.update(X[40:], Y[40:]) is made
        assert_array_equal(made.widths_.after, before)


def distances_at(model, level):
    d = model.predict_dist(NEW)
    return d.interval(level)[1] - d.mean


class TestParameters:
    @pytest.mark.parametrize(
        ("settings", "message"),
        [
            ({"held_out": 1.0}, "from 0 to below 1"),
            ({"held_out": -0.1}, "`held_out`"),
            ({"n_folds": 1.5}, "`n_folds`"),
            ({"levels": (0.5, 1.0)}, "between 0 and 1"),
            ({"levels": ()}, "between 0 and 1"),
            ({"levels": ["a"]}, "between 0 and 1"),
            ({"estimator__sigma2": -1.0}, "`sigma2`"),
        ],
    )
    def test_impossible_settings_are_refused_and_leave_no_fit(self, settings, message):
        made = Conformal(clone(GP)).fit(X[:10], Y[:10]).set_params(**settings)
        with pytest.raises(ValueError, match=message):
            made.fit(X, Y)
        with pytest.raises(NotFittedError):
            made.predict(X)

    def test_a_regressor_without_distributions_is_refused(self):
        with pytest.raises(TypeError, match="must have `predict_dist`"):
            Conformal(Ridge()).fit(X, Y)

    def test_a_target_that_is_missing_is_refused_wherever_it_is(self):
        for i in (0, 1, 2, 3, 7):  # some are held out, some are not
            with pytest.raises(ValueError, match="NaN"):
                Conformal(GP, random_state=0, held_out=0.5).fit(X, np.where(np.arange(60) == i, np.nan, Y))

    def test_one_seed_is_enough(self):
        one, other = (Conformal(GP, random_state=3).fit(X, Y).predict_dist(NEW).std for _ in range(2))
        assert_array_equal(one, other)


class TestSaving:
    @pytest.mark.parametrize("targets", [Y, np.column_stack([Y, Y**2])], ids=["vector", "matrix"])
    def test_it_comes_back_to_the_last_bit(self, targets, tmp_path):
        made = Conformal(clone(GP), random_state=0).fit(pd.DataFrame(X, columns=["a", "b"]), targets)
        unabases.save(made, tmp_path / "model.una")
        loaded = unabases.load(tmp_path / "model.una")
        new = pd.DataFrame(NEW, columns=["a", "b"])
        assert type(loaded) is Conformal
        assert_array_equal(loaded.predict_dist(new).interval(0.8), made.predict_dist(new).interval(0.8))
        assert_array_equal(loaded.sigma2_, made.sigma2_)
        pd.testing.assert_frame_equal(loaded.levels_, made.levels_)
        assert loaded.explanation_ == made.explanation_

    def test_nothing_held_out_comes_back_too(self, tmp_path):
        made = Conformal(GP, held_out=0).fit(X[:10], Y[:10])
        unabases.save(made, tmp_path / "model.una")
        assert unabases.load(tmp_path / "model.una").levels_.empty

    @pytest.mark.parametrize(
        ("name", "array"),
        [
            ("levels", [0.5, 0.4]),
            ("levels", [0.5, 1.0]),
            ("levels", [1e-320, 0.8]),
            ("after", [[2.0], [1.0]]),
            ("after", [[2.0], [1e200]]),
        ],
    )
    def test_intervals_that_cannot_be_are_refused(self, name, array):
        made = Conformal(clone(GP), levels=(0.5, 0.8), random_state=0).fit(X, Y)
        arrays, values = made.get_state()
        with pytest.raises(StateError, match=r"have to be below 1 and above 0|no number can hold"):
            made.set_state({**arrays, f"widths.{name}": np.array(array)}, values)

    def test_a_pipeline_is_for_joblib(self, tmp_path):
        made = Conformal(make_pipeline(StandardScaler(), GP), random_state=0).fit(X, Y)
        with pytest.raises(TypeError, match=r"joblib\.dump"):
            unabases.save(made, tmp_path / "model.una")
        joblib.dump(made, tmp_path / "model.joblib")
        assert_array_equal(joblib.load(tmp_path / "model.joblib").predict_dist(NEW).std, made.predict_dist(NEW).std)
