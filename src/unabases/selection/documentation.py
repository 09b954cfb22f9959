"""Parameter descriptions that several classes share, written once."""

import inspect
from collections.abc import Callable
from typing import TypeVar

__all__ = ["ATTRIBUTES", "PARAMETERS", "documented"]

Class = TypeVar("Class", bound=type)

PARAMETERS = """
n_random : int
    Number of first trials, which are drawn at random.
n_trials : int
    Number of further trials, which Optuna's tree-structured Parzen estimator (TPE) proposes.
batch : int
    Number of trials proposed and trained at once. Larger batches use the processor better; smaller ones let the sampler
    learn more often.
restarts : int or None
    Random starts of each fit, of which the one with the lowest loss counts. None keeps the estimator's own setting.
validation : int, float or tuple
    A number of folds: every row validates once, and each fold has its own random starts. Or the share of the rows to
    hold out once, such as 0.2. Or a pair `(X, y)` of your own.
prune : bool
    If True, each batch first trains for a quarter of its steps, and only its better third continues.
refit : bool
    If True, the chosen settings are fitted to all rows at the end. If False, only to the rows that trained the trials;
    this needs `validation` as a share or a pair.
storage : str or None
    Where Optuna keeps the trials, such as `"sqlite:///search.db"`. With a `study_name`, a search that was stopped
    continues from there, and several processes can share one.
study_name : str or None
    Name of the study in `storage`.
random_state : int, RandomState or None
    Seed. An integer makes the search reproducible.
client : dask.distributed.Client, optional
    A Dask cluster on which to train: every worker gets a share of each batch. Make `batch` a multiple of the number of
    workers.
verbose : bool
    If True, show a progress bar.
"""

ATTRIBUTES = """
best_estimator_
    The chosen model, fitted.
best_params_ : dict
    The searched parameters of the chosen model.
best_index_ : int
    Its row in `results_`.
results_ : DataFrame
    One row per trial: its parameters; its log-likelihood, the standard error of that, RMSE and mean epistemic standard
    deviation on the validation rows; seconds; and how it ended (`"complete"`, `"pruned"` or `"fail"`).
sigma2_
    Noise variance of the trials, settled once before the first.
interrupted_ : bool
    Whether Ctrl-C ended the search early.
"""


def documented(**texts: str) -> Callable[[Class], Class]:
    r"""Class decorator that puts shared texts into a docstring, in place of lines such as `{search}`.

    Examples
    --------
    >>> @documented(seed="random_state : int\n    Seed.")
    ... class Search:
    ...     '''Search.
    ...
    ...     {seed}
    ...     '''
    >>> print(Search.__doc__)
    Search.
    <BLANKLINE>
    random_state : int
        Seed.
    """

    def fill(cls: Class) -> Class:
        if cls.__doc__:  # there are no docstrings under `python -OO`
            cls.__doc__ = inspect.cleandoc(cls.__doc__)
            for name, text in texts.items():
                cls.__doc__ = cls.__doc__.replace(f"{{{name}}}", text.strip())
        return cls

    return fill
