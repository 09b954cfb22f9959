"""Any regressor, with its uncertainty widened or narrowed by how it does where rows were left out."""

from dataclasses import field
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float
from sklearn.base import clone
from sklearn.utils import _safe_indexing as take_rows
from sklearn.utils import check_random_state
from sklearn.utils.validation import _num_samples as count_rows

from unabases.predictive import AbstractPredictive
from unabases.regressors.luna import LUNA
from unabases.regressors.shared.base import check_count, check_positive
from unabases.regressors.shared.left_out import SLABS_FROM, LeftOut, leave_folds_out, leave_slabs_out
from unabases.regressors.shared.parameters import about, estimator, parameter
from unabases.regressors.shared.rows import as_targets
from unabases.regressors.shared.saved_state import SavedState, StateError
from unabases.regressors.shared.weights import WeightedRows, part_of, present_rows
from unabases.regressors.wrappers.calibrated import AbstractCalibrated, fit_copy, predict_with, seeded, sliceable
from unabases.regressors.wrappers.gap_scale import (
    FACTORS,
    GapScale,
    Trial,
    choose_factors,
    own_factor,
    trial_likelihoods,
)
from unabases.regressors.wrappers.wrapper import last_step

_LEVEL_ROWS = 2000  # training rows on which the usual epistemic variance is looked up, at most

Calibrated = TypeVar("Calibrated", bound="GapCalibrated")


class _Fitted:
    """Attributes that `fit` sets; apart, since fields of an estimator are parameters."""

    scale_: GapScale
    epistemic_factor_: Any
    noise_factor_: Any
    left_out_: pd.DataFrame
    curves_: pd.DataFrame
    explanation_: str


@estimator
class GapCalibrated(_Fitted, AbstractCalibrated):
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
    Conformal : For rows like the training rows: intervals that hold their share.
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
        self._refuse_points()
        random = check_random_state(self.random_state)
        template = seeded(clone(self._wrapped()), random)
        X, y, weight = present_rows(X, as_targets(y), sample_weight)
        fitted = fit_copy(template, X, y, weight)  # first, so that it refuses what it cannot learn from
        X, y = sliceable(X), sliceable(y)
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

    # ------------------------------------------------------------------------------------------------- saving

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Everything learned: the regressor's own state, the scale, and what was left out."""
        arrays, values = self._state_inside()
        arrays |= {f"scale.{name}": array for name, array in self.scale_._asdict().items()}
        arrays["curves"] = self.curves_.to_numpy()
        table = {name: column.tolist() for name, column in self.left_out_.items()}
        own = {"left_out": table, "explanation": self.explanation_, "vector_output": np.ndim(self.noise_factor_) == 0}
        return arrays, {**values, **own}

    def set_state(self, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> None:
        """Put back what `get_state` gave."""
        saved = SavedState(arrays, values, factors=len(FACTORS))
        fitted = self._read_inside(saved)
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
        return last_step(self.estimator_).sigma2_ * self.noise_factor_

    def _wrapped(self) -> Any:
        return LUNA() if self.estimator is None else self.estimator

    def _reshape(self, prediction: AbstractPredictive) -> AbstractPredictive:
        return self.scale_.apply(prediction)

    def _spared_share(self) -> float:
        share = check_positive("spared", self.spared, zero=True)
        if share > 1:
            raise ValueError(f"`spared` is a share of the training rows, from 0 to 1; got {self.spared!r}.")
        return share

    def _set_scale(self, scale: GapScale, vector: bool) -> None:
        self.scale_ = scale
        self.epistemic_factor_ = float(scale.epistemic[0]) if vector else scale.epistemic
        self.noise_factor_ = float(scale.noise[0]) if vector else scale.noise

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


def _numeric_columns(X: Any) -> pd.DataFrame:
    """Columns as numbers, not a number where they are none."""
    frame = X if isinstance(X, pd.DataFrame) else pd.DataFrame(X)
    return pd.DataFrame(frame.apply(pd.to_numeric, errors="coerce"), dtype=np.float64)


def _column_names(X: Any, numbers: pd.DataFrame) -> list[str] | None:
    return [str(name) for name in numbers.columns] if isinstance(X, pd.DataFrame) else None


def _try(template: Any, rows: WeightedRows, absence: LeftOut, spared: float, rng: np.random.Generator) -> Trial:
    """Fit a copy without some rows, and let it predict them."""
    X, y, weight = rows
    seen, unseen = np.flatnonzero(~absence.rows), np.flatnonzero(absence.rows)
    copy = fit_copy(template, take_rows(X, seen), take_rows(y, seen), part_of(weight, seen))
    prediction = predict_with(copy, take_rows(X, unseen))
    targets = np.asarray(take_rows(y, unseen), dtype=np.float64).reshape(prediction.shape)
    level = _usual_variance(copy, X, ~absence.rows, spared, rng)
    return Trial(absence, prediction, targets, level, part_of(weight, unseen))


def _usual_variance(
    model: Any, X: Any, seen: Bool[np.ndarray, " n"], spared: float, rng: np.random.Generator
) -> Float[np.ndarray, " p"]:
    """The quantile of the epistemic variance on rows that the model has seen, for each output; 0 to spare none."""
    rows = np.flatnonzero(seen)
    rows = rows if len(rows) <= _LEVEL_ROWS else np.sort(rng.choice(rows, _LEVEL_ROWS, replace=False))
    variance = predict_with(model, take_rows(X, rows)).epistemic_std ** 2
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
