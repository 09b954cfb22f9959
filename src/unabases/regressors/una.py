"""UNA: a committee of neural linear models that leave rows out to learn how wide to be."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from jaxtyping import Bool, Float

from unabases import linear
from unabases.objectives import Una
from unabases.regressors.committee.choices import Asked, TrainedMembers, choose_by_left_out
from unabases.regressors.committee.members import (
    Kernels,
    MemberFeatures,
    fit_kernels,
    known_rows,
    make_features,
    many,
    split_sample,
    weigh,
)
from unabases.regressors.committee.prediction import AbstractCommittee
from unabases.regressors.committee.repeats import Repeats
from unabases.regressors.committee.variances import Variances
from unabases.regressors.knowledge.following import follow_draws
from unabases.regressors.knowledge.known_values import known_design, learn_known
from unabases.regressors.knowledge.meaning import read_wish
from unabases.regressors.networks.exact_layer import (
    ExactLayer,
    fit_layer,
    layer_arrays,
    layer_from,
    layer_without,
    read_layer,
)
from unabases.regressors.networks.network import gamma_parameter, leaves_of, refill
from unabases.regressors.networks.step_one import (
    Prepared,
    TrainingRun,
    as_history,
    check_finite,
    history_arrays,
    history_from,
    init_starts,
    mean_of_running,
    split_rows,
    take_member,
    train_runs,
)
from unabases.regressors.processes.smooth_kernel import KernelFeatures
from unabases.regressors.shared.base import check_count, check_positive
from unabases.regressors.shared.left_out import LeftOut, leave_folds_out, leave_slabs_out, stay_together
from unabases.regressors.shared.parameters import estimator, parameter
from unabases.regressors.shared.saved_state import SavedState, StateError
from unabases.regressors.shared.weights import WeightedRows, counts_of, part_of
from unabases.training import AUTO, on_all_cores, one_thread_each, working

_LEAST_NOISE = 1e-3  # noise variance in training, relative to y's
_LEAST_SHARE = 0.2  # of the chosen noise that remains when the spread between members is taken out of it
_MOST_BETWEEN = 0.999  # share of the noise that is left between rows with the same inputs, if they are remembered
_IN_MEMORY = 2**15  # rows whose features are held at once


@estimator
class UNA(AbstractCommittee):
    """The recommended regressor: a committee that learns from what its members did not see how unsure to be.

    Every member has two sets of features in one exact Bayesian last layer: those of a network, and those of a smooth
    kernel (a Gaussian process) that is fitted to a sample of the rows. The network learns what a kernel cannot, and the
    kernel knows that nothing is known far from the data. While it trains, each member leaves rows out. Most leave a
    random fold out: how well they predict it decides the noise and the prior variances, whether the noise varies with
    the inputs, and whether it has outliers. The others leave a region out, the middle or the ends along some direction:
    how well they predict it decides how wide to be far from the data, and how heavy tails are there. What few rows have
    decided is made a little wider. Then every last layer learns from all rows, and the prediction has the mean and the
    variance of the mixture of the members. Skewed targets are learned on a curved scale, if a Gaussian process predicts
    them better there. Inputs such as sizes and prices are seen on a logarithm, if a process finds that promising and
    members then predict left-out rows better.

    The network's features are trained with a few heads that fit the rows that the member sees. With `terms`, they also
    learn what you wish of the function.

    It works from two rows on. Time stops growing at some thirty thousand rows: a step of training sees at most
    `batch_size` of them, and a last layer `layer_rows`.

    Attributes
    ----------
    members_ : list of MemberFeatures
        The features of each member: its network and its kernel.
    layers_ : list of ExactLayer
        The exact last layer of each member, on all rows or on `layer_rows` of them.
    prior_variance_ : float or array
        Prior variance of the last layers' weights; one for each output.
    epistemic_factor_ : float or array
        Factor on the members' epistemic variance far from the data, chosen on regions that they left out; one for each
        output. Where the epistemic variance is small beside the noise, it stays as it is.
    sampled_ : bool
        Whether the last layers learned from `layer_rows` of the rows each, not from all of them.
    {noise_pattern_, tails_, repeats_, curve_, kept_, sigma2_, history_}

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
    n_heads: Any = parameter(10, "Model", "int", "Heads of each member.")
    n_folds: Any = parameter(
        5, "Model", "int", "Members that leave a random fold of the rows out while their features train; at least 2."
    )
    n_slabs: Any = parameter(
        4,
        "Model",
        "int",
        "Members that leave a region out: in turn the middle third and the outer sixths along a column or a random "
        "direction. None of them below 20 rows.",
    )
    layer_rows: Any = parameter(
        2**14,
        "Model",
        "int or None",
        "Rows that the last layer of a member learns from at most, drawn for each member on its own from a larger "
        "table. None for all rows, however many, which takes time in proportion.",
    )
    gamma: Any = gamma_parameter(0.3)
    strength: Any = parameter(
        0.0,
        "Penalty",
        "float",
        "How strongly heads follow functions drawn from the kernel's posterior, between and beyond the rows, in nats "
        "per row. By default not at all: the last layers know the kernel as it is.",
    )
    sigma2: Any = parameter(
        "left-out",
        "Noise and prior",
        'float, array or "left-out"',
        'Noise variance in squared units of y: a number, one for each output, or "left-out" to choose it by how well '
        "members predict rows that they did not see.",
    )
    max_steps: Any = parameter(
        AUTO,
        "Training",
        'int or "auto"',
        'Optimiser steps at most; fewer only with `early_stopping`. A step sees one batch. "auto" means 600 for up to '
        "8192 rows and as many more as there are more rows, up to 2000; with another optimiser than Muon 1500 to 5000.",
    )
    batch_size: Any = parameter(
        AUTO,
        "Training",
        'int, "auto" or None',
        'Rows in each step, drawn anew every epoch. None for all rows. "auto" means 256, and 512 with another '
        "optimiser than Muon.",
    )
    optimizer: Any = parameter(
        AUTO,
        "Training",
        "str or callable",
        'An optimiser: "adam", "adamw", "sgd", "rmsprop", "muon", or a function of the learning rate that makes one of '
        'Optax. "auto" means Muon, and Adam with `features` of your own.',
    )

    # ------------------------------------------------------------------------------------------------ fitting

    def _optimizer(self, n: int) -> Any:
        if self.optimizer != AUTO:
            return self.optimizer
        return "muon" if self.features is None else "adam"

    def _steps_between(self, n: int) -> tuple[int, int]:
        return (600, 2000) if self._optimizer(n) == "muon" else (1500, 5000)

    def _batch_size(self, n: int) -> int | str | None:
        size = super()._batch_size(n)
        return size if size != AUTO else 256 if self._optimizer(n) == "muon" else 512

    def _noise_words(self) -> set[str]:
        return {"left-out"}

    def _noise_before_training(self, data: Prepared) -> Float[np.ndarray, " p"]:
        return np.full(data.t.shape[1], np.nan)

    def _learn(self, data: Prepared) -> None:
        """Learn from inputs as they are; and from their logarithms, if those are promising, and keep what is better."""
        self._learn_seen(data)
        self._try_otherwise(self._learn_seen)

    @one_thread_each
    def _learn_seen(self, data: Prepared) -> None:
        """Train all members in one program, choose the variances by what they left out, condition on all rows."""
        Z, t, given, _, rng, weight = data
        n_folds, n_slabs = check_count("n_folds", self.n_folds, least=2), check_count("n_slabs", self.n_slabs, least=0)
        n, together = len(Z), stay_together(Z, t)
        folds = leave_folds_out(n, n_folds, rng, together=together) or leave_folds_out(n, n, rng, least=1)
        absences = [*folds, *leave_slabs_out(Z, n_slabs, rng)]
        further, prior = self._read_known(), self._given_prior(read_wish(self.terms))
        kernels = fit_kernels(Z, t, absences, rng, prior.numbers, weight, together, self._parts)
        phis = self._train(data, absences, kernels)
        kept = [i for i, phi in enumerate(phis) if phi is not None]
        absences = [absences[i] for i in kept]
        seen = [known_rows(kernels.sample, absence)[: kernels.centres] for absence in absences]
        own = [(phis[i], kernels.own[i]) for i in kept]
        trained = [make_features(*pair, Z, rows, further) for pair, rows in zip(own, seen, strict=True)]
        with working("UNA: choosing by what was left out", enabled=bool(self.verbose)):
            self._choose(trained, absences, data, prior.variance)
        if prior.numbers is None:
            settled = kernels.to_predict_with(Z, t, weight)
        else:  # all rows decide the rest of the kernel, and what they leave open is drawn
            settled = kernels.draw(Z, t, len(phis), rng, prior.numbers, weight)
        sample = kernels.sample[: kernels.centres]
        self.members_ = [make_features(phis[i], settled[i], Z, sample, further) for i in kept]
        rows, learned = WeightedRows(Z, t, weight), self._draw_learned(n, rng)
        with working("UNA: last layers", enabled=bool(self.verbose)):
            self.layers_ = self._condition_all(rows, learned)
            self._obey_again()
        chosen, estimated = self.variances_.sigma2, np.isnan(given)
        folds = [absence for absence in absences if absence.kind == "fold"]
        spread = self._spread(rows, learned, folds, rng, chosen) if np.any(estimated) else 0.0
        self.noise_ = np.where(estimated, np.maximum(chosen - spread, _LEAST_SHARE * chosen), chosen)
        if self.tails_ is not None:
            self.noise_ = self.noise_ * self.tails_.factor
        if self.repeats_ is not None:  # noise between rows with the same inputs is no spread between members
            between = self.repeats_.share * np.where(self.repeats_.share < 1, chosen / self.noise_, 1.0)
            least = np.where(self.repeats_.share < 1, _MOST_BETWEEN, 1.0)
            self.repeats_ = self.repeats_._replace(share=np.minimum(between, least))
        self._show_choices()

    def _train(self, data: Prepared, absences: list[LeftOut], kernels: Kernels) -> list[Any]:
        """The feature map of each member; None for one whose training diverged."""
        Z, t, _, plan, rng, weight = data
        objectives = self._objectives(data, absences, kernels)
        starts = init_starts(objectives[0], plan.make_features, Z.shape[1], t.shape[1], len(absences), rng)
        seen = np.array([~absence.rows for absence in absences], dtype=np.float64)
        held_out, rest = split_rows(len(Z), plan, rng)
        run = TrainingRun(
            objectives, starts, Z, t, plan, rng.spawn(len(absences)), rest, held_out, seen, row_weight=weight
        )
        (trained,) = train_runs([run])
        finite = check_finite(trained)
        self.history_ = as_history({name: mean_of_running(v[finite]) for name, v in trained.history.items()})
        return [take_member(trained.params, i).phi if finite[i] else None for i in range(len(absences))]

    def _choose(
        self, members: list[MemberFeatures], absences: list[LeftOut], data: Prepared, kernel: np.ndarray | None
    ) -> None:
        """Let what members left out decide the variances, the pattern of the noise and its tails."""
        splits = [split_sample(absence, data.rng) for absence in absences]
        rows = WeightedRows(data.Z, data.t, data.weight)

        def those(kind: str) -> TrainedMembers:
            places = [i for i, absence in enumerate(absences) if absence.kind == kind]
            return TrainedMembers([members[i] for i in places], [splits[i] for i in places], rows, self.known_)

        repeats = self.repeats if self.knowledge_ is None else "ignore"  # what is known holds for every row
        asked = Asked(data.sigma2, kernel, self.noise, self.tails, repeats, even=self._parts is not None)
        chosen = choose_by_left_out(those("fold"), those("slab"), asked)
        self.variances_, self.noise_pattern_, self.tails_, self.chances_, found, likely = chosen
        self._left_out_score = likely - float(np.sum(np.log(self.y_scale_.spread)))
        self.repeats_ = None if found is None else found.remember(rows)

    def _objectives(self, data: Prepared, absences: list[LeftOut], kernels: Kernels) -> list[Una]:
        """Heads that fit the rows their member sees, and what else is wished of them."""
        Z, t, given, _, rng, weight = data
        heads = check_count("n_heads", self.n_heads)
        gamma = np.float64(check_positive("gamma", self.gamma, zero=True))
        strength = check_positive("strength", self.strength, zero=True)
        strength, others = self._heads_wish(read_wish(self.terms), strength)
        noise = np.where(np.isnan(given), kernels.whole.noise, given)
        objectives = []
        for absence, kernel in zip(absences, kernels.own, strict=True):
            terms = others
            if strength > 0:
                known = WeightedRows(Z, t, weight).take(known_rows(kernels.sample, absence))
                seen = np.flatnonzero(~absence.rows)
                terms = (follow_draws(kernel, known, Z, seen, heads, noise, strength, rng), *others)
            objectives.append(Una(sigma2=np.maximum(noise, _LEAST_NOISE), gamma=gamma, terms=terms, n_heads=heads))
        return objectives

    def _draw_learned(self, n: int, rng: np.random.Generator) -> list[Bool[np.ndarray, " n"]]:
        """For each member, which of n rows its last layer learns from."""
        most = n if self.layer_rows is None else check_count("layer_rows", self.layer_rows, least=2)
        self.sampled_ = most < n
        if not self.sampled_:
            return [np.ones(n, dtype=bool)] * len(self.members_)
        return [rng.permutation(n) < most for _ in self.members_]

    def _spread(
        self,
        rows: WeightedRows,
        learned: list[np.ndarray],
        folds: list[LeftOut],
        rng: np.random.Generator,
        noise: Float[np.ndarray, " p"],
    ) -> Float[np.ndarray, " p"]:
        """Mean variance between members at rows that none of their last layers saw.

        A single member's error exceeds that of the mixture by as much (Krogh and Vedelsby 1995). Rows where it is large
        beside the noise count less, as they do in the likelihood that chose the noise: a few rows beside a narrow
        peak say nothing of it.
        """
        Z, t, weight = rows
        parts = [split_sample(fold, rng).out for fold in folds[:2]]

        def means(i: int) -> list[Float[np.ndarray, "m p"]]:
            found, designs = [], self._design(self.members_[i], Z[np.concatenate(parts)])
            for out, Phi in zip(parts, np.split(designs, np.cumsum([len(out) for out in parts])[:-1]), strict=True):
                seen = learned[i][out]
                values = weigh(Phi[seen], t[out[seen]], Z[out[seen]], self.noise_pattern_)
                own = linear.accumulate(*values, part_of(weight, out[seen]))
                layer = self._told(self.members_[i], layer_without(self.layers_[i], own))
                found.append(np.stack([Phi @ posterior.m for posterior in layer.posteriors], axis=1))
            return found

        with warnings.catch_warnings():  # features that repeat each other are worth a warning once, not for each part
            warnings.simplefilter("ignore", linear.IllConditionedWarning)
            of_members = on_all_cores(means, range(len(self.members_)), worthwhile=many(Z))
        sums, counts = np.zeros(t.shape[1]), np.full(t.shape[1], 1e-12)
        for out, found in zip(parts, zip(*of_members, strict=True), strict=True):
            between = np.var(found, axis=0)
            count = counts_of(part_of(weight, out), len(out))[:, None] * (noise / (noise + between)) ** 2
            sums, counts = sums + np.sum(count * between, axis=0), counts + count.sum(axis=0)
        return sums / counts

    def update(self, X: Any, y: Any, sample_weight: Any = None) -> "UNA":
        """Add rows to the last layers, exactly; features and variances stay.

        Parameters
        ----------
        X, y
            Rows and targets as `fit` takes them.
        sample_weight
            How often each row counts, shape (n,); None for once.
        """
        return self._revise(self._new_rows(X, y, sample_weight), linear.add, Repeats.add)

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> "UNA":
        """Take rows that were learned from out of the last layers, exactly.

        Rows that cannot have been learned from are refused with a ValueError. Rows that were never added go unnoticed
        where they are plausible, since a model keeps sums over its rows and not the rows. A model of more rows than
        `layer_rows` cannot forget: its last layers learned from some of them, and do not know from which.

        Parameters
        ----------
        X, y
            Rows and targets as they were given to `fit` or `update`.
        sample_weight
            Their weights there; less takes a part of their weight away.
        """
        if self.sampled_:
            raise ValueError(
                f"the last layers learned from samples of {self.layer_rows} rows, so nobody can say whether these rows "
                "are among them; to forget rows, fit with `layer_rows=None`."
            )
        return self._revise(self._new_rows(X, y, sample_weight), linear.subtract, Repeats.subtract)

    def refit(self, X: Any, y: Any, sample_weight: Any = None) -> "UNA":
        """Replace the last layers by those of other data with the same features and variances: transfer.

        Parameters
        ----------
        X, y
            Rows and targets as `fit` takes them.
        sample_weight
            How often each row counts, shape (n,); None for once.
        """
        rows = self._new_rows(X, y, sample_weight)
        self.layers_, self.sampled_ = self._condition_all(rows), False
        if self.repeats_ is not None:
            self.repeats_ = self.repeats_.of(*rows)
        self._obey_again()
        return self

    def _designs_of(self, rows: WeightedRows) -> Iterator[WeightedRows]:
        for member in self.members_:
            yield from self._designs(member, rows)

    def _enough_rows(self) -> int | None:
        return self.layer_rows

    def _statistics(self) -> list[linear.Statistics]:
        return [layer.statistics for layer in self.layers_]

    def _set_statistics(self, statistics: list[linear.Statistics]) -> None:
        layers = [layer_from(one, **self._chosen()) for one in statistics]
        self.layers_ = [self._told(*pair) for pair in zip(self.members_, layers, strict=True)]
        self.sampled_, self.repeats_ = False, None  # statistics do not tell rows apart
        self._obey_again()

    # ------------------------------------------------------------------------------------------------- saving

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Weights, scales, kernels, statistics, posteriors and variances."""
        arrays, values = self._common_state()
        told, said = self._told_state()
        arrays, values = arrays | told, values | said
        for i, (member, layer) in enumerate(zip(self.members_, self.layers_, strict=True)):
            arrays |= {f"phi.{i}.{k}": np.asarray(leaf) for k, leaf in enumerate(leaves_of(member.phi))}
            arrays |= {f"kernel.{i}.{name}": array for name, array in member.kernel.arrays().items()}
            arrays |= layer_arrays(layer, f"{i}.")
        arrays |= {f"variances.{name}": np.asarray(value) for name, value in self.variances_._asdict().items()}
        arrays |= {"noise": self.noise_, **history_arrays(self.history_)}
        arrays |= self._noise_arrays()
        sampled = {"sampled": True} if self.sampled_ else {}
        return arrays, {**values, "log_evidences": [layer.log_evidence for layer in self.layers_], **sampled}

    def set_state(self, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> None:
        """Put back what `get_state` gave; the parameters must make feature maps of the same shape."""
        saved = self._read_common(SavedState(arrays, values))
        like = self._feature_shapes()
        learned = self._n_features(like) + 1
        self.history_, self.sampled_ = history_from(saved), saved.value("sampled", bool, False)
        evidences = saved.value("log_evidences", list)
        if not evidences or not all(type(value) is float and np.isfinite(value) for value in evidences):
            raise StateError("there has to be at least one member, each with a finite log evidence")
        self.members_, self.layers_ = [], []
        for i, evidence in enumerate(evidences):
            kernel = KernelFeatures.read(saved.below(f"kernel.{i}."), self._parts)
            self.members_.append(MemberFeatures(refill(like, saved.numbered(f"phi.{i}.")), kernel))
            self.layers_.append(read_layer(saved, evidence, f"{i}.", k=learned + len(kernel.centres)))
        chosen = saved.below("variances.")
        rest = (chosen.array(name, "p", "positive") for name in Variances._fields[1:])
        self.variances_ = Variances(chosen.number("ratio", "positive"), *rest)
        self.noise_ = saved.array("noise", "p", "positive")
        self._read_noise(saved)
        self._read_told(saved, learned + len(self.members_[0].kernel.centres))
        self._show_choices()

    # -------------------------------------------------------------------------------------------------- parts

    def _show_choices(self) -> None:
        """The fitted attributes that users read, in their units."""
        steepness = 1.0 if self.curve_ is None else self.steepness_
        self.prior_variance_ = self._per_output(self.variances_.alpha)
        self.epistemic_factor_ = self._per_output(self.variances_.factor)
        self.sigma2_ = self._per_output(self.noise_ * self.y_scale_.spread**2 * steepness)

    def _chosen(self) -> dict[str, Any]:
        """The variances of the last layers."""
        return {"alpha": self.variances_.alpha, "sigma2": self.variances_.sigma2}

    def _condition(self, member: MemberFeatures, rows: WeightedRows) -> ExactLayer:
        """The exact last layer of a member, given some rows."""
        designs = self._designs(member, rows)
        if len(rows.X) > _IN_MEMORY:
            return self._told(member, layer_from(linear.stream(designs), **self._chosen()))
        Phi, t, weight = next(designs)
        return self._told(member, fit_layer(Phi, t, **self._chosen(), weight=weight))

    def _condition_all(self, rows: WeightedRows, learned: Sequence[np.ndarray] = ()) -> list[ExactLayer]:
        """The exact last layers of all members: on all rows, or on those that each is to learn from."""

        def condition(i: int) -> ExactLayer:
            mine = rows.take(learned[i]) if learned and self.sampled_ else rows
            return self._condition(self.members_[i], mine)

        return on_all_cores(condition, range(len(self.members_)), worthwhile=many(rows.X))

    def _told(self, member: MemberFeatures, layer: ExactLayer) -> ExactLayer:
        """The layer with the values that are known."""
        return learn_known(layer, known_design(self.known_, self._features_of(member))) if self.known_ else layer

    def _features_of(self, member: MemberFeatures) -> Callable[[np.ndarray], np.ndarray]:
        return lambda Z: self._design(member, Z)

    def _obey_again(self) -> None:
        """Draw functions that obey, and see how all statements are kept."""
        self._obey([self._features_of(member) for member in self.members_], self.layers_, self.variances_.factor)

    def _designs(self, member: MemberFeatures, rows: WeightedRows) -> Iterator[WeightedRows]:
        """Features and targets to condition on, part by part; where the noise varies, divided by its relative std."""
        Z, t, weight = rows
        for start in range(0, len(Z), _IN_MEMORY):
            part = slice(start, start + _IN_MEMORY)
            Phi, values = weigh(self._design(member, Z[part]), t[part], Z[part], self.noise_pattern_)
            yield WeightedRows(Phi, values, part_of(weight, part))

    def _revise(self, rows: WeightedRows, revise: Callable, remember: Callable) -> "UNA":
        pairs = zip(self.members_, self.layers_, strict=True)
        statistics = [revise(layer.statistics, linear.stream(self._designs(member, rows))) for member, layer in pairs]
        sampled, repeats = self.sampled_, self.repeats_
        self._set_statistics(statistics)
        self.sampled_, self.repeats_ = sampled, None if repeats is None else remember(repeats, *rows)
        return self
