"""Bayesian optimisation: ask where to evaluate, tell what came out."""

import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

from unabases.bayesopt.evaluating import evaluated
from unabases.bayesopt.proposer import PARAMETERS, Proposer
from unabases.bayesopt.record import COLUMNS, Evaluation, Record, read_seed, read_value
from unabases.bayesopt.state import Saved, StudyFileError, check_target, read_study, write_study
from unabases.bayesopt.turning import turned
from unabases.regressors.shared.base import check_count
from unabases.selection.documentation import documented
from unabases.selection.progress import SearchProgress
from unabases.selection.space import as_space
from unabases.selection.workers import check_client

__all__ = ["BayesOpt", "SpaceExhaustedError"]


class SpaceExhaustedError(ValueError):
    """Every point of a finite space has been asked for or told."""


@documented(surrogate=PARAMETERS)
class BayesOpt:
    """Find the minimum or maximum of an expensive function with few evaluations.

    The first points cover the space evenly. After that a surrogate model is fitted to everything told so far, and the
    most promising point is asked for next.

    Parameters
    ----------
    space : Space or dict
        The parameters of the function; `Space` describes the forms.
    {surrogate}
    n_initial : int, optional
        Number of points from a scrambled Sobol sequence to start with. By default twice the number of parameters, at
        least 5. Points that were told without being asked for count.
    maximize : bool
        If True, seek the largest value instead of the smallest. The surrogate sees the negative of all values; its
        `terms` are turned around accordingly, so that they speak of your function.
    random_state : int, Generator, RandomState or None
        Seed. An integer makes a study reproducible.
    autosave : path, optional
        File to which the study is saved before each `ask` and `tell` returns. It must not exist yet; use
        `BayesOpt.load` to continue a study.

    Attributes
    ----------
    best_ : Evaluation
        The best point and its value.
    history_ : DataFrame
        One row per evaluation: parameters, value, best value so far, and whether it failed.
    evaluations_ : list of Evaluation
        The same as a list.
    pending_ : list of dict
        Points that were asked for and not told yet.
    surrogate_
        The surrogate, fitted to everything told so far.

    Notes
    -----
    If you ask again before telling (`ask(n=4)`, or `ask` twice), the next point is chosen as if the function took its
    predicted mean at the pending ones. A neural linear model takes this in exactly and at no cost; other surrogates are
    fitted again.

    See Also
    --------
    unabases.bayesopt.optuna_sampler.UnabasesSampler : The same search inside Optuna.

    References
    ----------
    Jones, Schonlau, Welch (1998), Efficient global optimization of expensive black-box functions.

    Examples
    --------
    >>> from unabases import GaussianProcess
    >>> opt = BayesOpt({"x": (-2.0, 2.0)}, surrogate=GaussianProcess(), n_initial=3, random_state=0)
    >>> for _ in range(10):
    ...     x = opt.ask()
    ...     opt.tell(x, (x["x"] - 1) ** 2)
    >>> round(opt.best_.x["x"], 1)
    1.0
    """

    def __init__(
        self,
        space,
        *,
        surrogate=None,
        acquisition="ei",
        kappa=2.0,
        warp=True,
        n_initial=None,
        maximize=False,
        random_state=None,
        autosave=None,
    ):
        self.space = as_space(space)
        if clash := [name for name in self.space if name in COLUMNS]:
            raise ValueError(f"a parameter cannot be called {clash[0]!r}: the history has a column of that name.")
        self.surrogate = surrogate
        self.acquisition = acquisition
        self.n_initial = max(5, 2 * len(self.space)) if n_initial is None else check_count("n_initial", n_initial)
        self.maximize = bool(maximize)
        self.random_state = random_state
        self.autosave = None if autosave is None else check_target(autosave)
        shown = turned(surrogate) if self.maximize else surrogate
        self._proposer = Proposer(self.space, shown, acquisition, kappa, warp)
        self.kappa, self.warp = self._proposer.kappa, self._proposer.warp
        self._record = Record(self.space, read_seed(random_state))
        self._fitted_to = -1  # evaluations that the surrogate has seen

    # ----------------------------------------------------------------------------------------- asking and telling

    def ask(self, n: int | None = None) -> Any:
        """Get the next point to evaluate.

        Parameters
        ----------
        n : int, optional
            How many points to get at once. They all differ, and there may be fewer if a finite space runs out.

        Returns
        -------
        dict, or list of dict if `n` is given
            The point or points.

        Raises
        ------
        SpaceExhaustedError
            If every point of a finite space has been asked for or told.
        """
        found: list[dict[str, Any]] = []
        for _ in range(1 if n is None else check_count("n", n)):
            point = self._next()
            if point is None:
                break
            self._record.asked += 1
            self._record.pending.append(point)
            found.append(dict(point))
        if not found:
            raise SpaceExhaustedError(
                f"all {self.space.size:.0f} points of the space have been asked for or told. A range of two ints is "
                "whole; if you meant real numbers, write an end as a float."
            )
        self._autosave()
        return found[0] if n is None else found

    def tell(self, x: Mapping[str, Any] | Sequence[Mapping[str, Any]], value: Any) -> None:
        """Report the value of the function at a point, whether it was asked for or not.

        Parameters
        ----------
        x : dict or list of dict
            The point or points.
        value : float, None, or a list of them
            The value of each. None, NaN and infinite values mean that the evaluation failed.
        """
        if isinstance(x, Mapping):
            told = [(x, value)]
        else:
            if not isinstance(value, Sequence | np.ndarray | pd.Series) or len(x) != len(value):
                raise ValueError(f"{len(x)} points need as many values; got {value!r}.")
            told = list(zip(x, value, strict=True))
        for evaluation in [Evaluation(self.space.check(point), read_value(number)) for point, number in told]:
            self._record.add(evaluation)
        self._autosave()

    def fail(self, x: Mapping[str, Any]) -> None:
        """Report that the function could not be evaluated at a point; the search continues away from it."""
        self.tell(x, None)

    # ------------------------------------------------------------------------------------------------ whole searches

    def minimize(self, f: Callable[[dict[str, Any]], Any], n: int = 50, **options: Any) -> Evaluation:
        """Minimise a function: call it until n values have been told in all.

        Parameters
        ----------
        f : callable
            The function; it gets a point as a dictionary and returns a number.
        n : int
            Number of evaluations of the study at the end.
        **options
            `callback`, `catch`, `client` and `verbose` of `optimize`.

        Returns
        -------
        Evaluation
            The best point and its value.
        """
        if self.maximize:
            raise ValueError("this study has maximize=True; call `optimize`, which follows the study's direction.")
        return self.optimize(f, n, **options)

    def optimize(
        self,
        f: Callable[[dict[str, Any]], Any],
        n: int = 50,
        *,
        callback: Callable[["BayesOpt"], Any] | None = None,
        catch: type[Exception] | tuple[type[Exception], ...] = (),
        client: Any = None,
        verbose: bool = False,
    ) -> Evaluation:
        """Ask, evaluate and tell until n values have been told in all.

        The search ends early, with a warning, if a finite space is exhausted.

        Parameters
        ----------
        f : callable
            The function; it gets a point as a dictionary and returns a number.
        n : int
            Number of evaluations of the study at the end, including earlier ones: a loaded study continues to the same
            number. Points that were asked for and never told come first.
        callback : callable, optional
            Called with the study after each evaluation. The search ends when it returns True.
        catch : exception class or tuple of them
            Errors of `f` that count as a failed evaluation. Others are raised, and the point stays pending.
        client : dask.distributed.Client, optional
            A Dask cluster that calls `f`: as many points at once as its workers have threads. Each value is told when
            it is there, and another point asked for in its place. So the search depends on the order in which values
            arrive, and `random_state` does not settle it.
        verbose : bool
            If True, show a progress bar.

        Returns
        -------
        Evaluation
            The best point and its value.
        """
        n, client = check_count("n", n), check_client(client)
        points = _Points(self, n)
        with SearchProgress("Bayesian optimisation", n, verbose, "best") as bar:
            bar.advance(len(self._record.evaluations), self._best_value())
            for x, result in evaluated(f, points, client):
                try:
                    value = result()
                except catch:
                    value = None
                self.tell(x, value)
                bar.advance(1, self._best_value())
                if callback is not None and callback(self) is True:
                    break
        if points.exhausted:
            done = len(self._record.evaluations)
            warnings.warn(f"the search ends after {done} of {n} evaluations: {points.exhausted}", stacklevel=2)
        return self.best_

    # -------------------------------------------------------------------------------------------------- what is known

    @property
    def best_(self) -> Evaluation:
        """The best point that was told, and its value."""
        best = self._record.best(self._sign)
        if best is None:
            raise AttributeError("no value has been told yet, so there is no best one.")
        return Evaluation(dict(best.x), best.value)

    @property
    def history_(self) -> pd.DataFrame:
        """One row per evaluation, in the order in which they were told."""
        return self._record.table(self._sign)

    @property
    def evaluations_(self) -> list[Evaluation]:
        """All points that were told, with their values; NaN where the evaluation failed."""
        return [Evaluation(dict(x), value) for x, value in self._record.evaluations]

    @property
    def pending_(self) -> list[dict[str, Any]]:
        """Points that were asked for and not told yet, in the order of asking."""
        return [dict(point) for point in self._record.pending]

    @property
    def surrogate_(self) -> Any:
        """The surrogate, fitted to everything told so far.

        It works on rows of `space.encode` and on values with mean 0 and standard deviation 1: compressed unless
        `warp=False`, and negated when maximising. `BayesOpt.predict` answers in your units.
        """
        return self._fitted().estimator

    def predict(self, points: Sequence[Mapping[str, Any]]) -> tuple[Float[np.ndarray, " n"], Float[np.ndarray, " n"]]:
        """Predict the function at some points with the surrogate.

        Parameters
        ----------
        points : list of dict
            Where to predict.

        Returns
        -------
        mean, std : arrays
            In your units. Where values are compressed (`warp`), the mean is a median, and the standard deviation is
            half the distance between the values one standard deviation below and above. No prediction is worse than
            the worst value told.
        """
        mean, std = self._fitted().moments(self._checked(points))
        return self._sign * mean, std

    def acquisition_values(self, points: Sequence[Mapping[str, Any]]) -> Float[np.ndarray, " n"]:
        """How promising some points are, as the surrogate sees them; larger is better.

        This is log expected improvement for `"ei"`, minus the lower confidence bound for `"lcb"`, and minus the mean
        for `"thompson"`.
        """
        return self._fitted().promise(self._checked(points))

    # -------------------------------------------------------------------------------------------------------- saving

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the study to a file with a checksum, which is replaced as a whole or not at all."""
        self._write(Path(path), autosave=False)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, space: Any = None, surrogate: Any = None) -> "BayesOpt":
        """Continue a saved study. If it was saving itself, it continues to.

        Parameters
        ----------
        path : path
            The file.
        space : Space or dict, optional
            Needed only if a choice is something that JSON cannot hold, such as a function.
        surrogate : estimator, optional
            Needed only if the study had one with other than plain parameters, such as an estimator of scikit-learn.
            With `warm_start`, the next fit starts afresh.

        Raises
        ------
        StudyFileError
            If the file is missing, damaged or not a study, or if something has to be given again.
        """
        path = Path(path)
        found = read_study(path, None if space is None else as_space(space), surrogate)
        record = found.record
        try:
            study = cls(record.space, surrogate=found.surrogate, random_state=record.seed, **found.settings)
        except (TypeError, ValueError) as error:
            raise StudyFileError(f"{path} has settings that a study cannot have: {error}") from error
        study.autosave = path if found.autosave else None
        study._record = record
        return study

    def __repr__(self) -> str:
        done = f"{len(self._record.evaluations)} told, {len(self._record.pending)} pending"
        return f"BayesOpt({', '.join(self.space)}: {done})"

    # --------------------------------------------------------------------------------------------------------- parts

    @property
    def _sign(self) -> float:
        return -1.0 if self.maximize else 1.0

    def _best_value(self) -> float | None:
        best = self._record.best(self._sign)
        return None if best is None else best.value

    def _next(self) -> dict[str, Any] | None:
        """The next point, from the sequence or by the surrogate; None if none is left."""
        record = self._record
        if len(record.evaluations) + len(record.pending) < self.n_initial or not self._fit():
            return record.deal()
        place = self._proposer.propose(self.space.encode(record.pending), record.random(1))
        return record.deal() if place is None else self.space.decode(place[None])[0]

    def _fit(self) -> bool:
        """Fit the surrogate to everything told, unless it has seen it; whether that worked."""
        values = self._record.values()
        if self._fitted_to != len(values):
            self._proposer.fit(self._record.rows(), self._sign * values, [self._record.seed, len(values), 0])
            self._fitted_to = len(values)
        return self._proposer.belief is not None

    def _fitted(self) -> Proposer:
        if not self._fit():
            raise AttributeError("the surrogate has nothing to learn from: at least two values must be told first.")
        return self._proposer

    def _checked(self, points: Sequence[Mapping[str, Any]]) -> np.ndarray:
        return self.space.encode([self.space.check(point) for point in points])

    def _autosave(self) -> None:
        if self.autosave is not None:
            self._write(self.autosave, autosave=True)

    def _write(self, path: Path, autosave: bool) -> None:
        settings = {name: getattr(self, name) for name in ("acquisition", "kappa", "warp", "n_initial", "maximize")}
        write_study(path, Saved(self._record, self.surrogate, settings, autosave))


class _Points:
    """The points that a search needs until n values are told: first those that wait, then new ones, asked for in turn.

    Parameters
    ----------
    study
        The study.
    n
        Number of evaluations in the end.
    """

    def __init__(self, study: BayesOpt, n: int):
        self._study, self._n = study, n
        self.exhausted: SpaceExhaustedError | None = None

    def __iter__(self) -> Iterator[dict[str, Any]]:
        told, left = self._study._record.evaluations, self._study.pending_
        given = len(told)
        while max(given, len(told)) < self._n:
            try:
                x = left.pop(0) if left else self._study.ask()
            except SpaceExhaustedError as error:
                self.exhausted = error
                return
            given += 1
            yield x
