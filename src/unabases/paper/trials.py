"""Run a group of trials: load the data, fit the models, and make a row of results for each.

An experiment names a function, which is called as `function(trial, rows, model)` with a fitted model. For a trial that
is `alone` it is called as `function(trial, rows, given)`, with the results that the trial needs. It returns an
`Outcome`. For an experiment without a kind of data, `rows` is None.
"""

import importlib
import importlib.metadata
import platform
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import numpy as np

from unabases.paper.data import Rows, load_rows
from unabases.paper.plan import Trial, TrialGroup, code_of
from unabases.paper.rivals import known_regressors
from unabases.paper.store import Row
from unabases.regressors import AbstractRegressor
from unabases.regressors.networks.together import fit_together
from unabases.training.cores import usable_cores

_PACKAGES = ("unabases", "jax", "jaxlib", "equinox", "optax", "numpy", "scipy", "scikit-learn", "optuna", "blackjax")


class Outcome(NamedTuple):
    """What the function of an experiment returns: scores, lists to draw, and settings to add to the row."""

    scores: dict[str, float]
    curves: dict[str, Any] = {}  # noqa: RUF012  (never changed)
    settings: dict[str, Any] = {}  # noqa: RUF012


class _Ended(NamedTuple):
    """What became of a trial."""

    outcome: Outcome
    failed: str = ""


def run_group(
    group: TrialGroup, given: Sequence[Mapping[str, Row]], notes: Mapping[str, Any] | None = None
) -> list[Row]:
    """Run trials on the same data and return a row for each; an error goes into its row and stops no other trial.

    Parameters
    ----------
    group
        Trials on the same rows.
    given
        For each of them the results that it needs, by their role.
    notes
        What else to keep in the rows' provenance.
    """
    begin, cpu = time.perf_counter(), time.process_time()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        models: list[AbstractRegressor] = []
        try:
            first = group[0]
            rows = load_rows(first.data, first.dataset, first.split) if first.data else None
            if first.alone or rows is None:
                ended = [_guarded(trial, rows, own) for trial, own in zip(group, given, strict=True)]
            else:
                models = [make_model(trial, rows, own) for trial, own in zip(group, given, strict=True)]
                ended = _fit_and_score(group, rows, models)
        except Exception as error:
            ended = [_failure(error)] * len(group)
    said = sorted({str(warning.message) for warning in caught})
    seconds = (time.perf_counter() - begin) / len(group)
    cpu_seconds = round((time.process_time() - cpu) / len(group), 3)  # of all threads; a busy machine moves it less
    provenance = {**provenance_of(group[0]), "cpu_seconds": cpu_seconds, "warnings": said, **(notes or {})}
    return [
        Row(
            experiment=trial.experiment,
            dataset=trial.dataset,
            split=trial.split,
            method=trial.method,
            seed=trial.seed,
            settings=_described(trial, model, end.outcome),
            profile="",
            failed=end.failed,
            scores={name: float(value) for name, value in end.outcome.scores.items()},
            curves=plain(end.outcome.curves),
            seconds=seconds,
            provenance=provenance,
        )
        for trial, model, end in zip(group, models or [None] * len(group), ended, strict=True)
    ]


def make_model(trial: Trial, rows: Rows, given: Mapping[str, Row]) -> AbstractRegressor:
    """The unfitted regressor of a trial: its settings, what a search chose, the noise, and the seed."""
    chosen = given["search"].settings["chosen"] if "search" in given else {}
    model = known_regressors()[trial.regressor](**{**trial.settings, **chosen, "random_state": trial.seed})
    sigma2 = known_noise(rows, given)
    return model.set_params(sigma2=sigma2) if sigma2 is not None and "sigma2" in model.get_params() else model


def known_noise(rows: Rows, given: Mapping[str, Row]) -> float | None:
    """The noise variance that an earlier trial estimated, or the true one where it is known."""
    return given["noise"].scores["sigma2"] if "noise" in given else rows.sigma2


def find_function(trial: Trial) -> Callable[..., Outcome]:
    """The function that a trial names."""
    module, _, name = trial.function.partition(":")
    return getattr(importlib.import_module(module), name)


def parameters_of(model: AbstractRegressor) -> dict[str, Any]:
    """The class of a model and its parameters, without the seed, which a row names elsewhere."""
    said = {"regressor": type(model).__name__, **model.get_params(deep=False)}
    return {name: value for name, value in said.items() if name not in ("verbose", "random_state")}


def provenance_of(trial: Trial) -> dict[str, Any]:
    """Versions, machine and time."""
    return {
        "code": code_of(trial),
        "packages": {name: importlib.metadata.version(name) for name in _PACKAGES},
        "python": platform.python_version(),
        "machine": {"system": platform.system(), "processor": platform.machine(), "cores": usable_cores()},
        "finished_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def plain(value: Any) -> Any:
    """A value as JSON holds it: arrays and tuples as lists, floats to seven digits, anything else as text."""
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, float):
        return float(f"{value:.7g}")
    return value if value is None or isinstance(value, str | int | bool) else repr(value)


def _fit_and_score(group: TrialGroup, rows: Rows, models: Sequence[AbstractRegressor]) -> list[_Ended]:
    """Fit the models, in one program if there are several, and score each of those that did not fail."""
    begin = time.perf_counter()
    errors: list[Exception | None] = [None]
    if len(models) == 1:
        models[0].fit(rows.X_train, rows.y_train)
    else:
        errors = fit_together(models, rows.X_train, rows.y_train)
    seconds = (time.perf_counter() - begin) / len(models)
    ended = []
    for trial, model, error in zip(group, models, errors, strict=True):
        end = _guarded(trial, rows, model) if error is None else _failure(error)
        scores = {**end.outcome.scores, "fit_seconds": seconds}
        ended.append(end if end.failed else _Ended(end.outcome._replace(scores=scores)))
    return ended


def _guarded(trial: Trial, rows: Rows | None, subject: Any) -> _Ended:
    try:
        return _Ended(find_function(trial)(trial, rows, subject))
    except Exception as error:
        return _failure(error)


def _failure(error: Exception) -> _Ended:
    return _Ended(Outcome({}), f"{type(error).__name__}: {error}")


def _described(trial: Trial, model: AbstractRegressor | None, outcome: Outcome) -> dict[str, Any]:
    """All parameters of the model as it was fitted, or the trial's own settings where there is none."""
    own = trial.settings if model is None else parameters_of(model)
    return plain({**own, **trial.notes, **outcome.settings})
