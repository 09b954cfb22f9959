"""Decide which predictions should go to a person: a bound on the epistemic std, with a guarantee."""

import warnings
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float
from numpy.typing import ArrayLike

from unabases.audit.epistemic import predict_epistemic
from unabases.tables import TableModel

__all__ = ["DeferralPolicy", "mean_bound_p_value", "share_threshold"]

SHARES = np.linspace(0.1, 1.0, 10)  # of predictions to keep: the candidates for `max_error`
_FOR_SHARES = 0.2  # share of the rows that place the candidates
_CAP = 5.0  # errors count up to this many times `max_error`


class DeferralPolicy(NamedTuple):
    r"""A rule that sends a row to a person if its epistemic std is above `threshold`.

    Make one with `fit`, or with `of` from a `TableModel`.

    Notes
    -----
    Both kinds of rule need rows that the model was not trained on. They hold for new rows that are exchangeable with
    those (drawn in the same way), whatever their distribution. Rows from elsewhere have a larger epistemic std if the
    model notices, and more of them are deferred.

    `share`: the bound is the k-th smallest of the n epistemic stds, k = ⌈(n + 1)(1 − share)⌉, so that

    .. math:: P(\text{a new row is deferred}) \le \text{share}

    over the draw of validation rows and new row together. It is above share − 1/(n + 1) if no stds are equal.

    `max_error`: with probability at least `confidence` over the draw of the validation rows,

    .. math:: E[\min(|y - \mu|, c) \mid \text{kept}] \le \text{max\_error}, \quad c = \text{cap}

    A fifth of the rows places 10 candidates, which keep 10 to 100 % of the rows. For each, the other rows test whether
    its error is above `max_error` by betting against it, which is valid for any number of rows and any distribution.
    Half of 1 − confidence goes to the test of keeping all rows, the other half in equal parts to the other tests. The
    largest share whose test rejects is taken. Errors count only up to the cap, since no bound on the mean of an
    unbounded error can hold for every distribution.

    References
    ----------
    I. Waudby-Smith, A. Ramdas (2024). Estimating means of bounded random variables by betting. JRSS B 86.
    A. Angelopoulos, S. Bates, E. Candès, M. Jordan, L. Lei (2021). Learn then test: calibrating predictive algorithms
    to achieve risk control. arXiv:2110.01052.

    Examples
    --------
    >>> std = np.arange(1.0, 100.0)
    >>> DeferralPolicy.from_scores(std, share=0.1).threshold
    90.0
    """

    threshold: float
    kept: float
    """Share of the validation rows that are kept."""
    statement: str
    """What is guaranteed, in words."""
    model: Any = None

    @classmethod
    def fit(cls, model: Any, X_val: Any, y_val: ArrayLike | None = None, **goal: Any) -> "DeferralPolicy":
        """Find the bound on rows that the model was not trained on.

        Parameters
        ----------
        model : regressor or TableModel
            A fitted model with one output.
        X_val : array or DataFrame
            The validation rows; a table for a `TableModel`.
        y_val : array, optional
            What was observed; `share` does not need it.
        **goal
            `share`: the share of rows to defer; or `max_error`: the largest mean absolute error of the predictions
            kept, in units of y. For `max_error` also `confidence` (0.9), `cap` (the largest error that counts, by
            default five times `max_error`) and `random_state` (0, the seed of the split into rows for candidates and
            rows for tests).

        Returns
        -------
        DeferralPolicy
            The rule, with the guarantee in words as `statement`.
        """
        mean, std = predict_epistemic(model, X_val)
        errors = None
        if y_val is not None:
            errors = np.abs(np.asarray(y_val, dtype=np.float64) - mean)
            if errors.shape != std.shape or not np.isfinite(errors).all():
                raise ValueError(f"`y_val` must be {len(std)} finite numbers, one for each row of `X_val`.")
        return cls.from_scores(std, errors, **goal)._replace(model=model)

    @classmethod
    def of(cls, model: TableModel, **goal: Any) -> "DeferralPolicy":
        """Find the bound on the rows that a `TableModel` has held out; `fit` describes the goal."""
        held = model.held_out
        return cls.from_scores(held.epistemic_std, np.abs(held.y - held.mean), **goal)._replace(model=model)

    @classmethod
    def from_scores(
        cls,
        std: Float[np.ndarray, " n"],
        errors: Float[np.ndarray, " n"] | None = None,
        *,
        max_error: float | None = None,
        share: float | None = None,
        confidence: float = 0.9,
        cap: float | None = None,
        random_state: int | None = 0,
    ) -> "DeferralPolicy":
        """Find the bound from epistemic stds and, for `max_error`, absolute errors; `fit` describes the options."""
        if (max_error is None) == (share is None):
            raise ValueError("give either `max_error` or `share`.")
        if len(std) == 0:
            raise ValueError("there are no validation rows.")
        if share is not None:
            return _by_share(std, share)
        if errors is None:
            raise ValueError("`max_error` needs `y_val`, the observed targets.")
        assert max_error is not None
        if not max_error > 0:
            raise ValueError(f"`max_error` must be positive, got {max_error!r}.")
        if not 0 < confidence < 1:
            raise ValueError(f"`confidence` must lie between 0 and 1, got {confidence!r}.")
        cap = _CAP * max_error if cap is None else cap
        if not cap > max_error:
            raise ValueError(f"`cap` must be above `max_error` = {max_error}, got {cap!r}.")
        return _by_error(std, errors, max_error, confidence, cap, np.random.default_rng(random_state))

    def defer(self, X: Any) -> Bool[np.ndarray, " n"]:
        """Tell for each row of X whether it should go to a person."""
        if self.model is None:
            raise ValueError(
                "this policy was made from scores, without a model; compare epistemic stds with its `threshold`."
            )
        return predict_epistemic(self.model, X)[1] > self.threshold


def mean_bound_p_value(losses: Float[np.ndarray, " n"], bound: float, cap: float) -> float:
    """Test the hypothesis that losses in [0, cap] have a mean of at least `bound`; the p-value is valid for any n.

    A bettor starts with 1 and stakes a share on each loss being below the bound: more if earlier losses were low and
    steady. If the hypothesis holds, the game is not in the bettor's favour, and the chance that the fortune ever
    exceeds 1/p is at most p (Ville).
    """
    n = len(losses)
    if n == 0:
        return 1.0
    x, m = losses / cap, bound / cap
    before = np.arange(n) + 1.0
    mean = (m + np.concatenate([[0.0], np.cumsum(x)[:-1]])) / before  # of the losses so far, starting from the bound
    square = np.concatenate([[0.0], np.cumsum((x - (m + np.cumsum(x)) / (before + 1)) ** 2)[:-1]])
    variance = (m * (1 - m) + square) / before
    gap = np.clip(m - mean, 0.0, None)
    stake = np.minimum(gap / (variance + gap**2), 0.75 / (1 - m))  # close to Kelly's, and never more than one has
    fortune = np.cumsum(np.log1p(stake * (m - x)))
    return float(min(1.0, np.exp(-max(0.0, fortune.max()))))


def share_threshold(std: Float[np.ndarray, " n"], share: float) -> float:
    """Find the epistemic std that a new row like these exceeds with probability at most `share`.

    Parameters
    ----------
    std : array of shape (n,)
        Epistemic stds of rows that the model was not trained on.
    share : float
        The probability, between 0 and 1.

    Returns
    -------
    float
        The bound; infinite if there are too few rows for one.

    Examples
    --------
    >>> share_threshold(np.arange(1.0, 100.0), 0.1), share_threshold(np.ones(5), 0.1)
    (90.0, inf)
    """
    if not 0 < share < 1:
        raise ValueError(f"`share` must lie between 0 and 1, got {share!r}.")
    n = len(std)
    k = int(np.ceil((n + 1) * (1 - share) - 1e-9))
    return float(np.sort(std)[k - 1]) if k <= n else np.inf


def _by_share(std: Float[np.ndarray, " n"], share: float) -> DeferralPolicy:
    n, threshold = len(std), share_threshold(std, share)
    if threshold == np.inf:
        warnings.warn(
            f"{n} validation rows are too few to defer {100 * share:g} % with a guarantee, so nothing is deferred; "
            f"{int(np.ceil(1 / share))} rows are enough.",
            stacklevel=4,
        )
    said = f"of rows like the training data at most {100 * share:g} % are deferred"
    return DeferralPolicy(threshold, float(np.mean(std <= threshold)), said)


def _by_error(
    std: Float[np.ndarray, " n"],
    errors: Float[np.ndarray, " n"],
    max_error: float,
    confidence: float,
    cap: float,
    rng: np.random.Generator,
) -> DeferralPolicy:
    order = rng.permutation(len(std))
    cut = max(1, round(_FOR_SHARES * len(std)))
    candidates = np.quantile(std[order[:cut]], SHARES, method="higher")
    candidates[-1] = np.inf
    rest = order[cut:]
    losses = np.minimum(errors[rest], cap)
    levels = np.full(len(candidates), 0.5 / (len(candidates) - 1))
    levels[-1] = 0.5
    for threshold, level in zip(candidates[::-1], (1 - confidence) * levels[::-1], strict=True):
        if mean_bound_p_value(losses[std[rest] <= threshold], max_error, cap) <= level:
            said = (
                f"with confidence {100 * confidence:g} % the mean absolute error of the rows kept, among rows like the "
                f"training data, is at most {max_error:g} (errors above {cap:g} counted as {cap:g})"
            )
            return DeferralPolicy(float(threshold), float(np.mean(std <= threshold)), said)
    warnings.warn(
        f"no part of the {len(std)} validation rows shows a mean absolute error of at most {max_error:g} with "
        f"confidence {confidence:g}, so every row is deferred; ask for a larger error, or give more rows.",
        stacklevel=4,
    )
    return DeferralPolicy(-np.inf, 0.0, f"no row is kept: an error of {max_error:g} was not reached")
