"""Sampling bias in faces: a model of age that has seen no women, or nobody in their thirties.

The paper's section on image data, on the splits of `unabases.datasets.load_faces_split`.
"""

from typing import Any

import numpy as np

from unabases.metrics.detection import auroc
from unabases.metrics.scores import epistemic, eurc, log_likelihood, mae
from unabases.paper.data import Rows
from unabases.paper.plan import Trial
from unabases.paper.trials import Outcome
from unabases.regressors.shared.base import AbstractRegressor

EPOCHS, BATCH = 10, 1024
SHARED: dict[str, Any] = {
    **{"hidden_layer_sizes": (500,), "activation": "relu", "batch_size": BATCH, "optimizer": "adam"},  # as in the paper
    **{"learning_rate": 1e-3, "standardize": "common"},  # chosen: see docs/faces.md
}


def steps_of(rows: int, epochs: int = EPOCHS) -> int:
    """Steps of so many passes over the rows."""
    return epochs * -(-rows // BATCH)


def faces_scores(trial: Trial | None, rows: Rows, model: AbstractRegressor) -> Outcome:
    """Error and epistemic std on training rows, on rows like them, and on those that training lacks (`_gap`).

    `rise` is the epistemic std relative to the training rows, less 1, as the paper gives it; `eurc` is that of the rows
    that training lacks relative to the other test rows.
    """
    assert rows.X_gap is not None
    assert rows.y_gap is not None
    seen, like, unlike = (model.predict_dist(X) for X in (rows.X_train, rows.X_test, rows.X_gap))
    scores = {
        "mae_train": mae(seen, rows.y_train),
        "mae": mae(like, rows.y_test),
        "mae_gap": mae(unlike, rows.y_gap),
        "log_likelihood": log_likelihood(like, rows.y_test),
        "log_likelihood_gap": log_likelihood(unlike, rows.y_gap),
        "epistemic_train": epistemic(seen),
        "epistemic": epistemic(like),
        "epistemic_gap": epistemic(unlike),
        "rise": eurc(like, seen),
        "rise_gap": eurc(unlike, seen),
        "eurc": eurc(unlike, like),
        "auroc": auroc(unlike, like),
    }
    keep = trial is None or trial.seed == 0
    quantiles = np.linspace(0, 1, 201)
    curves = {
        name: np.quantile(part.epistemic_std, quantiles).tolist()
        for name, part in (("train", seen), ("test", like), ("gap", unlike))
    }
    return Outcome(scores, curves if keep else {})
