"""UNA: a committee of neural linear models that leave rows out to learn how wide to be."""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import numpy as np
from jaxtyping import Bool, Float
from sklearn.utils import check_random_state

from unabases import linear
from unabases.objectives import Una
from unabases.objectives.follow import Follow
from unabases.predictive import Normal
from unabases.regressors.base import check_count, check_positive
from unabases.regressors.blocks import apply_rows
from unabases.regressors.exact_layer import fit_layer, layer_arrays, layer_from, layer_from_arrays
from unabases.regressors.network import AbstractNetwork, gamma_parameter, leaves_of, numbered, refill
from unabases.regressors.parameters import estimator, parameter
from unabases.regressors.process_draws import draw_functions, fit_kernel
from unabases.regressors.step_one import (
    Prepared,
    TrainingRun,
    as_history,
    check_finite,
    history_arrays,
    history_from,
    init_starts,
    split_rows,
    take_member,
    train_runs,
)

_SAMPLE = 400  # rows that the kernel is fitted to and that draws are conditioned on
_POOL = 1024  # points at which the functions to follow are known
_BEYOND = (-0.7, 1.7)  # where points lie on the line through two rows, of which one is 0 and the other 1
_TOLERANCE = 0.01  # added to the noise: how near to its function a head has to come
_LEAST_NOISE = 1e-3  # noise variance in training, relative to y's
_SLABS_FROM = 40  # rows from which slabs are left out as well
_ALPHAS, _NOISES, _FACTORS = np.geomspace(0.003, 30, 9), np.geomspace(3e-4, 1.2, 15), np.geomspace(0.1, 100, 16)
_SLAB_WEIGHT = 2.0  # of left-out slabs beside left-out folds in the choice of the variances
_LEAST_SHARE = 0.2  # of the chosen noise that remains when the spread between members is taken out of it


class Absence(NamedTuple):
    """What a member does not see while its features train."""

    slab: bool  # a whole region, and not rows at random
    rows: Bool[np.ndarray, " n"]


class Choice(NamedTuple):
    """The variances of one output, in standardised units."""

    alpha: float
    sigma2: float
    factor: float  # on the epistemic variance of a member
    noise: float  # of a new y: sigma2 without the spread between members, which the prediction has already


@estimator
class UNA(AbstractNetwork):
    """A committee of neural linear models whose uncertainty is set by what its members did not see.

    Every member is a network with an exact Bayesian last layer. Its features are trained with many heads: each fits the
    data and, between and beyond them, follows one function drawn from a Gaussian process that was fitted to a sample
    of the rows. So the features can span what may happen where there is no data. While it trains, each member leaves
    something out: a random fold of the rows, the middle of a direction, or its outer parts. How well it predicts what
    it left out decides the noise, the prior variance and how wide to be away from the data. Then every last layer
    learns from all rows, and the prediction is the mixture of the members.

    Attributes
    ----------
    phis_ : list of callables
        The feature map of each member.
    layers_ : list of ExactLayer
        The exact last layer of each member, on all rows.
    prior_variance_ : float or array
        Prior variance of the last layers' weights; one for each output.
    epistemic_factor_ : float or array
        Factor on the members' epistemic variance, chosen on what they left out; one for each output.
    {sigma2_, history_}

    See Also
    --------
    LUNA : The paper's method: heads that disagree, one network.

    References
    ----------
    Thakur, Lorsung, Yacoby, Doshi-Velez, Pan (2020). Uncertainty-Aware (UNA) Bases for Deep Bayesian Regression Using
    Multi-Headed Auxiliary Networks. arXiv:2006.11695, for wishes stated on auxiliary heads. Wilson et al. (2020).
    Efficiently sampling functions from Gaussian process posteriors.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.r_[np.linspace(-4, -2, 50), np.linspace(2, 4, 50)][:, None]  # nothing between -2 and 2
    >>> model = UNA(max_steps=500, random_state=0).fit(X, X[:, 0] ** 3)
    >>> data, gap = model.predict_dist(X), model.predict_dist([[0.0]])
    >>> bool(gap.epistemic_std.mean() > 2 * data.epistemic_std.mean())
    True
    """

    hidden_layer_sizes: Any = (50, 100)
    n_heads: Any = parameter(50, "Model", "int", "Heads of each member, and functions that they follow.")
    n_folds: Any = parameter(
        5, "Model", "int", "Members that leave a random fold of the rows out while their features train; at least 2."
    )
    n_slabs: Any = parameter(
        4,
        "Model",
        "int",
        "Members that leave a region out: in turn the middle third and the outer sixths along a column or a random "
        "direction. None of them below 40 rows.",
    )
    gamma: Any = gamma_parameter(0.3)
    strength: Any = parameter(
        3.0, "Penalty", "float", "How strongly heads follow their functions, in nats per row. 0 turns it off."
    )
    sigma2: Any = parameter(
        "left-out",
        "Noise and prior",
        'float, array or "left-out"',
        'Noise variance in squared units of y: a number, one for each output, or "left-out" to choose it by how well '
        "members predict rows that they did not see.",
    )
    max_steps: Any = 1500

    # ------------------------------------------------------------------------------------------------ fitting

    def _noise_words(self) -> set[str]:
        return {"left-out"}

    def _noise_before_training(self, data: Prepared) -> Float[np.ndarray, " p"]:
        return np.full(data.t.shape[1], np.nan)

    def _learn(self, data: Prepared) -> None:
        """Train all members in one program, choose the variances by what they left out, condition on all rows."""
        Z, t, given, plan, rng = data
        absences = self._absences(Z, rng)
        objectives = self._objectives(Z, t, given, absences, rng)
        starts = init_starts(objectives[0], plan.make_features, Z.shape[1], t.shape[1], len(absences), rng)
        seen = np.array([~absence.rows for absence in absences], dtype=np.float64)
        held_out, rest = split_rows(len(Z), plan, rng)
        run = TrainingRun(objectives, starts, Z, t, plan, rng.spawn(len(absences)), rest, held_out, seen)
        (trained,) = train_runs([run])
        kept = np.flatnonzero(check_finite(trained)).tolist()
        self.history_ = as_history({name: np.mean(values[kept], axis=0) for name, values in trained.history.items()})
        self.phis_ = [take_member(trained.params, i).phi for i in kept]
        designs = [self._design(phi, Z) for phi in self.phis_]
        left_out = [absences[i] for i in kept]
        choices = []
        for j in range(t.shape[1]):
            sigma2 = None if np.isnan(given[j]) else float(given[j])
            choices.append(choose_variances(designs, t[:, j], left_out, sigma2))
        alpha, sigma2 = (np.array([getattr(choice, name) for choice in choices]) for name in ("alpha", "sigma2"))
        self.layers_ = [fit_layer(Phi, t, alpha=alpha, sigma2=sigma2) for Phi in designs]
        self._set_choices(np.array(choices))

    def _absences(self, Z: Float[np.ndarray, "n d"], rng: np.random.Generator) -> list[Absence]:
        """What each member leaves out: every row once by a fold, and regions by slabs."""
        n, d = Z.shape
        folds = min(check_count("n_folds", self.n_folds, least=2), n)
        fold = rng.permutation(n) % folds
        absences = [Absence(False, fold == k) for k in range(folds)]
        varied = [j for j in range(d) if len(np.unique(Z[:, j])) >= 5] or list(range(d))
        for k in range(check_count("n_slabs", self.n_slabs, least=0) if n >= _SLABS_FROM else 0):
            direction = np.eye(d)[rng.choice(varied)] if k % 4 < 2 or d == 1 else rng.standard_normal(d)
            rank = np.argsort(np.argsort(Z @ direction + 1e-6 * rng.standard_normal(n))) / n
            middle = (rank > 1 / 3) & (rank < 2 / 3)
            absences.append(Absence(True, middle if k % 2 == 0 else (rank < 1 / 6) | (rank > 5 / 6)))
        return absences

    def _objectives(
        self, Z: np.ndarray, t: np.ndarray, given: np.ndarray, absences: list[Absence], rng: np.random.Generator
    ) -> list[Una]:
        """Heads that fit the rows their member sees, and follow draws given a sample of these rows."""
        heads = check_count("n_heads", self.n_heads)
        gamma = np.float64(check_positive("gamma", self.gamma, zero=True))
        strength = check_positive("strength", self.strength, zero=True)
        sample = np.sort(rng.permutation(len(Z))[:_SAMPLE])
        kernels = [fit_kernel(Z[sample], t[sample, j]) for j in range(t.shape[1])]
        noise = np.array([kernel.noise for kernel in kernels])
        sigma2 = np.maximum(np.where(np.isnan(given), noise, given), _LEAST_NOISE)
        objectives = []
        for absence in absences:
            seen = np.flatnonzero(~absence.rows)
            first, second = Z[rng.choice(seen, _POOL)], Z[rng.choice(seen, _POOL)]
            points = first + rng.uniform(*_BEYOND, (_POOL, 1)) * (second - first)
            rows = np.intersect1d(sample, seen)
            rows = rows if len(rows) else seen[:_SAMPLE]
            drawn = [draw_functions(k, Z[rows], t[rows, j], points, heads, rng) for j, k in enumerate(kernels)]
            follow = Follow(points, np.stack(drawn, axis=-1), noise + _TOLERANCE, strength)
            objectives.append(Una(sigma2=sigma2, gamma=gamma, terms=(follow,), n_heads=heads))
        return objectives

    def update(self, X: Any, y: Any) -> "UNA":
        """Add rows to the last layers, exactly; features and variances stay."""
        return self._revise(X, y, linear.add)

    def forget(self, X: Any, y: Any) -> "UNA":
        """Take rows that were learned from out of the last layers, exactly."""
        return self._revise(X, y, linear.subtract)

    def refit(self, X: Any, y: Any) -> "UNA":
        """Replace the last layers by those of other data with the same features and variances: transfer."""
        Z, t = self._new_rows(X, y)
        variances = self._variances()
        self.layers_ = [fit_layer(self._design(phi, Z), t, **variances) for phi in self.phis_]
        return self

    # --------------------------------------------------------------------------------------------- prediction

    def _rows_at_once(self) -> int:
        return 2**16

    def _predict_rows(self, X: np.ndarray, covariance: bool) -> Normal:
        Z, p = self.x_scale_.apply(X), len(self.choices_)
        designs = [self._design(phi, Z) for phi in self.phis_]
        means, variances = np.empty((2, len(designs), len(Z), p))
        for i, (layer, Phi) in enumerate(zip(self.layers_, designs, strict=True)):
            for j, posterior in enumerate(layer.posteriors):
                means[i, :, j], variances[i, :, j] = linear.predict(posterior, Phi)
        factor, noise = self.choices_[:, 2], self.choices_[:, 3]
        mean = means.mean(axis=0)
        std = np.sqrt(factor * variances.mean(axis=0) + means.var(axis=0))
        root = self._root(designs, means - mean) if covariance else None
        return self._as_normal(mean, std, noise, root)

    def _root(self, designs: list[np.ndarray], apart: Float[np.ndarray, "K n p"]) -> Float[np.ndarray, "p n r"]:
        """R with R Rᵀ the covariance of the mixture: within members, and between them."""
        members = len(designs)
        roots = []
        for j, factor in enumerate(self.choices_[:, 2]):
            within = [linear.root(layer.posteriors[j], Phi) for layer, Phi in zip(self.layers_, designs, strict=True)]
            parts = [np.sqrt(factor) * part for part in within] + [apart[:, :, j].T]
            roots.append(np.concatenate(parts, axis=1) / np.sqrt(members))
        return np.stack(roots)

    def sample_prior(self, X: Any, n: int = 1, random_state: Any = None) -> np.ndarray:
        """`n` functions drawn before seeing data, at the rows of X: shape (n, rows) or (n, rows, p)."""
        return self._sample(X, n, random_state, _prior)

    def sample_posterior(self, X: Any, n: int = 1, random_state: Any = None) -> np.ndarray:
        """`n` functions drawn after seeing data, each from a member: shape (n, rows) or (n, rows, p)."""
        return self._sample(X, n, random_state, _posterior)

    # ------------------------------------------------------------------------------------------------- saving

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Weights, scales, statistics, posteriors and variances."""
        arrays, values = self._common_state()
        for i, (phi, layer) in enumerate(zip(self.phis_, self.layers_, strict=True)):
            arrays |= {f"phi.{i}.{k}": np.asarray(leaf) for k, leaf in enumerate(leaves_of(phi))}
            arrays |= layer_arrays(layer, f"{i}.")
        arrays |= {"choices": self.choices_, **history_arrays(self.history_)}
        evidences = [layer.log_evidence for layer in self.layers_]
        return arrays, {**values, "log_evidences": evidences}

    def set_state(self, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> None:
        """Put back what `get_state` gave; the parameters must make feature maps of the same shape."""
        self._set_common_state(arrays, values)
        like = self._make_features()(self._width, key=jax.random.key(0))
        self.history_ = history_from(arrays)
        self.phis_, self.layers_ = [], []
        for i, evidence in enumerate(values["log_evidences"]):
            self.phis_.append(refill(like, numbered(arrays, f"phi.{i}.")))
            self.layers_.append(layer_from_arrays(arrays, evidence, f"{i}."))
        self._set_choices(arrays["choices"])

    # -------------------------------------------------------------------------------------------------- parts

    def _set_choices(self, choices: Float[np.ndarray, "p 4"]) -> None:
        """The chosen variances of each output, and the fitted attributes that users read, in their units."""
        self.choices_ = choices
        alpha, _, factor, noise = choices.T
        self.prior_variance_, self.epistemic_factor_ = self._per_output(alpha), self._per_output(factor)
        self.sigma2_ = self._per_output(noise * self.y_scale_.spread**2)

    def _variances(self) -> dict[str, np.ndarray]:
        return {"alpha": self.choices_[:, 0], "sigma2": self.choices_[:, 1]}

    def _revise(self, X: Any, y: Any, revise: Callable) -> "UNA":
        Z, t = self._new_rows(X, y)
        variances = self._variances()
        pairs = zip(self.phis_, self.layers_, strict=True)
        statistics = [revise(layer.statistics, linear.accumulate(self._design(phi, Z), t)) for phi, layer in pairs]
        self.layers_ = [layer_from(one, **variances) for one in statistics]
        return self

    def _sample(self, X: Any, n: int, random_state: Any, draw: Callable) -> np.ndarray:
        Z = self.x_scale_.apply(self._validate_predict(X))
        rng = np.random.default_rng(check_random_state(random_state).randint(0, 2**31 - 1, size=4))
        samples = np.empty((n, len(Z), len(self.choices_)))
        member = rng.integers(len(self.phis_), size=n)
        for i, (phi, layer) in enumerate(zip(self.phis_, self.layers_, strict=True)):
            mine = np.flatnonzero(member == i)
            if not len(mine):
                continue
            Phi = self._design(phi, Z)
            for j, posterior in enumerate(layer.posteriors):
                own = [draw(posterior, Phi, self.choices_[j, 2], rng) for _ in mine]
                samples[mine, :, j] = np.stack(own)
        return self._shaped(self.y_scale_.undo(samples))

    def _design(self, phi: Any, Z: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n k"]:
        """Φ of standardised rows, features in float32, the column of ones last."""
        return linear.with_bias(apply_rows(phi, Z.astype(np.float32)).astype(np.float64))


def choose_variances(
    designs: list[Float[np.ndarray, "n k"]],
    t: Float[np.ndarray, " n"],
    absences: list[Absence],
    sigma2: float | None = None,
) -> Choice:
    """Choose prior variance, noise and the factor on the epistemic variance by what members left out.

    Each member's last layer is conditioned on the rows that its features saw, for all values of a grid, and predicts
    the others; the mean log-likelihood of left-out folds plus twice that of left-out slabs decides.

    Parameters
    ----------
    designs : list of arrays
        Features of all rows, of each member.
    t : array
        Targets, standardised.
    absences : list of Absence
        What each member left out.
    sigma2 : float, optional
        The noise variance, if it is known.
    """
    solved = [_Solved.of(Phi, t, absence) for Phi, absence in zip(designs, absences, strict=True)]
    noises = _NOISES if sigma2 is None else np.array([sigma2])
    best, found = -np.inf, (1.0, float(noises[0]), 1.0)
    for alpha in _ALPHAS:
        for noise in noises:
            scores = np.zeros((2, len(_FACTORS)))
            counts = np.zeros(2)
            for member in solved:
                scores[int(member.slab)] += member.score(alpha, noise)
                counts[int(member.slab)] += 1
            mean = scores / np.maximum(counts, 1)[:, None]
            total = mean[0] + _SLAB_WEIGHT * mean[1]
            if np.max(total) > best:
                best, found = float(np.max(total)), (float(alpha), float(noise), float(_FACTORS[np.argmax(total)]))
    alpha, noise, factor = found
    if sigma2 is not None:
        return Choice(alpha, sigma2, factor, sigma2)
    return Choice(alpha, noise, factor, max(noise - _spread(designs, t, absences, alpha, noise), _LEAST_SHARE * noise))


class _Solved(NamedTuple):
    """One member, ready to predict what it left out for any variances: everything in the eigenbasis of ΦᵀΦ."""

    slab: bool
    t: Float[np.ndarray, " m"]
    Phi: Float[np.ndarray, "m k"]
    eigenvalues: Float[np.ndarray, " k"]
    b: Float[np.ndarray, " k"]

    @classmethod
    def of(cls, Phi: np.ndarray, t: np.ndarray, absence: Absence) -> "_Solved":
        seen = ~absence.rows
        eigenvalues, U = np.linalg.eigh(Phi[seen].T @ Phi[seen])
        return cls(
            absence.slab,
            t[absence.rows],
            Phi[absence.rows] @ U,
            np.maximum(eigenvalues, 0),
            U.T @ Phi[seen].T @ t[seen],
        )

    def predict(self, alpha: float, sigma2: float) -> tuple[np.ndarray, np.ndarray]:
        variances = 1 / (self.eigenvalues / sigma2 + 1 / alpha)
        return self.Phi @ (variances * self.b / sigma2), self.Phi**2 @ variances

    def score(self, alpha: float, sigma2: float) -> Float[np.ndarray, " factors"]:
        """Mean log-likelihood of what was left out, for each factor."""
        mean, variance = self.predict(alpha, sigma2)
        total = _FACTORS[:, None] * variance + sigma2
        return np.mean(-0.5 * np.log(2 * np.pi * total) - 0.5 * (self.t - mean) ** 2 / total, axis=1)


def _spread(designs: list[np.ndarray], t: np.ndarray, absences: list[Absence], alpha: float, sigma2: float) -> float:
    """Mean variance between members at rows that none of their last layers saw.

    A single member's error exceeds that of the mixture by as much (Krogh and Vedelsby 1995).
    """
    spreads = []
    for fold in (absence.rows for absence in absences if not absence.slab):
        means = [_Solved.of(Phi, t, Absence(False, fold)).predict(alpha, sigma2)[0] for Phi in designs]
        spreads.append(np.var(means, axis=0))
    return float(np.mean(np.concatenate(spreads))) if spreads else 0.0


def _posterior(posterior: linear.Posterior, Phi: np.ndarray, factor: float, rng: np.random.Generator) -> np.ndarray:
    """A function from a member's posterior, its distance from the mean widened by the factor on the variance."""
    mean = Phi @ posterior.m
    return mean + np.sqrt(factor) * (linear.sample_posterior(posterior, Phi, 1, rng)[0] - mean)


def _prior(posterior: linear.Posterior, Phi: np.ndarray, factor: float, rng: np.random.Generator) -> np.ndarray:
    return linear.sample_prior(Phi, factor * posterior.alpha, 1, rng)[0]
