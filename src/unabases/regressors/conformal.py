"""Any regressor, with intervals that hold what they promise on rows like those it was given."""

from dataclasses import field
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from jaxtyping import Float
from sklearn.base import clone
from sklearn.utils import _safe_indexing as take_rows
from sklearn.utils import assert_all_finite, check_consistent_length, check_random_state
from sklearn.utils.validation import _num_samples as count_rows
from sklearn.utils.validation import check_is_fitted

from unabases.predictive import AbstractPredictive
from unabases.predictive.checks import EXTREMES
from unabases.predictive.stretched import stretch
from unabases.regressors.shared.base import check_count, check_positive
from unabases.regressors.shared.left_out import leave_folds_out
from unabases.regressors.shared.parameters import about, check_kinds, estimator, parameter
from unabases.regressors.shared.rows import as_targets
from unabases.regressors.shared.saved_state import SavedState, StateError
from unabases.regressors.shared.weights import part_of, present_rows
from unabases.regressors.una import UNA
from unabases.regressors.wrappers.calibrated import AbstractCalibrated, fit_copy, predict_with, seeded, sliceable
from unabases.regressors.wrappers.conformal_widths import Widths, Witness, choose_widths, rows_needed
from unabases.regressors.wrappers.wrapper import last_step

Conformed = TypeVar("Conformed", bound="Conformal")


class _Fitted:
    """Attributes that `fit` sets; apart, since fields of an estimator are parameters."""

    widths_: Widths
    explanation_: str
    _vector: bool


@estimator
class Conformal(_Fitted, AbstractCalibrated):
    r"""Any regressor of this package, with intervals that hold their share of rows like the training rows.

    It keeps some rows from your regressor, looks how far their outcomes are from the predictions, in predicted standard
    deviations, and sets the intervals accordingly: with m rows held out, the interval at level 0.9 ends at the
    distance of rank :math:`\lceil 0.9 (m + 1) \rceil`. So it is done for each of `levels`; in between, the
    distribution is drawn out or together smoothly, and beyond the last level it is multiplied by the factor of that
    level. Predictions stay whole distributions, with densities, quantiles and draws. Means stay as they are (where
    targets are learned on a curved scale, medians do). A row about which the regressor is less sure still has a
    wider interval.

    **What is guaranteed.** If the held-out rows and a new row are exchangeable, such as independent draws from one
    population, the new outcome lies in the interval at each of `levels` with at least that probability, whatever the
    regressor; and with at most 1 / (m + 1) more, if no two distances are equal. That is an average over rows and over
    what was held out: some kinds of rows may get less and others more. Other levels are not guaranteed, nor is anything
    if `n_folds` is used, or once the regressor was updated. With several outputs it holds for each of them, not for
    all at once. It says nothing about rows from elsewhere: `GapCalibrated` is for those.

    Attributes
    ----------
    estimator_ : regressor
        The regressor, fitted to all rows but those held out.
    widths_ : Widths
        What was found at each level that could be set; see `levels_`.
    levels_ : DataFrame
        A line for each level that was set: the share of held-out rows that the regressor's own interval `covered`, and
        the `factor` by which the interval is now wider. With several outputs, a line for each `output`.
    explanation_ : str
        In words, on what the intervals were set, and which levels would have needed more rows.
    n_features_in_, feature_names_in_
        As seen by the regressor.

    See Also
    --------
    GapCalibrated : For rows unlike the training rows: in gaps and beyond them.

    References
    ----------
    Lei, G'Sell, Rinaldo, Tibshirani, Wasserman (2018). Distribution-Free Predictive Inference for Regression, for the
    guarantee, and for distances in standard deviations.

    Examples
    --------
    A Gaussian process that is told half of the true noise:

    >>> from unabases import GaussianProcess
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-2, 2, (400, 1))
    >>> y = np.sin(2 * X[:, 0]) + 0.2 * rng.standard_normal(400)
    >>> model = Conformal(GaussianProcess(sigma2=0.01, restarts=0), random_state=0).fit(X[:300], y[:300])
    >>> model.levels_.round(2)
       level  covered  factor
    0   0.50     0.21    2.30
    1   0.80     0.41    2.27
    2   0.90     0.52    2.41
    3   0.95     0.60    2.20
    >>> lower, upper = model.predict_dist(X[300:]).interval(0.9)
    >>> print(np.mean((lower < y[300:]) & (y[300:] < upper)))
    0.94
    """

    estimator: Any = field(
        default=None,
        kw_only=False,
        metadata=about(
            "Model",
            "regressor, pipeline or None",
            "What to fit: a regressor with `predict_dist`, or a pipeline that ends in one. None for `UNA()`.",
        ),
    )
    held_out: Any = parameter(
        0.25,
        "Model",
        "float",
        "Share of the rows that the regressor does not see, chosen at random. With 0 it sees all of them; give "
        "rows of your own to `calibrate` then, such as those of other persons or of a later time.",
    )
    n_folds: Any = parameter(
        0,
        "Model",
        "int",
        "With 2 or more, no row is kept from the regressor. Instead, copies of it leave one fold each out and predict "
        "it. It costs that many more fits and has no guarantee, but is as good as one in general.",
    )
    levels: Any = parameter(
        (0.5, 0.8, 0.9, 0.95),
        "Noise and prior",
        "list",
        "Levels of the intervals to set. A level needs level / (1 - level) rows: 0.9 needs 9, and 0.99 needs 99. "
        "More levels follow the errors more closely, and make densities less smooth.",
    )
    random_state: Any = parameter(
        None,
        "Other",
        "int, RandomState or None",
        "Seed of what is held out, and of the regressor where it has none. With an int, fitting twice gives the same.",
    )

    # ------------------------------------------------------------------------------------------------ fitting

    def fit(self: Conformed, X: Any, y: Any, sample_weight: Any = None) -> Conformed:
        """Fit the regressor, and set its intervals by rows that it did not see.

        Parameters
        ----------
        X : array or DataFrame
            Inputs, as the regressor takes them.
        y : array or Series
            Targets: a vector, or a matrix with a column for each output.
        sample_weight : array of shape (n,), optional
            How often each row counts, in the fit and among the rows held out; the last step of a pipeline is given it.

        Returns
        -------
        self
        """
        vars(self).pop("estimator_", None)
        check_kinds(self)
        share, n_folds = self._held_out_share(), check_count("n_folds", self.n_folds, least=0)
        self._sorted_levels()
        self._refuse_points()
        random = check_random_state(self.random_state)
        template = seeded(clone(self._wrapped()), random)
        rng = np.random.default_rng(random.randint(0, 2**31 - 1, size=4))
        X, y, weight = present_rows(X, as_targets(y), sample_weight)
        X, y = sliceable(X), y if y is None else sliceable(y)
        check_consistent_length(X, y)
        n = count_rows(X)
        parts = [np.flatnonzero(fold.rows) for fold in leave_folds_out(n, n_folds, rng)]
        if not n_folds:
            parts = [np.sort(rng.permutation(n)[: int(n * share)])]
        seen = [np.setdiff1d(np.arange(n), unseen) for unseen in parts]
        copies = [fit_copy(template, take_rows(X, rows), _of(y, rows), part_of(weight, rows)) for rows in seen]
        witnesses = [
            _witness(copy, take_rows(X, unseen), take_rows(y, unseen), part_of(weight, unseen))
            for copy, unseen in zip(copies, parts, strict=True)
            if len(unseen)
        ]
        fitted = fit_copy(template, X, y, weight) if n_folds else copies[0]
        usual = predict_with(fitted, take_rows(X, parts[0] if witnesses else [0]))
        self._set_widths(witnesses, usual, "folds" if n_folds else "held out")
        self._set_fitted(fitted)
        return self

    def calibrate(self: Conformed, X: Any, y: Any, sample_weight: Any = None) -> Conformed:
        """Set the intervals anew, by rows of your own that the regressor has not seen; it stays as it is.

        Parameters
        ----------
        X, y
            Rows and targets, as for `fit`. The guarantee is for rows like these.
        sample_weight : array of shape (n,), optional
            How often each row counts.

        Returns
        -------
        self

        Examples
        --------
        >>> from unabases import GaussianProcess
        >>> X = np.linspace(0, 3, 40)[:, None]
        >>> y = np.sin(X[:, 0])
        >>> model = Conformal(GaussianProcess(restarts=0), held_out=0).fit(X[::2], y[::2]).calibrate(X[1::2], y[1::2])
        >>> model.explanation_
        'Intervals at 50, 80, 90 and 95 % were set by 20 rows that were given to `calibrate`.'
        """
        check_is_fitted(self)
        check_consistent_length(X, y)
        X, y, weight = present_rows(X, as_targets(y), sample_weight)
        witness = _witness(self.estimator_, X, y, weight)
        self._set_widths([witness], witness.prediction, "calibrate")
        return self

    # ------------------------------------------------------------------------------------------------- saving

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Everything learned: the regressor's own state, and the intervals."""
        arrays, values = self._state_inside()
        arrays |= {f"widths.{name}": array for name, array in self.widths_._asdict().items()}
        return arrays, {**values, "explanation": self.explanation_, "vector_output": self._vector}

    def set_state(self, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> None:
        """Put back what `get_state` gave."""
        saved = SavedState(arrays, values)
        fitted = self._read_inside(saved)
        self._vector = saved.value("vector_output", bool)
        levels = saved.array("widths.levels", "k", "positive", empty=True)
        shapes = {"covered": "k p", "before": "k p", "after": "k p", "noise": "p"}
        signs = {"covered": "not negative"}
        rest = {
            name: saved.array(f"widths.{name}", shape, signs.get(name, "positive"), empty=True)
            for name, shape in shapes.items()
        }
        if not _possible(levels) or any(
            np.any(np.diff(a, axis=0) <= 0) for a in (levels, rest["before"], rest["after"])
        ):
            raise StateError("levels have to be below 1 and above 0 and to rise, and their intervals with them")
        if max(part.max(initial=0.0) for part in (rest["before"], rest["after"], rest["noise"])) > EXTREMES[1]:
            raise StateError(f"intervals are more than {EXTREMES[1]:g} stds wide, and no number can hold their square")
        if self._vector and saved.sizes["p"] != 1:
            raise StateError("a vector of targets has one output")
        self.widths_, self.explanation_ = Widths(levels, **rest), saved.value("explanation", str)
        self._set_fitted(fitted)

    # -------------------------------------------------------------------------------------------------- parts

    @property
    def levels_(self) -> pd.DataFrame:
        """What was found at each level."""
        levels, covered, before, after, _ = self.widths_
        p = covered.shape[1]
        table = {"level": np.repeat(levels, p)} | (
            {} if self._vector else {"output": np.tile(np.arange(p), len(levels))}
        )
        return pd.DataFrame({**table, "covered": covered.ravel(), "factor": (after / before).ravel()})

    @property
    def sigma2_(self) -> Any:
        """Noise variance in use, in squared units of y; one for each output."""
        return last_step(self.estimator_).sigma2_ * (self.widths_.noise[0] if self._vector else self.widths_.noise)

    def _wrapped(self) -> Any:
        return UNA() if self.estimator is None else self.estimator

    def _reshape(self, prediction: AbstractPredictive) -> AbstractPredictive:
        levels, ends = self.widths_.levels, self.widths_.after
        if not len(levels):
            return prediction
        return stretch(prediction, levels, ends[:, 0] if len(prediction.shape) == 1 else ends)

    def _held_out_share(self) -> float:
        share = check_positive("held_out", self.held_out, zero=True)
        if share >= 1:
            raise ValueError(f"`held_out` is a share of the rows, from 0 to below 1; got {self.held_out!r}.")
        return share

    def _sorted_levels(self) -> Float[np.ndarray, " k"]:
        try:
            levels = np.unique(np.asarray(self.levels, dtype=np.float64))
        except (TypeError, ValueError):
            levels = np.array([np.nan])
        if not len(levels) or not _possible(levels):
            raise ValueError(
                f"`levels` must be a list of numbers between 0 and 1, such as (0.5, 0.9); got {self.levels!r}."
            )
        return levels

    def _set_widths(self, witnesses: list[Witness], usual: AbstractPredictive, how: str) -> None:
        """Set the intervals by what copies said about unseen rows, for predictions of the usual kind."""
        levels = self._sorted_levels()
        self._vector = len(usual.shape) == 1
        self.widths_ = choose_widths(witnesses, levels, usual)
        self.explanation_ = (
            "No rows were held out, so that intervals are the regressor's own. Give some to `calibrate`."
        )
        if witnesses:
            self.explanation_ = _explanation(witnesses, levels, self.widths_.levels, how)


def _of(y: Any, rows: np.ndarray) -> Any:
    """Targets of some rows; None stays, for the regressor to refuse."""
    return None if y is None else take_rows(y, rows)


def _witness(model: Any, X: Any, y: Any, weight: np.ndarray | None) -> Witness:
    """What a fitted regressor says about rows that it did not see, and what they were."""
    prediction = predict_with(model, X)
    targets = np.asarray(y, dtype=np.float64).reshape(prediction.shape)
    assert_all_finite(targets, input_name="y")
    return Witness(prediction, targets, weight)


def _explanation(witnesses: list[Witness], asked: np.ndarray, set_: np.ndarray, how: str) -> str:
    m = sum(len(witness.y) for witness in witnesses)
    source = {
        "held out": f"{m} rows that were held out",
        "folds": f"{m} rows, each predicted by one of {len(witnesses)} copies that had not seen it",
        "calibrate": f"{m} rows that were given to `calibrate`",
    }[how]
    lacking = [level for level in asked if level not in set_]
    said = f"Intervals at {_listed(set_)} were set by {source}." if len(set_) else f"{m} rows set no interval."
    return said + "".join(f" {_percent(level)} % would need {rows_needed(level)} of them." for level in lacking)


def _percent(level: float) -> str:
    return f"{100 * level:.12g}"


def _possible(levels: np.ndarray) -> bool:
    """Whether intervals of these levels have ends that differ from the mean and are finite."""
    return bool(np.all((levels >= 1e-6) & (levels <= 1 - 1e-9)))


def _listed(levels: np.ndarray) -> str:
    *rest, last = map(_percent, levels)
    return (f"{', '.join(rest)} and {last}" if rest else last) + " %"
