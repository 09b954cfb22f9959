"""What a user's terms mean for rows and targets in standardised units."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Float

from unabases.objectives import AbstractTerm
from unabases.regressors.knowledge.known_values import KnownSums, Sums
from unabases.regressors.knowledge.obeying_functions import Limits, Near
from unabases.regressors.processes.smooth_kernel import GivenNumbers
from unabases.regressors.shared.rows import later_rows
from unabases.regressors.shared.scaling import Scale
from unabases.terms import (
    AbstractEquality,
    AbstractInequality,
    AbstractStatement,
    AbstractView,
    Diversity,
    FunctionPrior,
)
from unabases.terms.base import Contrasts
from unabases.terms.space import Columns, Space
from unabases.terms.views import View, view_of

_FURTHER = 100  # centres of the kernel in the region where inequalities hold
_FURTHER_ALONE = 30  # the same if there is one column
_SEED = 18  # of the random places: the same whenever a model draws again


class Wish(NamedTuple):
    """What heads are trained towards."""

    prior: FunctionPrior | None
    """None if they are not to follow functions of a Gaussian process."""
    diversity: Diversity | None
    own: tuple[AbstractTerm, ...]


def read_wish(terms: Any) -> Wish:
    """The wishes among a user's terms; without any, the model's own strength says whether heads follow its kernel."""
    check_terms(terms)
    if terms is None:
        return Wish(FunctionPrior(strength=None), None, ())
    priors = [term for term in terms if isinstance(term, FunctionPrior)]
    diverse = [term for term in terms if isinstance(term, Diversity)]
    own = tuple(term for term in terms if isinstance(term, AbstractTerm))
    if max(len(priors), len(diverse)) > 1:
        raise ValueError("`terms` can have one `FunctionPrior` and one `Diversity`; leave the others out.")
    if terms and not (priors or diverse or own):
        priors = [FunctionPrior()]
    return Wish(priors[0] if priors else None, diverse[0] if diverse else None, own)


def check_terms(terms: Any) -> None:
    """Refuse what is not a list of terms."""
    if terms is None:
        return
    if not isinstance(terms, list | tuple):
        raise ValueError(f"`terms` must be a list, such as [Monotone('dose')], or None; got {terms!r}.")
    for term in terms:
        if not isinstance(term, AbstractStatement | AbstractTerm):
            raise ValueError(
                f"`terms` holds {term!r}, which is neither a term of `unabases.terms`, such as Monotone('dose'), nor "
                "an `objectives.Term` of your own."
            )


class Knowledge(NamedTuple):
    """What is known of the function, and where it holds."""

    statements: tuple[AbstractStatement, ...]
    space: Space
    view: View | None

    def shown(self, X: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n shown"]:
        """What the model sees of rows."""
        return X if self.view is None else self.view(X)

    @property
    def parts(self) -> tuple[int, ...] | None:
        """For each number shown, which part of a sum of functions it belongs to; None if the function is no sum."""
        return None if self.view is None else self.view.parts

    @property
    def equalities(self) -> list[AbstractEquality]:
        """Statements about values."""
        return [one for one in self.statements if isinstance(one, AbstractEquality)]

    @property
    def inequalities(self) -> list[AbstractInequality]:
        """Statements about what cannot be."""
        return [one for one in self.statements if isinstance(one, AbstractInequality)]

    def known(self, scales: "Scales", numbers: Callable[[Any], np.ndarray]) -> list[KnownSums]:
        """Values that are known, one record for each statement, in standardised units.

        `numbers` turns a table with the user's columns into the model's numbers.
        """
        found, space = [], self.space._replace(numbers=numbers)
        for i, term in enumerate(self.equalities):
            contrasts, values, std = term.known(space, np.random.default_rng((_SEED, i)))
            levels = np.stack([scales.level(contrasts, column, j) for j, column in enumerate(values.T)], axis=1)
            found.append(KnownSums(self._sums(contrasts, scales), levels, std / scales.y.spread))
        return found

    def given(self, prior: FunctionPrior | None, scales: "Scales") -> "GivenPrior":
        """What a prior over functions fixes, in standardised units; nothing if it was not stated, but only wished."""
        if prior is None or prior not in self.statements:
            return GivenPrior()
        columns, width = self.space.columns, len(scales.x.spread)
        shown = list(range(width)) if self.view is None else list(self.view.kept)
        lengths = np.full(width, np.nan)
        numbers = [i for i, category in enumerate(columns.categories) if not category]
        given = prior.length_scale
        for column, length in given.items() if isinstance(given, dict) else [(i, given) for i in numbers]:
            place = columns.number(column)
            if length is not None and place in shown:
                lengths[shown.index(place)] = length / scales.x.spread[shown.index(place)]
        if prior.amplitude is None:
            return GivenPrior(GivenNumbers(np.nan, lengths), np.ones(len(scales.y.spread)))
        variances = (prior.amplitude / scales.y.spread) ** 2
        return GivenPrior(GivenNumbers(float(variances.mean()), lengths), variances / variances.mean())

    def limits(
        self,
        term: AbstractInequality,
        scales: "Scales",
        output: int,
        n: int,
        rng: np.random.Generator,
        near: Near | None = None,
    ) -> list[Limits]:
        """What an inequality asks of an output at about n places; nothing if it does not speak of it."""
        if output not in term.outputs(len(scales.y.spread)):
            return []
        space, alone = self.space if near is None else self.space.near(*near), len(self.space.columns.places) == 1
        return [
            Limits(
                self._sums(contrasts, scales),
                float(scales.level(contrasts, least, output)),
                None if alone else contrasts.X.mean(axis=1),  # a single column is asked everywhere as it is
            )
            for contrasts, least in term.limits(space, n, rng)
        ]

    def centres(self, scales: "Scales", known: Sequence[KnownSums]) -> Float[np.ndarray, "m d"] | None:
        """Points, beside rows, at which kernels must be known: where values are, and all over the region."""
        points = [one.sums.Z[:, 0] for one in known]
        if self.inequalities:
            rng = np.random.default_rng(_SEED)
            alone = len(self.space.low) == 1
            found = self.space.points(_FURTHER_ALONE if alone else _FURTHER, rng)
            if alone:
                found[:, 0] = np.linspace(self.space.low[0], self.space.high[0], _FURTHER_ALONE)
            points.append(scales.x.apply(self.shown(found)))
        return np.concatenate(points) if points else None

    def _sums(self, contrasts: Contrasts, scales: "Scales") -> Sums:
        m, q, d = contrasts.X.shape
        Z = scales.x.apply(self.shown(contrasts.X.reshape(m * q, d)))
        return Sums(Z.reshape(m, q, -1), contrasts.weights)


class GivenPrior(NamedTuple):
    """What a `FunctionPrior` fixes: numbers of the kernels, and the prior variance of their weights."""

    numbers: GivenNumbers | None = None
    variance: Float[np.ndarray, " p"] | None = None


class Scales(NamedTuple):
    """How rows and targets are standardised."""

    x: Scale
    y: Scale

    def level(self, contrasts: Contrasts, value: Any, output: int) -> Any:
        """What a contrast of this value in the units of y is in standardised units."""
        return (value - contrasts.weights.sum() * self.y.center[output]) / self.y.spread[output]


def make_knowledge(terms: Sequence[Any], space: Space) -> Knowledge:
    """What a user's terms say of the function in a region."""
    statements = tuple(term for term in terms if isinstance(term, AbstractStatement))
    for term in statements:
        term.outputs(len(space.spread))
        for column in term.about():
            space.columns.find(column)
        if isinstance(term, AbstractInequality):
            term.limits(space, 1, np.random.default_rng(_SEED))  # what cannot be asked is refused before training
    return Knowledge(
        statements, space, view_of([one for one in statements if isinstance(one, AbstractView)], space.columns)
    )


def columns_of(model: Any) -> Columns:
    """The columns of a model's table, and the numbers that they became."""
    if model.encoder_ is None:
        names = getattr(model, "feature_names_in_", None)
        n = model.n_features_in_
        return Columns(None if names is None else tuple(map(str, names)), tuple((i,) for i in range(n)), (False,) * n)
    places, start = [], 0
    for column in model.encoder_.inputs:
        places.append(tuple(range(start, start + len(column.encoded_names))))
        start += len(column.encoded_names)
    inputs = model.encoder_.inputs
    return Columns(tuple(c.name for c in inputs), tuple(places), tuple(c.kind == "category" for c in inputs))


def numbers_of(model: Any, table: Any) -> Float[np.ndarray, "m d"]:
    """The numbers that a table with the user's columns becomes."""
    frame = pd.DataFrame(table)
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        return np.asarray(later_rows(model, frame.to_numpy(), model.encoder_).X)
    if not isinstance(table, dict) and frame.shape[1] == len(names):
        frame = frame.set_axis(list(names), axis="columns")
    if lacking := [name for name in names if name not in frame]:
        raise ValueError(f"`Through` lacks the columns {', '.join(map(str, lacking))}; give all columns of X.")
    return np.asarray(later_rows(model, frame[list(names)], model.encoder_).X)
