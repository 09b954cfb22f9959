"""Any regressor, with its uncertainty widened or narrowed by how it does where rows were left out."""

from collections.abc import Callable
from dataclasses import field
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float
from sklearn.base import BaseEstimator, MetaEstimatorMixin, MultiOutputMixin, RegressorMixin, clone
from sklearn.pipeline import Pipeline
from sklearn.utils import Tags, check_random_state, get_tags
from sklearn.utils import _safe_indexing as take_rows
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _num_samples as count_rows
from sklearn.utils.validation import check_is_fitted

from unabases.predictive import AbstractPredictive
from unabases.regressors.base import check_count, check_positive, with_noise
from unabases.regressors.gap_scale import FACTORS, GapScale, Trial, choose_factors, own_factor, trial_likelihoods
from unabases.regressors.left_out import SLABS_FROM, LeftOut, leave_folds_out, leave_slabs_out
from unabases.regressors.luna import LUNA
from unabases.regressors.parameters import about, estimator, parameter
from unabases.regressors.plain_state import PlainState
from unabases.regressors.rows import as_targets, labels_of
from unabases.regressors.saved_state import SavedState, StateError
from unabases.regressors.weights import WeightedRows, as_keyword, present_rows

_LEVEL_ROWS = 2000  # training rows on which the usual epistemic variance is looked up, at most
_ROWS_AT_ONCE = 8192  # of a regressor that does not say how many it can predict together

Calibrated = TypeVar("Calibrated", bound="GapCalibrated")


class _Fitted:
    """Attributes that `fit` sets; apart, since fields of an estimator are parameters."""

    estimator_: Any
    scale_: GapScale
    epistemic_factor_: Any
    noise_factor_: Any
    left_out_: pd.DataFrame
    curves_: pd.DataFrame
    explanation_: str


class _Final(NamedTuple):
    """The regressor at the end of a pipeline, and rows as the steps before it hand them on."""

    model: Any
    X: Any


def _offers(name: str) -> Callable[["GapCalibrated"], bool]:
    """Whether the wrapped regressor has a method, for `available_if`."""
    return lambda self: hasattr(_last_step(getattr(self, "estimator_", self._wrapped())), name)


@estimator
class GapCalibrated(PlainState, _Fitted, MetaEstimatorMixin, MultiOutputMixin, RegressorMixin, BaseEstimator):
    """Any regressor of this package, made as unsure where it has no data as its errors there say it should be.

    Many regressors are too sure of themselves in gaps and beyond the data, some too unsure. This one finds out: it fits
    copies of your regressor to the training rows without a slab of them (the middle of a column, its outer parts, the
    same along a random direction), and looks how well each copy predicts its slab. Then it chooses one factor on the
    epistemic variance that would have made the slabs most likely, fits your regressor to all rows, and widens its
    predictions by that factor. Means stay as they are.

    Only the part of the epistemic variance that exceeds what is usual on the training rows is multiplied, so that
    predictions on the data keep their width; `spared` says what is usual. A few slabs are a noisy guide, so the factor
    is shrunk towards 1: each slab counts as much as one row, and `prior_std` is how far off you expect the regressor to
    be. The factor changes how wide predictions are, not where they are wide: a regressor whose uncertainty is no larger
    in a gap than on the data stays blind there.

    A fit takes as long as `1 + n_slabs + n_folds` fits of the regressor. A pipeline that ends in a regressor of this
    package can be wrapped too. `update`, `forget`, `refit` and `sample_posterior` are there if the regressor has them;
    the factor stays.

    Attributes
    ----------
    estimator_ : regressor
        The regressor, fitted to all rows.
    epistemic_factor_ : float or array
        Factor on the epistemic variance beyond the usual; one for each output.
    noise_factor_ : float or array
        Factor on the noise variance; one for each output.
    left_out_ : DataFrame
        What was left out, one line each: its `kind` (slab or fold), `where` it lies, how many `rows` it has, their mean
        log-likelihood `before` and `after` scaling, and the `own_factor` that it would choose alone. With several
        outputs, a line for each `output`.
    curves_ : DataFrame
        Mean log-likelihood of each line of `left_out_` (columns) for each factor (index); `unabases.plotting` draws it.
    explanation_ : str
        In words, what the factors were chosen on, or why they are 1.
    n_features_in_, feature_names_in_
        As seen by the regressor.

    See Also
    --------
    unabases.plotting.draw_left_out : The log-likelihood of what was left out, against the factor.
    UNA : A committee that leaves rows out while it trains, at no extra fit.

    References
    ----------
    Foong, Li, Hernández-Lobato, Turner (2019). 'In-Between' Uncertainty in Bayesian Neural Networks, for leaving the
    middle of a column out as a test.

    Examples
    --------
    >>> import numpy as np
    >>> from unabases import NeuralLinear
    >>> X = np.r_[np.linspace(-4, -2, 50), np.linspace(2, 4, 50)][:, None]  # nothing between -2 and 2
    >>> y = X[:, 0] ** 3 + 3 * np.random.default_rng(0).standard_normal(100)
    >>> model = GapCalibrated(NeuralLinear(random_state=0), random_state=0).fit(X, y)
    >>> model.explanation_
    'The epistemic factor was chosen on 4 slabs.'
    >>> bool(model.epistemic_factor_ > 1)  # the network is too sure of itself
    True
    >>> list(model.left_out_.columns)
    ['kind', 'where', 'rows', 'before', 'after', 'own_factor']
    """

    estimator: Any = field(
        default=None,
        kw_only=False,
        metadata=about(
            "Model",
            "regressor, pipeline or None",
            "What to fit: a regressor with `predict_dist`, or a pipeline that ends in one. None for `LUNA()`.",
        ),
    )
    n_slabs: Any = parameter(
        4,
        "Model",
        "int",
        "Slabs to leave out, at most, each for one fit: in turn the middle third and the outer sixths, two along "
        "columns with five different values or more, two along random directions. Below 20 rows there are none.",
    )
    n_folds: Any = parameter(
        0,
        "Model",
        "int",
        "Random folds to leave out, each for one fit. With 2 or more, a factor on the noise variance is chosen too; "
        "with 0 the noise stays.",
    )
    spared: Any = parameter(
        0.5,
        "Noise and prior",
        "float",
        "Share of the training rows whose epistemic variance is taken as usual. Only what exceeds it is multiplied. "
        "With 0, all of it is, which also helps a regressor that is as sure in gaps as on its data, at a cost there.",
    )
    prior_std: Any = parameter(
        2.0,
        "Noise and prior",
        "float",
        "Standard deviation of the natural log of each factor before anything was left out. Less shrinks more.",
    )
    random_state: Any = parameter(
        None,
        "Other",
        "int, RandomState or None",
        "Seed of what is left out, and of the regressor where it has none. With an int, fitting twice gives the same.",
    )

    # ------------------------------------------------------------------------------------------------ fitting

    def fit(self: Calibrated, X: Any, y: Any, sample_weight: Any = None) -> Calibrated:
        """Fit to all rows, fit copies without slabs and folds, and choose the factors.

        Parameters
        ----------
        X : array or DataFrame
            Inputs, as the regressor takes them.
        y : array or Series
            Targets: a vector, or a matrix with a column for each output.
        sample_weight : array of shape (n,), optional
            How often each row counts, in the fits and in what is left out; the last step of a pipeline is given it.

        Returns
        -------
        self
        """
        vars(self).pop("estimator_", None)
        n_slabs, n_folds = (check_count(name, getattr(self, name), least=0) for name in ("n_slabs", "n_folds"))
        prior_std, spared = check_positive("prior_std", self.prior_std), self._spared_share()
        if not hasattr(_last_step(self._wrapped()), "predict_dist"):
            raise TypeError(
                f"`estimator` must have `predict_dist`, or be a pipeline that ends in a regressor that has it; got "
                f"{self._wrapped()!r}. Take one of `unabases.all_regressors()`."
            )
        random = check_random_state(self.random_state)
        template = _seeded(_copy(self._wrapped()), random)
        X, y, weight = present_rows(X, as_targets(y), sample_weight)
        fitted = _fit(template, X, y, weight)  # first, so that it refuses what it cannot learn from
        X, y = _sliceable(X), _sliceable(y)
        n, rng = count_rows(X), np.random.default_rng(random.randint(0, 2**31 - 1, size=4))
        numbers = _numeric_columns(X)
        absences = leave_slabs_out(numbers.to_numpy(), n_slabs, rng, _column_names(X, numbers))
        absences += leave_folds_out(n, n_folds, rng)
        trials = [_try(template, WeightedRows(X, y, weight), absence, spared, rng) for absence in absences]
        trials = [trial for trial in trials if np.all(np.isfinite(trial_likelihoods(trial, 1.0, 1.0)))]
        level = _usual_variance(fitted, X, np.ones(n, dtype=bool), spared, rng)
        chosen = np.array([choose_factors(trials, j, prior_std) for j in range(len(level))])
        self._set_scale(GapScale(chosen[:, 0], chosen[:, 1], level), np.ndim(y) == 1)
        self._describe(trials)
        self.explanation_ = _explanation(trials, n, n_slabs)
        self._set_fitted(fitted)
        return self

    @available_if(_offers("update"))
    def update(self: Calibrated, X: Any, y: Any, sample_weight: Any = None) -> Calibrated:
        """Add rows to the regressor, as its `update` does; the factors stay."""
        return self._revise("update", X, y, sample_weight)

    @available_if(_offers("partial_fit"))
    def partial_fit(self: Calibrated, X: Any, y: Any, sample_weight: Any = None) -> Calibrated:
        """Learn from a part of the rows: `fit` at the first call, `update` at all later ones."""
        return (self.update if self.__sklearn_is_fitted__() else self.fit)(X, y, sample_weight)

    @available_if(_offers("forget"))
    def forget(self: Calibrated, X: Any, y: Any, sample_weight: Any = None) -> Calibrated:
        """Take rows out of the regressor, as its `forget` does; the factors stay."""
        return self._revise("forget", X, y, sample_weight)

    @available_if(_offers("refit"))
    def refit(self: Calibrated, X: Any, y: Any, sample_weight: Any = None) -> Calibrated:
        """Give the regressor other data, as its `refit` does; the factors stay."""
        return self._revise("refit", X, y, sample_weight)

    # --------------------------------------------------------------------------------------------- prediction

    def predict_dist(self, X: Any, covariance: bool = False) -> AbstractPredictive:
        """Distribution of y at each row, with the epistemic and the noise variance scaled.

        Parameters
        ----------
        X
            Rows of shape (n, d).
        covariance
            Whether to add the epistemic covariance between rows.
        """
        check_is_fitted(self)
        return self.scale_.apply(_predict(self.estimator_, X, covariance)).labelled(labels_of(X))

    def predict(self, X: Any, return_std: bool = False, return_cov: bool = False) -> Any:
        """Mean of y at each row, with the standard deviation or covariance of y (noise included) on demand."""
        if return_std and return_cov:
            raise ValueError("ask for one of `return_std` and `return_cov`, not both.")
        check_is_fitted(self)
        if return_cov:
            d = self.predict_dist(X, covariance=True)
            return d.mean, with_noise(d.covariance, d.noise_std)
        model, Z = _final(self.estimator_, X)
        if not return_std:
            return model.predict(Z)
        size = model._rows_at_once() if hasattr(model, "_rows_at_once") else _ROWS_AT_ONCE
        if np.ndim(Z) != 2 or len(Z) <= size:
            d = self.scale_.apply(model.predict_dist(Z))
            return d.mean, d.std
        blocks = [take_rows(Z, slice(i, i + size)) for i in range(0, len(Z), size)]
        made = [self.scale_.apply(model.predict_dist(block)) for block in blocks]
        return np.concatenate([d.mean for d in made]), np.concatenate([d.std for d in made])

    @available_if(_offers("sample_posterior"))
    def sample_posterior(self, X: Any, n: int = 1, random_state: Any = None) -> np.ndarray:
        """`n` functions drawn after seeing data, their distance from the mean scaled: (n, rows) or (n, rows, p)."""
        check_is_fitted(self)
        model, Z = _final(self.estimator_, X)
        prediction = model.predict_dist(Z)
        drawn = model.sample_posterior(Z, n, random_state)
        return prediction.mean + np.sqrt(self.scale_.row_factors(prediction)) * (drawn - prediction.mean)

    # ------------------------------------------------------------------------------------------------- saving

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Everything learned: the regressor's own state, the scale, and what was left out."""
        check_is_fitted(self)
        if not hasattr(self.estimator_, "get_state"):
            raise TypeError(
                f"a model file holds regressors of this package, and {type(self.estimator_).__name__} is none; "
                "use `joblib.dump` for a wrapped pipeline."
            )
        arrays, values = self.estimator_.get_state()
        arrays = {f"estimator.{name}": array for name, array in arrays.items()}
        arrays |= {f"scale.{name}": array for name, array in self.scale_._asdict().items()}
        arrays["curves"] = self.curves_.to_numpy()
        table = {name: column.tolist() for name, column in self.left_out_.items()}
        own = {"left_out": table, "explanation": self.explanation_, "vector_output": np.ndim(self.noise_factor_) == 0}
        return arrays, {"estimator": values, **own}

    def set_state(self, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> None:
        """Put back what `get_state` gave."""
        saved = SavedState(arrays, values, factors=len(FACTORS))
        fitted = _copy(self._wrapped())
        fitted.set_state(saved.below("estimator.").arrays, saved.value("estimator", dict))
        saved.sizes["p"] = len(fitted.y_scale_.center)
        vector = saved.value("vector_output", bool)
        if vector != fitted.vector_output_:
            raise StateError("the regressor and its scale do not agree whether y is a vector")
        curves, lines = saved.array("curves", "factors lines", empty=True), saved.value("left_out", dict)
        if any(type(column) is not list or len(column) != saved.sizes["lines"] for column in lines.values()):
            raise StateError(f"what was left out has to have {saved.sizes['lines']} lines in every column")
        signs = ("positive", "positive", "not negative")
        scale = (saved.array(f"scale.{name}", "p", sign) for name, sign in zip(GapScale._fields, signs, strict=True))
        self._set_scale(GapScale(*scale), vector)
        self.left_out_ = pd.DataFrame(lines)
        self.curves_ = _as_curves(curves)
        self.explanation_ = saved.value("explanation", str)
        self._set_fitted(fitted)

    # -------------------------------------------------------------------------------------------------- parts

    @property
    def sigma2_(self) -> Any:
        """Noise variance in use, in squared units of y; one for each output."""
        return _last_step(self.estimator_).sigma2_ * self.noise_factor_

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "estimator_")

    def __sklearn_tags__(self) -> Tags:
        """What the regressor can take, this can take."""
        tags, inner = super().__sklearn_tags__(), get_tags(self._wrapped())
        tags.input_tags, tags.target_tags = inner.input_tags, inner.target_tags
        return tags

    def _wrapped(self) -> Any:
        return LUNA() if self.estimator is None else self.estimator

    def _spared_share(self) -> float:
        share = check_positive("spared", self.spared, zero=True)
        if share > 1:
            raise ValueError(f"`spared` is a share of the training rows, from 0 to 1; got {self.spared!r}.")
        return share

    def _revise(self: Calibrated, method: str, X: Any, y: Any, sample_weight: Any) -> Calibrated:
        check_is_fitted(self)
        model, Z = _final(self.estimator_, X)
        getattr(model, method)(Z, y, **as_keyword(sample_weight))
        return self

    def _set_scale(self, scale: GapScale, vector: bool) -> None:
        self.scale_ = scale
        self.epistemic_factor_ = float(scale.epistemic[0]) if vector else scale.epistemic
        self.noise_factor_ = float(scale.noise[0]) if vector else scale.noise

    def _set_fitted(self, fitted: Any) -> None:
        """Last, since it marks the model as fitted."""
        for name in ("n_features_in_", "feature_names_in_"):
            vars(self).pop(name, None)
            if hasattr(fitted, name):
                setattr(self, name, getattr(fitted, name))
        self.estimator_ = fitted

    def _describe(self, trials: list[Trial]) -> None:
        """The table and the curves: a line for each output of each trial."""
        lines, curves = [], []
        several = np.ndim(self.noise_factor_) > 0
        for trial in trials:
            before = trial_likelihoods(trial, 1.0, 1.0)
            for j, (c, r) in enumerate(zip(self.scale_.epistemic, self.scale_.noise, strict=True)):
                curve = np.array([trial_likelihoods(trial, factor, r)[j] for factor in FACTORS])
                kind, where, rows = trial.left_out
                line = {"kind": kind, "where": where, "rows": int(rows.sum()), **({"output": j} if several else {})}
                after = float(trial_likelihoods(trial, c, r)[j])
                lines.append({**line, "before": float(before[j]), "after": after, "own_factor": own_factor(curve)})
                curves.append(curve)
        columns = ["kind", "where", "rows", *(["output"] if several else []), "before", "after", "own_factor"]
        self.left_out_ = pd.DataFrame(lines, columns=columns)
        self.curves_ = _as_curves(np.reshape(curves, (len(curves), len(FACTORS))).T)


def _last_step(model: Any) -> Any:
    """The regressor itself, or the one at the end of a pipeline."""
    while isinstance(model, Pipeline):
        model = model.steps[-1][1]
    return model


def _final(model: Any, X: Any) -> _Final:
    """The fitted regressor at the end, and rows as they reach it."""
    while isinstance(model, Pipeline):
        X, model = (model[:-1].transform(X) if len(model.steps) > 1 else X), model.steps[-1][1]
    return _Final(model, X)


def _predict(model: Any, X: Any, covariance: bool = False) -> AbstractPredictive:
    last, Z = _final(model, X)
    return last.predict_dist(Z, covariance=True) if covariance else last.predict_dist(Z)


def _copy(model: Any) -> Any:
    """The same regressor, not fitted."""
    return clone(model)


def _seeded(model: Any, random: np.random.RandomState) -> Any:
    """The regressor with a seed wherever it has none, so that it and its copies can be fitted again."""
    names = [name for name in sorted(model.get_params()) if name.rpartition("__")[2] == "random_state"]
    missing = [name for name in names if model.get_params()[name] is None]
    return model.set_params(**{name: int(random.randint(2**31 - 1)) for name in missing})


def _sliceable(values: Any) -> Any:
    """Rows that can be taken out of: tables and arrays as they are, anything else as an array."""
    return values if hasattr(values, "iloc") or isinstance(values, np.ndarray | list) else np.asarray(values)


def _numeric_columns(X: Any) -> pd.DataFrame:
    """Columns as numbers, not a number where they are none."""
    frame = X if isinstance(X, pd.DataFrame) else pd.DataFrame(X)
    return pd.DataFrame(frame.apply(pd.to_numeric, errors="coerce"), dtype=np.float64)


def _column_names(X: Any, numbers: pd.DataFrame) -> list[str] | None:
    return [str(name) for name in numbers.columns] if isinstance(X, pd.DataFrame) else None


def _fit(template: Any, X: Any, y: Any, weight: np.ndarray | None) -> Any:
    """A copy of a regressor or a pipeline, fitted; the weights go to its last step."""
    place, model = "", template
    while isinstance(model, Pipeline):
        name, model = model.steps[-1]
        place += f"{name}__"
    return _copy(template).fit(X, y, **as_keyword(weight, place))


def _try(template: Any, rows: WeightedRows, absence: LeftOut, spared: float, rng: np.random.Generator) -> Trial:
    """Fit a copy without some rows, and let it predict them."""
    X, y, weight = rows
    seen, unseen = np.flatnonzero(~absence.rows), np.flatnonzero(absence.rows)
    copy = _fit(template, take_rows(X, seen), take_rows(y, seen), None if weight is None else weight[seen])
    prediction = _predict(copy, take_rows(X, unseen))
    targets = np.asarray(take_rows(y, unseen), dtype=np.float64).reshape(prediction.shape)
    level = _usual_variance(copy, X, ~absence.rows, spared, rng)
    return Trial(absence, prediction, targets, level, None if weight is None else weight[unseen])


def _usual_variance(
    model: Any, X: Any, seen: Bool[np.ndarray, " n"], spared: float, rng: np.random.Generator
) -> Float[np.ndarray, " p"]:
    """The quantile of the epistemic variance on rows that the model has seen, for each output; 0 to spare none."""
    rows = np.flatnonzero(seen)
    rows = rows if len(rows) <= _LEVEL_ROWS else np.sort(rng.choice(rows, _LEVEL_ROWS, replace=False))
    variance = _predict(model, take_rows(X, rows)).epistemic_std ** 2
    columns = variance.reshape(len(rows), -1)
    return np.quantile(columns, spared, axis=0) if spared else np.zeros(columns.shape[1])


def _explanation(trials: list[Trial], n: int, n_slabs: int) -> str:
    slabs, folds = (sum(trial.left_out.kind == kind for trial in trials) for kind in ("slab", "fold"))
    noise = f" The noise factor was chosen on {folds} folds." if folds else ""
    if slabs:
        return f"The epistemic factor was chosen on {slabs} {'slab' if slabs == 1 else 'slabs'}." + noise
    if n_slabs == 0:
        why = "`n_slabs` is 0"
    elif n < SLABS_FROM:
        why = f"{n} rows are too few to leave a slab out; {SLABS_FROM} are needed"
    else:
        why = "no column has enough different values to cut a slab, or the likelihood of the slabs was not finite"
    return f"The epistemic factor is 1: {why}." + noise


def _as_curves(values: Float[np.ndarray, "factors lines"]) -> pd.DataFrame:
    return pd.DataFrame(values, index=pd.Index(FACTORS, name="factor"))
