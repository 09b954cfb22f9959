"""The noise variance of a split, estimated once and given to every method, as in the paper."""

from collections.abc import Mapping

from unabases.paper.data import Rows
from unabases.paper.plan import Trial
from unabases.paper.store import Row
from unabases.paper.trials import Outcome
from unabases.regressors.neural_linear import NeuralLinear


def settle_noise(trial: Trial, rows: Rows, given: Mapping[str, Row]) -> Outcome:
    """The variance of a MAP fit's errors on rows held out from it (`sigma2="residual"`), in y's units squared."""
    model = NeuralLinear(**trial.settings, random_state=trial.seed).fit(rows.X_train, rows.y_train)
    return Outcome({"sigma2": float(model.sigma2_)})
