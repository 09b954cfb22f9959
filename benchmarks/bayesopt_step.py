"""One step of Bayesian optimisation: LUNA compared with BoTorch's single-task GP and Optuna's GP sampler.

A step fits to all observations, maximises (log) expected improvement and returns the next point. The function is
Hartmann6, with 50, 100 and 200 observations, after everything is compiled.
"""

import statistics
import warnings

import numpy as np

from benchmarks import row, seconds
from unabases.bayesopt import BayesOpt
from unabases.bayesopt.problems import hartmann6_task


def run(quick: bool) -> list[dict]:
    try:
        import botorch  # noqa: F401
        import torch  # noqa: F401
    except ImportError as error:
        raise ImportError("this benchmark needs BoTorch and PyTorch; run `make bench`, which sets them up.") from error
    task = hartmann6_task()
    repeats = 2 if quick else 5
    rows = []
    for n in (50,) if quick else (50, 100, 200):
        points = task.space.decode(task.space.sample(n + repeats + 1, np.random.default_rng(0)))
        values = [task.function(point) for point in points]
        ours = our_step(task, points, values, n, repeats)
        rows += [
            row(f"{n} observations, beside BoTorch", ours, theirs := botorch_step(points, values, n, repeats),
                ratio=theirs / ours),
            row(f"{n} observations, beside Optuna", ours, theirs := optuna_step(task, points, values, n, repeats),
                ratio=theirs / ours),
        ]  # fmt: skip
    return rows


def our_step(task, points, values, n, repeats) -> float:
    study = BayesOpt(task.space, n_initial=2, random_state=0)
    study.tell(points[:n], values[:n])
    times = []
    for i in range(repeats + 1):
        times.append(seconds(study.ask))
        study.tell(points[n + i], values[n + i])
    return statistics.median(times[1:])


def botorch_step(points, values, n, repeats) -> float:
    import torch
    from botorch.acquisition import LogExpectedImprovement
    from botorch.fit import fit_gpytorch_mll
    from botorch.models import SingleTaskGP
    from botorch.optim import optimize_acqf
    from gpytorch.mlls import ExactMarginalLogLikelihood

    X = torch.tensor([list(point.values()) for point in points], dtype=torch.double)
    Y = -torch.tensor(values, dtype=torch.double)[:, None]
    bounds = torch.tensor([[0.0] * 6, [1.0] * 6], dtype=torch.double)

    def step(rows: int) -> None:
        model = SingleTaskGP(X[:rows], Y[:rows])
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
        acquisition = LogExpectedImprovement(model, best_f=Y[:rows].max())
        optimize_acqf(acquisition, bounds=bounds, q=1, num_restarts=10, raw_samples=512)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        times = [seconds(lambda: step(n + i)) for i in range(repeats + 1)]  # noqa: B023
    return statistics.median(times[1:])


def optuna_step(task, points, values, n, repeats) -> float:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        study = optuna.create_study(sampler=optuna.samplers.GPSampler(seed=0, n_startup_trials=2))
    distributions = task.space.distributions

    def add(i: int) -> None:
        study.add_trial(optuna.create_trial(params=points[i], distributions=distributions, value=values[i]))

    for i in range(n):
        add(i)
    times = []
    for i in range(repeats + 1):
        trials = []
        times.append(seconds(lambda: trials.append(study.ask(distributions))))  # noqa: B023
        study.tell(trials[0], state=optuna.trial.TrialState.FAIL)
        add(n + i)
    return statistics.median(times[1:])
