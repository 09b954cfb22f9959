"""Regressors of other packages with their defaults, made to predict distributions so that they can be compared."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtri
from sklearn.model_selection import KFold, cross_val_predict
from threadpoolctl import threadpool_limits

from unabases.predictive import Normal
from unabases.regressors import AbstractRegressor, all_regressors
from unabases.regressors.shared.base import check_count
from unabases.regressors.shared.parameters import estimator, parameter
from unabases.regressors.shared.scaling import fit_scales

__all__ = ["RIVALS", "Rival", "RivalKind", "known_regressors"]

_LEVELS = np.array([0.05, 0.25, 0.5, 0.75, 0.95])  # quantiles that boosting predicts, each with a model of its own
_WIDENINGS = np.logspace(-6, 0.5, 40)  # variances to choose from, of a target with variance 1


class RivalKind(NamedTuple):
    """How a regressor of another package is made and, if it has a distribution of its own, how that is read.

    Parameters
    ----------
    make
        Makes it from the number of inputs and a seed.
    moments
        Mean and standard deviation of y that a fitted one predicts; None if it predicts the mean alone.
    widen
        Whether to add a constant to its variance, see `Rival`.
    noise
        Standard deviation of the noise in what a fitted one predicts, if it tells that from its own uncertainty.
    """

    make: Callable[[int, Any], Any]
    moments: Callable[[Any, np.ndarray], tuple[np.ndarray, np.ndarray]] | None = None
    widen: bool = False
    noise: Callable[[Any], float] | None = None


@estimator
class Rival(AbstractRegressor):
    """A regressor of another package, on standardised inputs and targets, otherwise with its defaults.

    One that predicts no distribution gets a normal one, the same variance everywhere: the mean square of its errors on
    rows that were left out of the fit, over some folds. One that has a distribution keeps it. One that knows some
    quantiles gets a normal distribution whose quantiles lie close to them; since those of a fit on few rows are too
    close together, a constant is added to the variance, the one that makes left-out rows likeliest. Where a model does
    not tell its own uncertainty from the noise, all of it counts as noise.

    Examples
    --------
    >>> X = np.linspace(0, 1, 50)[:, None]
    >>> model = Rival(model="nearest neighbours").fit(X, 2 * X[:, 0])
    >>> model.predict(X[:1]).shape
    (1,)
    """

    model: Any = parameter("boosting", "Model", "str", "Which one: a name in `RIVALS`.")
    n_folds: Any = parameter(5, "Noise and prior", "int", "Folds that estimate the variance of its errors.")

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "Rival":
        """Fit it to all rows, after the folds that its variance needs; rows cannot have weights."""
        if sample_weight is not None:
            raise ValueError("a rival takes no `sample_weight`: it counts every row once. Leave it out.")
        if self.model not in RIVALS:
            raise ValueError(f"unknown rival {self.model!r}; known ones are {', '.join(RIVALS)}.")
        X, y, _ = self._validate_fit(X, y)
        if y.shape[1] > 1:
            raise ValueError(f"a rival predicts one target; got {y.shape[1]}.")
        self.x_scale_, self.y_scale_ = fit_scales(X, y, self.standardize)
        Z, t = self.x_scale_.apply(X), self.y_scale_.apply(y)[:, 0]
        kind, seed = RIVALS[self.model], self.random_state
        with threadpool_limits(
            1, user_api="openmp"
        ):  # more threads than idle cores make boosting wait for most of them
            self.fitted_ = kind.make(X.shape[1], seed).fit(Z, t)
            if kind.moments is None:
                folds = KFold(check_count("n_folds", self.n_folds, least=2), shuffle=True, random_state=seed)
                left_out = cross_val_predict(kind.make(X.shape[1], seed), Z, t, cv=folds)
                self.variance_ = float(np.mean((t - left_out) ** 2))
            else:
                self.added_ = self._widening(kind, Z, t) if kind.widen else 0.0
                self.variance_ = float(np.mean(kind.moments(self.fitted_, Z)[1] ** 2)) + self.added_
        self.sigma2_ = self.variance_ * float(self.y_scale_.spread[0]) ** 2
        self._learn_missing_noise()
        return self

    def _widening(self, kind: RivalKind, Z: np.ndarray, t: np.ndarray) -> float:
        """The constant that, added to the variance, makes rows likeliest that were left out of the fit."""
        assert kind.moments is not None
        folds = KFold(check_count("n_folds", self.n_folds, least=2), shuffle=True, random_state=self.random_state)
        mean, std = np.zeros(len(t)), np.zeros(len(t))
        for kept, left_out in folds.split(Z):
            fitted = kind.make(Z.shape[1], self.random_state).fit(Z[kept], t[kept])
            mean[left_out], std[left_out] = kind.moments(fitted, Z[left_out])
        variances = std**2 + _WIDENINGS[:, None]
        surprise = np.mean(np.log(variances) + (t - mean) ** 2 / variances, axis=1)
        return float(_WIDENINGS[np.argmin(surprise)])

    def _predict_rows(self, X: np.ndarray, covariance: bool) -> Normal:
        if covariance:
            raise ValueError("a rival has no covariance between rows.")
        Z, kind, spread = self.x_scale_.apply(X), RIVALS[self.model], self.y_scale_.spread[0]
        if kind.moments is None:
            mean, std = self.fitted_.predict(Z), np.full(len(Z), np.sqrt(self.variance_))
        else:
            mean, std = kind.moments(self.fitted_, Z)
            std = np.sqrt(std**2 + self.added_)
        noise = std if kind.noise is None else np.minimum(kind.noise(self.fitted_), std)
        epistemic = np.sqrt(np.maximum(std**2 - noise**2, 0.0))
        return Normal(mean * spread + self.y_scale_.center[0], epistemic * spread, noise * spread)

    def _rows_at_once(self) -> int:
        return 2**14

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Refuse: models of other packages are not saved."""
        raise TypeError("models of other packages are not saved; save them with their own package.")

    def set_state(self, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> None:
        """Refuse, as `get_state` does."""
        self.get_state()


def known_regressors() -> dict[str, type[AbstractRegressor]]:
    """Every class that a `Method` may name: the package's regressors, and `Rival`."""
    return {**all_regressors(), "Rival": Rival}


# ------------------------------------------------------------------------------------------------------------ makers


def _boosting(d: int, seed: Any) -> Any:
    from sklearn.ensemble import HistGradientBoostingRegressor

    return HistGradientBoostingRegressor(random_state=seed)


def _quantile_boosting(d: int, seed: Any) -> Any:
    return _Quantiles(seed)


class _Quantiles:
    """One gradient boosting of scikit-learn for each of some quantiles."""

    def __init__(self, seed: Any) -> None:
        self.seed = seed

    def fit(self, Z: np.ndarray, t: np.ndarray) -> "_Quantiles":
        from sklearn.ensemble import HistGradientBoostingRegressor

        self.models = [
            HistGradientBoostingRegressor(loss="quantile", quantile=level, random_state=self.seed).fit(Z, t)
            for level in _LEVELS
        ]
        return self

    def quantiles(self, Z: np.ndarray) -> np.ndarray:
        """A row of quantiles for each row, sorted: models that are fitted apart may cross."""
        return np.sort(np.column_stack([model.predict(Z) for model in self.models]), axis=1)


def _extra_trees(d: int, seed: Any) -> Any:
    from sklearn.ensemble import ExtraTreesRegressor

    return ExtraTreesRegressor(random_state=seed)


def _network(d: int, seed: Any) -> Any:
    from sklearn.neural_network import MLPRegressor

    return MLPRegressor(random_state=seed)


def _neighbours(d: int, seed: Any) -> Any:
    from sklearn.neighbors import KNeighborsRegressor

    return KNeighborsRegressor()


def _ridge(d: int, seed: Any) -> Any:
    from sklearn.linear_model import BayesianRidge

    return BayesianRidge()


def _ard_process(d: int, seed: Any) -> Any:
    """Its default kernel neither learns nor has noise, so this is the usual one: a length scale for each input."""
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

    lengths: Any = np.ones(d)
    return GaussianProcessRegressor(ConstantKernel() * RBF(lengths) + WhiteKernel(), random_state=seed)


def _ngboost(d: int, seed: Any) -> Any:
    from ngboost import NGBRegressor  # pyright: ignore[reportMissingImports]

    return NGBRegressor(random_state=seed, verbose=False)


def _catboost(d: int, seed: Any) -> Any:
    from catboost import CatBoostRegressor  # pyright: ignore[reportMissingImports]

    return CatBoostRegressor(
        loss_function="RMSEWithUncertainty", random_seed=seed, verbose=False, allow_writing_files=False
    )


def _laplace(d: int, seed: Any) -> Any:
    from unabases.paper.torch_rivals import LaplaceNetwork

    return LaplaceNetwork(seed)


def _variational(d: int, seed: Any) -> Any:
    from unabases.paper.torch_rivals import VariationalNetwork

    return VariationalNetwork(seed)


def _with_std(fitted: Any, Z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return fitted.predict(Z, return_std=True)


def _location_and_scale(fitted: Any, Z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    found = fitted.pred_dist(Z)
    return found.loc, found.scale


def _mean_and_variance(fitted: Any, Z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    mean, variance = np.asarray(fitted.predict(Z)).T
    return mean, np.sqrt(variance)


def _function_and_noise(fitted: Any, Z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    mean, std = fitted.predict(Z)
    return mean, np.hypot(std, fitted.noise_std)


def _noise_std(fitted: Any) -> float:
    return fitted.noise_std


def _normal_through(fitted: Any, Z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and std of the normal distribution whose quantiles are closest to the predicted ones (least squares)."""
    quantiles, z = fitted.quantiles(Z), ndtri(_LEVELS)
    return np.mean(quantiles, axis=1), quantiles @ z / np.sum(z**2)  # the levels are symmetric, so z sums to 0


RIVALS: dict[str, RivalKind] = {
    "boosting": RivalKind(_boosting),
    "quantile boosting": RivalKind(_quantile_boosting, _normal_through, widen=True),
    "extra trees": RivalKind(_extra_trees),
    "network": RivalKind(_network),
    "nearest neighbours": RivalKind(_neighbours),
    "bayesian ridge": RivalKind(_ridge, _with_std),
    "ard process": RivalKind(_ard_process, _with_std),
    "ngboost": RivalKind(_ngboost, _location_and_scale),
    "catboost": RivalKind(_catboost, _mean_and_variance),
    "laplace-torch": RivalKind(_laplace, _function_and_noise, noise=_noise_std),
    "vbll": RivalKind(_variational, _function_and_noise, noise=_noise_std),
}
"""Models of other packages by name: seven of scikit-learn, NGBoost, CatBoost, and two on PyTorch."""
