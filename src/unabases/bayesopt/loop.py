"""Bayesian optimisation: ask where to look, tell what was found."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Float

from unabases.bayesopt.proposer import Proposer
from unabases.bayesopt.space import Space
from unabases.bayesopt.state import check_target, read_study, write_study
from unabases.regressors.base import check_count
from unabases.selection.progress import SearchProgress

__all__ = ["BayesOpt", "Evaluation", "SpaceExhaustedError"]

_COLUMNS = ("value", "best", "state")  # of the history, besides the parameters


class SpaceExhaustedError(ValueError):
    """Every point of a finite space has been asked for or told."""


class Evaluation(NamedTuple):
    """A point and what f was there; NaN if the evaluation failed."""

    x: dict[str, Any]
    value: float


class BayesOpt:
    """A search for the minimum or maximum of a function that is dear to evaluate.

    The first points fill the space evenly. From then on a surrogate is fitted to all that was told, and the point that
    promises most is asked for.

    Parameters
    ----------
    space
        What is searched: a `Space`.
    surrogate
        Any regressor of `unabases`, or any estimator with `predict(X, return_std=True)`; it is copied, and sees rows of
        the unit cube and values of mean 0 and standard deviation 1, so its `sigma2` is a share of their variance. None
        for LUNA with settings for this purpose (`default_surrogate`).
    acquisition
        `"ei"`, expected improvement, maximised by its logarithm; `"lcb"`, the lower confidence bound (upper, when
        maximising); `"thompson"`, the optimum of one function drawn from the posterior.
    kappa
        Standard deviations between mean and confidence bound.
    warp
        Whether the surrogate sees the worse half of the values drawn together, the more the worse they are, so that it
        can tell good ones apart (`unabases.bayesopt.warp`).
    n_initial
        Points of a scrambled Sobol sequence to begin with; None for twice the parameters, at least 5. Points that were
        told without being asked for count.
    maximize
        Whether the largest value is sought.
    random_state
        Seed; an integer makes a study reproducible.
    autosave
        File to which the study is saved at every `ask` and `tell`, before they return. It must not exist yet: a study
        is continued with `BayesOpt.load`.

    Attributes
    ----------
    best_
        The best point and its value.
    history_
        A row for each evaluation that was told: parameters, value, best value so far, and whether it failed.
    evaluations_
        The same as a list of points and values.
    pending_
        Points that were asked for and not told yet.
    surrogate_
        The surrogate, fitted to all that was told.

    Notes
    -----
    Points that are asked for before earlier ones were told (`ask(n=4)`, or `ask` twice) are chosen as if f took its
    predicted mean at those. A neural linear model takes that in exactly at no cost; other surrogates are fitted again.

    Examples
    --------
    >>> from unabases import GaussianProcess
    >>> opt = BayesOpt(Space(x=(-2, 2)), surrogate=GaussianProcess(), n_initial=3, random_state=0)
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
        if not isinstance(space, Space):
            raise TypeError(f"`space` must be a Space, such as Space(x=(0, 1)); got {space!r}.")
        if clash := [name for name in space.names if name in _COLUMNS]:
            raise ValueError(f"a parameter cannot be called {clash[0]!r}: the history has a column of that name.")
        self.space = space
        self.surrogate = surrogate
        self.acquisition = acquisition
        self.n_initial = max(5, 2 * len(space)) if n_initial is None else check_count("n_initial", n_initial)
        self.maximize = bool(maximize)
        self.random_state = random_state
        self.autosave = None if autosave is None else check_target(autosave)
        self._proposer = Proposer(space, surrogate, acquisition, kappa, warp)
        self.kappa, self.warp = self._proposer.kappa, self._proposer.warp
        self._seed = _seed(random_state)
        self._evaluations: list[Evaluation] = []
        self._pending: list[dict[str, Any]] = []
        self._asked = 0  # points ever asked for: each has random numbers of its own
        self._dealt = 0  # points of the Sobol sequence used up
        self._fitted_to = -1  # evaluations that the surrogate has seen

    # ----------------------------------------------------------------------------------------- asking and telling

    def ask(self, n: int | None = None) -> Any:
        """The next point to evaluate, as a dictionary; or, with a number, a list of so many, all different.

        Raises
        ------
        SpaceExhaustedError
            If every point of a finite space has been asked for or told; of a batch, if not even one is left.
        """
        found: list[dict[str, Any]] = []
        for _ in range(1 if n is None else check_count("n", n)):
            point = self._next()
            if point is None:
                break
            self._asked += 1
            self._pending.append(point)
            found.append(dict(point))
        if not found:
            raise SpaceExhaustedError(
                f"all {self.space.size:.0f} points of the space have been asked for or told; nothing is left to ask."
            )
        self._save()
        return found[0] if n is None else found

    def tell(self, x: Mapping[str, Any] | Sequence[Mapping[str, Any]], value: Any) -> None:
        """What f was at a point, asked for or not; None or NaN if it could not be evaluated.

        Of a list of points, a list of values. An infinite value counts as failed.
        """
        if isinstance(x, Mapping):
            told = [(x, value)]
        else:
            if not isinstance(value, Sequence | np.ndarray | pd.Series) or len(x) != len(value):
                raise ValueError(f"{len(x)} points need as many values; got {value!r}.")
            told = list(zip(x, value, strict=True))
        checked = [Evaluation(self.space.check(point), _value(number)) for point, number in told]
        for evaluation in checked:
            key = self.space.key(evaluation.x)
            places = [i for i, point in enumerate(self._pending) if self.space.key(point) == key]
            if places:
                del self._pending[places[0]]
            self._evaluations.append(evaluation)
        self._save()

    def fail(self, x: Mapping[str, Any]) -> None:
        """Tell that f could not be evaluated at a point: the search goes on, and away from it."""
        self.tell(x, None)

    # ------------------------------------------------------------------------------------------------ whole searches

    def minimize(self, f: Callable[[dict[str, Any]], Any], n: int = 50, **options: Any) -> Evaluation:
        """Evaluate f until n values have been told in all: `optimize`, for a study that minimises."""
        if self.maximize:
            raise ValueError("this study has maximize=True; call `optimize`, which goes the way of the study.")
        return self.optimize(f, n, **options)

    def optimize(
        self,
        f: Callable[[dict[str, Any]], Any],
        n: int = 50,
        *,
        callback: Callable[["BayesOpt"], Any] | None = None,
        catch: type[Exception] | tuple[type[Exception], ...] = (),
        verbose: bool = False,
    ) -> Evaluation:
        """Ask, evaluate f and tell, until n values have been told in all or a finite space is exhausted.

        Parameters
        ----------
        f
            Function of a point, a dictionary.
        n
            Evaluations of the study at the end, counting those before: a study that was loaded goes on to the same
            number. Points that were asked for and never told come first.
        callback
            Called with the study after each evaluation; the search ends when it returns True.
        catch
            Errors of f that count as a failed evaluation. Others are raised, and the point stays pending.
        verbose
            Whether to show a progress bar.
        """
        n = check_count("n", n)
        left = self.pending_
        with SearchProgress("Bayesian optimisation", n, verbose, "best") as bar:
            bar.advance(len(self._evaluations), self._best_value())
            while len(self._evaluations) < n:
                try:
                    x = left.pop(0) if left else self.ask()
                except SpaceExhaustedError:
                    break
                try:
                    value = f(dict(x))
                except catch:
                    value = None
                self.tell(x, value)
                bar.advance(1, self._best_value())
                if callback is not None and callback(self) is True:
                    break
        return self.best_

    # -------------------------------------------------------------------------------------------------- what is known

    @property
    def best_(self) -> Evaluation:
        """The best point that was told, and its value."""
        finite = [evaluation for evaluation in self._evaluations if np.isfinite(evaluation.value)]
        if not finite:
            raise AttributeError("no value has been told yet, so there is no best one.")
        best = min(finite, key=lambda evaluation: self._sign * evaluation.value)
        return Evaluation(dict(best.x), best.value)

    @property
    def history_(self) -> pd.DataFrame:
        """A row for each evaluation, in the order in which they were told."""
        values = np.array([evaluation.value for evaluation in self._evaluations], dtype=np.float64)
        best = self._sign * np.fmin.accumulate(self._sign * values) if len(values) else values
        columns = {name: [evaluation.x[name] for evaluation in self._evaluations] for name in self.space.names}
        state = np.where(np.isfinite(values), "told", "failed").astype(object)
        index = pd.RangeIndex(1, len(values) + 1, name="step")
        return pd.DataFrame({**columns, "value": values, "best": best, "state": state}, index=index)

    @property
    def evaluations_(self) -> list[Evaluation]:
        """All points that were told, with their values: NaN where the evaluation failed."""
        return [Evaluation(dict(x), value) for x, value in self._evaluations]

    @property
    def pending_(self) -> list[dict[str, Any]]:
        """Points that were asked for and not told yet, in the order of asking."""
        return [dict(point) for point in self._pending]

    @property
    def surrogate_(self) -> Any:
        """The surrogate, fitted to all that was told.

        It takes rows that `space.encode` makes and gives values of mean 0 and standard deviation 1, warped unless
        `warp=False`, of the negative function when maximising; `predict` is in your units.
        """
        return self._fitted().estimator

    def predict(self, points: Sequence[Mapping[str, Any]]) -> tuple[Float[np.ndarray, " n"], Float[np.ndarray, " n"]]:
        """Mean and standard deviation of f at points, as the surrogate believes after all that was told.

        Where the surrogate sees warped values, among the worse half, the mean is a median and the standard deviation
        half of what lies between a standard deviation below and one above; the mean and both ends
        stop at the worst value told.
        """
        mean, std = self._fitted().moments(self._checked(points))
        return self._sign * mean, std

    def acquisition_values(self, points: Sequence[Mapping[str, Any]]) -> Float[np.ndarray, " n"]:
        """How much points promise, as the surrogate sees f: log EI, minus a confidence bound, or minus the mean."""
        return self._fitted().promise(self._checked(points))

    # -------------------------------------------------------------------------------------------------------- saving

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the study to a JSON file, which is replaced whole or not at all."""
        write_study(Path(path), self, autosave=False)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, space: Space | None = None, surrogate: Any = None) -> "BayesOpt":
        """Continue a study that was saved; one that saved itself goes on to do so.

        Parameters
        ----------
        path
            The file.
        space
            Needed only when a choice is something that JSON cannot hold, such as a function.
        surrogate
            Needed only when the study had one that is not made of plain parameters, such as an estimator of
            scikit-learn's. The network of the next step starts afresh, also with `warm_start`.

        Raises
        ------
        StudyFileError
            If the file is missing, damaged or of another kind, or if something has to be given again.
        """
        path = Path(path)
        found = read_study(path, space, surrogate)
        study = cls(found.space, surrogate=found.surrogate, random_state=found.seed, **found.settings)
        study.autosave = path if found.autosave else None
        study._asked, study._dealt = found.asked, found.dealt
        study._pending = found.pending
        study._evaluations = [Evaluation(x, value) for x, value in found.evaluations]
        return study

    def __repr__(self) -> str:
        done = f"{len(self._evaluations)} told, {len(self._pending)} pending"
        return f"BayesOpt({', '.join(self.space.names)}: {done})"

    # --------------------------------------------------------------------------------------------------------- parts

    @property
    def _sign(self) -> float:
        return -1.0 if self.maximize else 1.0

    def _best_value(self) -> float | None:
        return self.best_.value if any(np.isfinite(e.value) for e in self._evaluations) else None

    def _next(self) -> dict[str, Any] | None:
        """The next point, from the sequence or by the surrogate; None if none is left."""
        if len(self._evaluations) + len(self._pending) < self.n_initial or not self._fit():
            return self._deal()
        place = self._proposer.propose(self._encode(self._pending), np.random.default_rng([self._seed, self._asked, 1]))
        return self._deal() if place is None else self.space.decode(place[None])[0]

    def _deal(self) -> dict[str, Any] | None:
        """The next point of the Sobol sequence that is new; in a finite space, if need be, any point that is."""
        known = {self.space.key(x) for x in (*self._pending, *(evaluation.x for evaluation in self._evaluations))}
        for _ in range(100):
            self._dealt += 1
            point = self.space.decode(self.space.sobol(self._dealt, self._seed)[-1:])[0]
            if self.space.key(point) not in known:
                return point
        if self.space.size > len(known) + 10_000:  # never seen: a hundred repeats in so large a space
            return self.space.decode(self.space.sample(1, np.random.default_rng([self._seed, self._asked, 2])))[0]
        left = [point for point in self.space.decode(self.space.all()) if self.space.key(point) not in known]
        return left[np.random.default_rng([self._seed, self._asked, 2]).integers(len(left))] if left else None

    def _fit(self) -> bool:
        """Fit the surrogate to all that was told, unless it has seen it; whether there is a belief."""
        if self._fitted_to != len(self._evaluations):
            t = self._sign * np.array([evaluation.value for evaluation in self._evaluations], dtype=np.float64)
            U = self._encode([evaluation.x for evaluation in self._evaluations])
            self._proposer.fit(U, t, [self._seed, len(t), 0])
            self._fitted_to = len(self._evaluations)
        return self._proposer.belief is not None

    def _fitted(self) -> Proposer:
        """What chooses points, after it has seen all that was told."""
        if not self._fit():
            raise AttributeError("the surrogate has nothing to learn from: at least two values must be told first.")
        return self._proposer

    def _checked(self, points: Sequence[Mapping[str, Any]]) -> np.ndarray:
        return self._encode([self.space.check(point) for point in points])

    def _encode(self, points: Sequence[Mapping[str, Any]]) -> np.ndarray:
        return self.space.encode(points) if points else np.empty((0, self.space.width))

    def _save(self) -> None:
        if self.autosave is not None:
            write_study(self.autosave, self, autosave=True)


def _seed(random_state: Any) -> int:
    """A whole number to draw all random numbers from."""
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(random_state, np.random.RandomState | np.random.Generator):
        draw = random_state.integers if isinstance(random_state, np.random.Generator) else random_state.randint
        return int(draw(2**31 - 1))
    return check_count("random_state", random_state, least=0)


def _value(value: Any) -> float:
    """A told value as a float, NaN for a failed evaluation."""
    if value is None:
        return float("nan")
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(
            f"a value must be a number, or None for a failed evaluation; got {value!r}. Of several outputs, tell one."
        ) from None
    return number if np.isfinite(number) else float("nan")
