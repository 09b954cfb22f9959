"""What estimators share that fit a regressor and reshape its predictions by how it did on rows it had not seen."""

import abc
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing as take_rows
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from unabases.predictive import AbstractPredictive
from unabases.regressors.shared.base import with_noise
from unabases.regressors.shared.rows import as_pandas, labels_of
from unabases.regressors.shared.saved_state import SavedState
from unabases.regressors.shared.weights import as_keyword
from unabases.regressors.wrappers.wrapper import AbstractWrapper, HandedOn, last_step, offers

__all__ = ["AbstractCalibrated", "fit_copy", "predict_with", "seeded", "sliceable"]

_ROWS_AT_ONCE = 8192  # of a regressor that does not say how many it can predict together


class AbstractCalibrated(AbstractWrapper):
    """A regressor, or a pipeline that ends in one, whose predictions are reshaped. Each kind says how in `_reshape`."""

    estimator: Any
    estimator_: Any

    @abc.abstractmethod
    def _reshape(self, prediction: AbstractPredictive) -> AbstractPredictive:
        """What the regressor says, with the uncertainty that it should have."""

    # --------------------------------------------------------------------------------------------- prediction

    def predict_dist(self, X: Any, covariance: bool = False) -> AbstractPredictive:
        """Distribution of y at each row, in y's units, as wide as it was found that it should be.

        Parameters
        ----------
        X
            Rows of shape (n, d).
        covariance
            Whether to add the epistemic covariance between rows.
        """
        check_is_fitted(self)
        return self._reshape(predict_with(self.estimator_, X, covariance)).labelled(labels_of(X))

    def predict(self, X: Any, return_std: bool = False, return_cov: bool = False) -> Any:
        """Mean of y at each row, with the standard deviation or covariance of y (noise included) on demand."""
        if return_std and return_cov:
            raise ValueError("ask for one of `return_std` and `return_cov`, not both.")
        if return_cov:
            d = self.predict_dist(X, covariance=True)
            return d.mean, with_noise(d.covariance, d.noise_std)
        model, Z = self._hand_on(X)
        if not (return_std or _is_bent(model)):
            return model.predict(Z)
        size = model._rows_at_once() if hasattr(model, "_rows_at_once") else _ROWS_AT_ONCE
        few = np.ndim(Z) != 2 or len(Z) <= size
        blocks = [Z] if few else [take_rows(Z, slice(i, i + size)) for i in range(0, len(Z), size)]
        made = [self._reshape(model.predict_dist(block)) for block in blocks]
        mean, std = (np.concatenate([getattr(d, name) for d in made]) for name in ("mean", "std"))
        return (mean, std) if return_std else mean

    @available_if(offers("sample_posterior"))
    def sample_posterior(self, X: Any, n: int = 1, random_state: Any = None) -> np.ndarray:
        """`n` functions drawn after seeing data, their distance from the mean scaled: (n, rows) or (n, rows, p)."""
        model, Z = self._hand_on(X)
        before = model.predict_dist(Z)
        after = self._reshape(before)
        farther = after.epistemic_std / np.where(before.epistemic_std == 0, 1.0, before.epistemic_std)
        return after.mean + farther * (model.sample_posterior(Z, n, random_state) - before.mean)

    # -------------------------------------------------------------------------------------------------- parts

    def _inside(self) -> Any:
        return getattr(self, "estimator_", None)

    def _hand_on(self, X: Any) -> HandedOn:
        check_is_fitted(self)
        return _at_the_end(self.estimator_, X)

    def _refuse_points(self) -> None:
        """Refuse a regressor that predicts no distributions."""
        if not hasattr(last_step(self._wrapped()), "predict_dist"):
            raise TypeError(
                f"`estimator` must have `predict_dist`, or be a pipeline that ends in a regressor that has it; got "
                f"{self._wrapped()!r}. Take one of `unabases.all_regressors()`."
            )

    def _set_fitted(self, fitted: Any) -> None:
        """Last, since it marks the model as fitted."""
        for name in ("n_features_in_", "feature_names_in_"):
            vars(self).pop(name, None)
            if hasattr(fitted, name):
                setattr(self, name, getattr(fitted, name))
        self.estimator_ = fitted

    def _state_inside(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """The regressor's own state, to be saved."""
        check_is_fitted(self)
        if not hasattr(self.estimator_, "get_state"):
            raise TypeError(
                f"a model file holds regressors of this package, and {type(self.estimator_).__name__} is none; "
                "use `joblib.dump` for a wrapped pipeline."
            )
        arrays, values = self.estimator_.get_state()
        return {f"estimator.{name}": array for name, array in arrays.items()}, {"estimator": values}

    def _read_inside(self, saved: SavedState) -> Any:
        """The regressor as it was saved."""
        fitted: Any = clone(self._wrapped())
        fitted.set_state(saved.below("estimator.").arrays, saved.value("estimator", dict))
        return fitted


def predict_with(model: Any, X: Any, covariance: bool = False) -> AbstractPredictive:
    """What a fitted regressor, or the one at the end of a fitted pipeline, says about rows."""
    last, Z = _at_the_end(model, X)
    return last.predict_dist(Z, covariance=True) if covariance else last.predict_dist(Z)


def fit_copy(template: Any, X: Any, y: Any, weight: np.ndarray | None) -> Any:
    """A copy of a regressor or a pipeline, fitted; the weights go to its last step."""
    place, model = "", template
    while isinstance(model, Pipeline):
        name, model = model.steps[-1]
        place += f"{name}__"
    copy: Any = clone(template)
    return copy.fit(X, y, **as_keyword(weight, place))


def seeded(model: Any, random: np.random.RandomState) -> Any:
    """The regressor with a seed wherever it has none, so that it and its copies can be fitted again."""
    names = [name for name in sorted(model.get_params()) if name.rpartition("__")[2] == "random_state"]
    missing = [name for name in names if model.get_params()[name] is None]
    if missing:
        model.set_params(**{name: int(random.randint(2**31 - 1)) for name in missing})
    return model


def sliceable(values: Any) -> Any:
    """Rows that can be taken out of: tables and arrays as they are, anything else as an array."""
    values = as_pandas(values)
    return values if hasattr(values, "iloc") or isinstance(values, np.ndarray | list) else np.asarray(values)


def _is_bent(model: Any) -> bool:
    """Whether targets are learned on a curved scale, where another width is another mean."""
    while isinstance(model, AbstractWrapper):
        model = last_step(model._inside())
    return getattr(model, "curve_", None) is not None


def _at_the_end(model: Any, X: Any) -> HandedOn:
    """The fitted regressor at the end of a pipeline, and rows as the steps before it hand them on."""
    while isinstance(model, Pipeline):
        X, model = (model[:-1].transform(X) if len(model.steps) > 1 else X), model.steps[-1][1]
    return HandedOn(model, X)
