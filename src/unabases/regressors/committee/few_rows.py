"""What few rows choose is too small on average, and itself in doubt: how much wider to be, and with which tails."""

import numpy as np
from jaxtyping import Bool

from unabases.regressors.committee.heavy_tails import Tails, normal_tails
from unabases.regressors.committee.variances import Variances

_ROWS = 4.0  # divided by the number of rows: the share by which standard deviations are too small
_HEAVIEST = 3.0  # the fewest degrees of freedom that doubt alone asks for
_AS_GOOD_AS_NORMAL = 300.0  # degrees of freedom


def widen_for_few(chosen: Variances, n: int, estimated: Bool[np.ndarray, " p"]) -> Variances:
    """Enlarge variances of outputs that n rows had to choose.

    The same rows say which variances are best and how good these are. With prior and noise variances enlarged alike,
    means stay as they are.

    Examples
    --------
    >>> chosen = Variances(1.0, np.array([0.5]), np.array([0.1]), np.ones(1))
    >>> widen_for_few(chosen, 40, np.array([True])).sigma2.round(3)  # a tenth more in standard deviations
    array([0.121])
    """
    times = np.where(estimated, (1 + _ROWS / n) ** 2, 1.0)
    return chosen._replace(alpha=chosen.alpha * times, sigma2=chosen.sigma2 * times)


def heavier_for_few(tails: Tails | None, n: int, outputs: int) -> Tails | None:
    """Tails that n rows allow: a variance that they estimate is in doubt, so that they cannot be quite normal.

    Examples
    --------
    >>> heavier_for_few(None, 40, 1).df
    array([20.])
    >>> heavier_for_few(None, 1000, 1) is None
    True
    """
    most = max(n / 2, _HEAVIEST)
    if most >= _AS_GOOD_AS_NORMAL:
        return tails
    usual = normal_tails(outputs) if tails is None else tails
    return usual._replace(df=np.minimum(usual.df, most), far=np.minimum(usual.far, most))
