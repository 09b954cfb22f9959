"""A network that is told what is known of the function: `terms`, from the user's list to layers and draws."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

from unabases import linear
from unabases.objectives import AbstractTerm, Between, Diversity
from unabases.regressors.knowledge.doubted_views import chances_of_shown, is_shown
from unabases.regressors.knowledge.kept_statements import (
    Kept,
    MemberFunctions,
    keeps_limits,
    keeps_values,
    warn_if_contradicted,
)
from unabases.regressors.knowledge.known_values import KnownSums, known_design
from unabases.regressors.knowledge.meaning import (
    GivenPrior,
    Knowledge,
    Scales,
    Wish,
    columns_of,
    make_knowledge,
    numbers_of,
    read_wish,
)
from unabases.regressors.knowledge.obeying_functions import (
    DRAWS,
    Limits,
    Near,
    Obeying,
    draw_obeying,
    widened_posterior,
)
from unabases.regressors.networks.exact_layer import ExactLayer
from unabases.regressors.networks.streamed import AbstractStreamed
from unabases.regressors.shared.base import check_count
from unabases.regressors.shared.parameters import estimator, parameter
from unabases.regressors.shared.rows import Rows
from unabases.regressors.shared.saved_state import SavedState, StateError
from unabases.regressors.shared.scaling import fit_scale
from unabases.regressors.shared.weights import WeightedRows
from unabases.terms import AbstractInequality, AbstractStatement
from unabases.terms.space import Space, make_space

_CHECKED = 4000  # places at which `kept_` looks
_EPSILON = 0.3  # step of the slopes that diverse heads compare, as in LUNA
_REGION = ("rows", "low", "high", "spread")  # arrays of a `Space`
_SEED = 81  # of these places and of the draws

Features = Callable[[np.ndarray], np.ndarray]


class _Told:
    """Attributes that `fit` sets; apart, since fields of an estimator are parameters."""

    knowledge_: Knowledge | None = None
    doubts_: Mapping[str, float] = MappingProxyType({})
    known_: Sequence[KnownSums] = ()
    chances_: Sequence[float] = ()
    draws_: list[np.ndarray] | None = None
    centres_: list[np.ndarray] | None = None
    kept_: pd.DataFrame | None = None


@estimator
class AbstractKnowing(_Told, AbstractStreamed):
    """Rows as the terms let the model see them, values that all members know, and functions that obey."""

    terms: Any = parameter(
        None,
        "Penalty",
        "list or None",
        "What is known of the function: terms of `unabases.terms`, such as `Monotone('dose')` or `Bounds(0, 100)`, and "
        "`objectives.Term` functions of your own. None is the recommended model. With statements, heads also follow "
        "functions of a Gaussian process that is fitted to the rows, as with `FunctionPrior()`, unless another wish, "
        "such as `Diversity` or your own, stands beside them.",
    )

    fitted_attributes = {  # noqa: RUF012  (texts, never changed)
        "kept_": (
            "DataFrame or None",
            "For each statement in `terms`: the share of functions that break it, by how much, and how probable it is "
            "that data speak against it as much as these do if it is true.",
        ),
    }

    def _validate_fit(self, X: Any, y: Any, sample_weight: Any = None) -> WeightedRows:
        for name in ("knowledge_", "doubts_", "known_", "chances_", "draws_", "centres_", "kept_"):
            vars(self).pop(name, None)
        read_wish(self.terms)  # refuses what is not a term
        X, y, weight = super()._validate_fit(X, y, sample_weight)
        if self.terms:
            spread = fit_scale(y, weight=weight).spread
            self.knowledge_ = make_knowledge(self.terms, make_space(columns_of(self), X, spread))
            self.doubts_ = chances_of_shown(self.knowledge_, WeightedRows(X, y, weight))
        return WeightedRows(self._shown(X), y, weight)

    def _rows(self, X: Any) -> Rows:
        rows = super()._rows(X)
        return rows._replace(X=self._shown(rows.X))

    def _shown(self, X: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n shown"]:
        return X if self.knowledge_ is None else self.knowledge_.shown(X)

    @property
    def _parts(self) -> tuple[int, ...] | None:
        """For each number that the model sees, which part of a sum it belongs to; None if the function is no sum."""
        return None if self.knowledge_ is None else self.knowledge_.parts

    def _make_features(self) -> Callable[..., Any]:
        make = super()._make_features()
        if self._parts is None:
            return make
        if self.features is not None:
            raise ValueError(
                "`features` of your own may let columns interact that `Additive` says do not; leave one of them out."
            )
        return make._replace(parts=self._parts)  # pyright: ignore[reportFunctionMemberAccess]

    def _scales(self) -> Scales:
        return Scales(self.x_scale_, self.y_scale_)

    def _read_known(self) -> Float[np.ndarray, "m d"] | None:
        """Learn which values are known; returns the points at which kernels must be known for what was said."""
        if self.knowledge_ is None:
            return None
        self.known_ = self.knowledge_.known(self._scales(), lambda table: numbers_of(self, table))
        return self.knowledge_.centres(self._scales(), self.known_)

    def _given_prior(self, wish: Wish) -> GivenPrior:
        return GivenPrior() if self.knowledge_ is None else self.knowledge_.given(wish.prior, self._scales())

    def _heads_wish(self, wish: Wish, strength: float) -> tuple[float, tuple[AbstractTerm, ...]]:
        """How strongly heads follow functions of the prior, and what else is asked of them."""
        if wish.prior is not None and wish.prior.strength is not None:
            strength = float(wish.prior.strength)
        others = wish.own
        if wish.diversity is not None:
            points = Between(check_count("n_points", wish.diversity.n_points))
            spread, weight = np.ones(self._width), np.float64(wish.diversity.strength)
            others = (
                Diversity(weight=weight, epsilon=np.float64(_EPSILON), spread=spread, where=points, schedule="none"),
                *others,
            )
        return (0.0 if wish.prior is None else strength), others

    def _obey(self, designs: Sequence[Features], layers: Sequence[ExactLayer], factor: Float[np.ndarray, " p"]) -> None:
        """Draw the functions of each member again, where inequalities hold, and see how all statements are kept."""
        knowledge = self.knowledge_
        if knowledge is None:
            return
        rng, p = np.random.default_rng(_SEED), len(self.y_scale_.center)
        draws, centres, by = [], [], np.maximum(factor * [self._wider(j) for j in range(p)], 1.0)
        for features, layer in zip(designs, layers, strict=True):
            wide = [widened_posterior(*pair) for pair in zip(layer.posteriors, by.tolist(), strict=True)]
            drawn = [self._draw_output(features, wide[j], j, rng) for j in range(p)]
            draws.append(np.stack([one.W for one in drawn]))
            centres.append(np.stack([one.centre for one in drawn]))
        self.draws_, self.centres_ = (draws, centres) if knowledge.inequalities else (None, None)
        self.kept_ = pd.DataFrame(self._judge(designs, layers, draws, factor), columns=list(Kept._fields))

    def _draw_output(
        self, features: Features, posterior: linear.Posterior, output: int, rng: np.random.Generator
    ) -> Obeying:
        if not self._limits(output, 1, rng):
            return Obeying(posterior.m, linear.sample_posterior(posterior, np.eye(len(posterior.m)), DRAWS, rng))
        return draw_obeying(features, posterior, lambda *asked: self._limits(output, *asked), rng)

    def _wider(self, output: int) -> float:
        """Times the prior variance for functions of an output: what the inequality that forbids most of them asks."""
        assert self.knowledge_ is not None
        p = len(self.y_scale_.center)
        return max((term.wider for term in self.knowledge_.inequalities if output in term.outputs(p)), default=1.0)

    def _limits(
        self,
        output: int,
        n: int,
        rng: np.random.Generator,
        near: Near | None = None,
        terms: Sequence[AbstractInequality] | None = None,
    ) -> list[Limits]:
        """What inequalities, by default all, ask of an output at about n places for each."""
        assert self.knowledge_ is not None
        terms = self.knowledge_.inequalities if terms is None else terms
        return [one for term in terms for one in self.knowledge_.limits(term, self._scales(), output, n, rng, near)]

    def _judge(
        self,
        designs: Sequence[Features],
        layers: Sequence[ExactLayer],
        draws: Sequence[Float[np.ndarray, "p draws k"]],
        factor: Float[np.ndarray, " p"],
    ) -> list[Kept]:
        """How each statement is kept; with several outputs, by the one that keeps it worst."""
        assert self.knowledge_ is not None
        rng, found = np.random.default_rng(_SEED + 1), []
        functions = []
        for j, by in enumerate(factor.tolist()):
            untold = [widened_posterior(_untold(layer, j), by) for layer in layers]
            parts = zip(designs, untold, draws, strict=True)
            functions.append([MemberFunctions(features, one, W[j]) for features, one, W in parts])
        found.extend(Kept(term, 0.0, 0.0, chance) for term, chance in self.doubts_.items())
        for term, known, chance in zip(self.knowledge_.equalities, self.known_, self.chances_, strict=True):
            told = [known_design([known], features) for features in designs]
            outputs = np.flatnonzero(np.isfinite(known.std).any(axis=0)).tolist()
            found.append(min((keeps_values(term, told, j, functions[j], chance) for j in outputs), key=_worst))
        for term in self.knowledge_.inequalities:
            outputs = term.outputs(len(functions))
            asked = [(j, self._limits(j, _CHECKED, rng, terms=[term])) for j in outputs]
            found.append(min((keeps_limits(term, limits, functions[j]) for j, limits in asked), key=_worst))
        warn_if_contradicted(found)
        return found

    # ------------------------------------------------------------------------------------------------- saving

    def _told_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Statements, the region in which they hold, and the functions that obey."""
        if self.knowledge_ is None or self.kept_ is None:
            return {}, {}
        space = self.knowledge_.space
        arrays = {f"space.{name}": getattr(space, name) for name in _REGION}
        arrays |= {f"draws.{i}": W for i, W in enumerate(self.draws_ or [])}
        arrays |= {f"centre.{i}": w for i, w in enumerate(self.centres_ or [])}
        kept, chances = self.kept_.to_numpy().tolist(), list(self.chances_)
        told = {"statements": list(self.knowledge_.statements), "chances": chances, "kept": kept}
        return arrays, {"told": told}

    def _read_view(self, saved: SavedState, width: int) -> int:
        told = saved.value("told", dict, None)
        if told is None:
            return width
        statements = told.get("statements")
        if type(statements) is not list or not all(isinstance(one, AbstractStatement) for one in statements):
            raise StateError("what the model was told has to be a list of terms")
        region = saved.below("space.", inputs=width)
        rows, low, high = (
            region.array(*part) for part in (("rows", "n inputs"), ("low", "inputs"), ("high", "inputs"))
        )
        space = Space(columns_of(self), rows, low, high, region.array("spread", "p", "positive"))
        self.knowledge_ = make_knowledge(statements, space)
        return self._shown(rows).shape[1]

    def _read_told(self, saved: SavedState, k: int) -> None:
        """Put back the rest of what `_told_state` gave, for members with k features."""
        if self.knowledge_ is None:
            return
        told, p = saved.value("told", dict), len(self.y_scale_.center)
        self._read_known()
        self.chances_, kept = told["chances"], [Kept(*line) for line in told["kept"]]
        shown = {repr(term) for term in self.knowledge_.statements if is_shown(term)}
        self.doubts_ = {line.term: line.chance for line in kept if line.term in shown}
        if len(self.chances_) != len(self.known_) or len(kept) > len(self.knowledge_.statements):
            raise StateError("how statements are kept has to be said once for each of them")
        self.kept_ = pd.DataFrame(kept, columns=list(Kept._fields))
        draws = saved.numbered("draws.")
        if any(W.shape != (p, DRAWS, k) or not np.all(np.isfinite(W)) for W in draws):
            raise StateError(f"functions that obey have to be {DRAWS} of {k} finite weights for each output")
        if bool(draws) != bool(self.knowledge_.inequalities):
            raise StateError("a model has functions that obey if it was told inequalities, and no others")
        centres = saved.numbered("centre.") or [W.mean(axis=1) for W in draws]  # older files have none
        if len(centres) != len(draws) or any(w.shape != (p, k) or not np.all(np.isfinite(w)) for w in centres):
            raise StateError(f"their centre has to be {k} finite weights for each member and output")
        self.draws_, self.centres_ = draws or None, centres or None


def _untold(layer: ExactLayer, output: int) -> linear.Posterior:
    """What a member knew of an output from its rows alone."""
    _, _, alpha, sigma2 = layer.posteriors[output]
    return linear.condition_on(layer.statistics, alpha=alpha, sigma2=sigma2, output=output)


def _worst(kept: Kept) -> tuple[float, float]:
    return kept.chance, -kept.broken
