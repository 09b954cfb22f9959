"""LUNA: a neural linear model whose features can disagree where there is no data."""

from typing import Any

import numpy as np
from jaxtyping import Float

from unabases.objectives import AbstractObjective, AbstractPlaces, luna_objective, make_places
from unabases.objectives.luna import cosine_of
from unabases.regressors.networks.last_layer import AbstractLastLayer
from unabases.regressors.networks.left_out_noise import LEAST_ROWS, Settled
from unabases.regressors.networks.network import LEFT_OUT
from unabases.regressors.networks.step_one import Prepared, Start
from unabases.regressors.shared.base import check_count, check_positive
from unabases.regressors.shared.parameters import estimator, parameter
from unabases.regressors.shared.saved_state import SavedState
from unabases.regressors.shared.scaling import column_mean_and_std
from unabases.training import AUTO, bucket
from unabases.training.recipe import AUTO_ROWS

_GAMMAS = [0.3, 3.0]  # weight penalties that left-out rows choose from
AS_IN_PAPER: dict[str, Any] = {
    **{"hidden_layer_sizes": (50, 50), "n_heads": 20},
    **{"where": "data", "n_points": None, "similarity": "field", "gradient": "finite-difference"},
    **{"penalty": "squared-cosine", "n_directions": None, "sigma2": "residual"},
    **{"batch_size": None, "max_steps": 2000, "optimizer": "adam"},
    **{"lam": 1.5, "gamma": 0.3, "schedule": "none", "epsilon": 0.3, "prior_variance": 0.3},
}
"""Parameters of the method as printed: its network, and where its heads are pushed apart. The last line has what the
paper leaves to a search (λ, γ, the schedule) or does not print (ε, α), so new defaults of `LUNA` change nothing."""


@estimator
class LUNA(AbstractLastLayer):
    """Neural linear regression that knows where it has no data.

    A network learns features of the inputs, and an exact Bayesian linear regression on those features makes the
    predictions. While the features are learned, many auxiliary heads on them must all fit the data *and* have
    different slopes. Features that allow this can still disagree where there is no data, and the exact last layer
    reports the disagreement as epistemic uncertainty. The heads are dropped after training.

    If the band between the data is too wide, lower `prior_variance` or `lam`; if it is too narrow, raise them.
    `LUNASearch` tunes them.

    Attributes
    ----------
    {phi_, posterior_, prior_variance_, sigma2_, log_evidence_, history_}
    gamma_ : float
        Weight penalty in use.
    diversity_ : float
        Mean squared cosine between the heads' gradients at the end of training: 0 if they are as different as can be,
        1 if they are parallel. Near 1 the penalty did not work; raise `lam`. The mean over places, if they are several.
    heads_ : array of shape (n_heads, p, k + 1)
        Weights of the auxiliary heads. No prediction uses them; `predict_heads` evaluates them for pictures.

    See Also
    --------
    NeuralLinear : The same model with features that are trained in the ordinary ways.
    unabases.selection.LUNASearch : Tunes LUNA: likely models first, then the most diverse of them.

    References
    ----------
    Thakur, Lorsung, Yacoby, Doshi-Velez, Pan (2020). Uncertainty-Aware (UNA) Bases for Deep Bayesian Regression Using
    Multi-Headed Auxiliary Networks. arXiv:2006.11695. The paper pushes the heads apart at the training inputs
    (`where="data"`); the default here does so between them.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.r_[np.linspace(-4, -2, 50), np.linspace(2, 4, 50)][:, None]  # nothing between -2 and 2
    >>> model = LUNA(random_state=0).fit(X, X[:, 0] ** 3)
    >>> data, gap = model.predict_dist(X), model.predict_dist([[0.0]])
    >>> bool(gap.epistemic_std.mean() > 2 * data.epistemic_std.mean())
    True
    """

    hidden_layer_sizes: Any = (50, 40)
    prior_variance: Any = 0.1
    n_heads: Any = parameter(
        20, "Penalty", "int", "Number M of auxiliary heads, at least 2. More heads explore more ways to disagree."
    )
    lam: Any = parameter(
        0.3,
        "Penalty",
        "float",
        "Strength λ of the diversity penalty, in nats per row: how much fit heads give up to differ. 0 turns it off.",
    )
    gamma: Any = parameter(
        0.3,
        "Penalty",
        'float or "left-out"',
        "Weight penalty γ: γ times the squared weights counts against the log-likelihood of all rows. Larger means "
        'smoother functions. "left-out" takes 0.3, or 3 if copies of the model then predict rows that they left out '
        "clearly better.",
    )
    where: Any = parameter(
        "between",
        "Penalty",
        "str, callable or tuple of them",
        'Where the heads must differ: "between" (between random pairs of training inputs), "beyond" (on the lines '
        'through pairs, past the second), "data" (at the training inputs, as in the paper), or a function `(X, key) -> '
        "points`. Each of several has a penalty of its own, of strength `lam`.",
    )
    n_points: Any = parameter(
        64,
        "Penalty",
        "int or None",
        "Points at which each step estimates a penalty, drawn anew. None for as many as there are rows.",
    )
    schedule: Any = parameter(
        "none",
        "Penalty",
        "str",
        'How λ grows over training: "none" (full strength at once), "sqrt", "sigmoid" or "tanh".',
    )
    similarity: Any = parameter(
        "field",
        "Penalty",
        "str",
        'How gradients are compared: "field" (one cosine over all points) or, for two inputs or more, "pointwise" (a '
        "cosine at each point).",
    )
    penalty: Any = parameter(
        "log-barrier",
        "Penalty",
        "str",
        'What a mean squared cosine c costs: "squared-cosine" (c, as in the paper) or "log-barrier" (−log(1 − c), '
        "which grows without bound as heads become parallel).",
    )
    gradient: Any = parameter(
        "finite-difference",
        "Penalty",
        "str",
        'How slopes are computed: "finite-difference" (random steps of length `epsilon`) or "exact".',
    )
    epsilon: Any = parameter(
        0.3,
        "Penalty",
        "float",
        "Length of the finite-difference steps, in standard deviations of each input.",
    )
    n_directions: Any = parameter(
        64,
        "Penalty",
        "int or None",
        "With more inputs than this, finite differences are taken along so many random directions, drawn anew at each "
        "step, so that the penalty costs hardly more for a thousand inputs than for a few. None for every input.",
    )
    max_steps: Any = parameter(
        AUTO,
        "Training",
        'int or "auto"',
        'Optimiser steps at most; fewer only with `early_stopping`. A step sees one batch. "auto" means 2000 for up to '
        "8192 rows, and as many more as there are more rows, up to 10000; with Muon 1500 to 5000.",
    )
    optimizer: Any = parameter(
        AUTO,
        "Training",
        "str or callable",
        'An optimiser: "adam", "adamw", "sgd", "rmsprop", "muon", or a function of the learning rate that makes one of '
        'Optax. "auto" means Adam for up to 4096 rows, all of which are a batch by default, and Muon for more; always '
        "Adam with `features` of your own.",
    )

    @classmethod
    def as_in_paper(cls, **settings: Any) -> "LUNA":
        """Make LUNA as the paper prints it, whatever the defaults of this package are.

        The heads are pushed apart at all training inputs, on a network of two layers of 50 units with 20 heads.
        The paper searches λ, γ and the schedule for each data set (`LUNASearch` does), so they have middling values
        here. Use this for comparisons with the paper, and `LUNA()` for work.

        Parameters
        ----------
        **settings
            Parameters to set or change.

        Returns
        -------
        LUNA
            An unfitted model.

        Examples
        --------
        >>> model = LUNA.as_in_paper(lam=10.0)
        >>> model.where, model.hidden_layer_sizes, model.lam
        ('data', (50, 50), 10.0)
        """
        return cls(**{**AS_IN_PAPER, **settings})

    def predict_heads(self, X: Any) -> np.ndarray:
        """Values of the M auxiliary heads at the rows of X, shape (M, rows) or (M, rows, p): for pictures."""
        X = self._validate_predict(X)
        values = np.einsum("mpk,nk->mnp", self.heads_, self._design(self.x_scale_.apply(X)))
        return self._shaped(self.y_scale_.undo(values))

    def _prepare(self, X: Any, y: Any, sample_weight: Any = None) -> Prepared:
        self.gamma_ = self._gammas()[0]
        data = super()._prepare(X, y, sample_weight)
        if len(self._gammas()) > 1 and not self._says("sigma2", LEFT_OUT) and len(data.Z) >= LEAST_ROWS:
            self._by_left_out(data, data.sigma2)
        return data

    def _optimizer(self, n: int) -> Any:
        if self.optimizer != AUTO:
            return self.optimizer
        return "muon" if n > AUTO_ROWS and self.features is None else "adam"

    def _steps_between(self, n: int) -> tuple[int, int]:
        return (1500, 5000) if self._optimizer(n) == "muon" else super()._steps_between(n)

    def _gammas(self) -> list[float]:
        return _GAMMAS if self._says("gamma", LEFT_OUT) else super()._gammas()

    def _by_left_out(self, data: Prepared, sigma2: Float[np.ndarray, " p"] | None = None) -> Settled:
        settled = super()._by_left_out(data, sigma2)
        self.gamma_ = settled.gamma
        return settled

    def _objective(self, X: np.ndarray, alpha: np.ndarray | None, sigma2: np.ndarray) -> AbstractObjective:
        return luna_objective(
            sigma2=sigma2,
            gamma=np.float64(self.gamma_),
            lam=np.float64(check_positive("lam", self.lam, zero=True)),
            epsilon=np.float64(check_positive("epsilon", self.epsilon)),
            spread=column_mean_and_std(X)[1],
            n_heads=check_count("n_heads", self.n_heads, least=2),
            where=self._places(len(X)),
            schedule=self.schedule,
            similarity=self.similarity,
            gradient=self.gradient,
            penalty=self.penalty,
            n_directions=None if self.n_directions is None else check_count("n_directions", self.n_directions),
        )

    def _places(self, n: int) -> dict[str, AbstractPlaces]:
        """The places where the heads must differ, by the name of their term."""
        several = isinstance(self.where, tuple | list)
        if several and not 0 < len(set(self.where)) == len(self.where):
            raise ValueError(f"`where` must name one place or several different ones; got {self.where!r}.")
        places = {}
        for i, where in enumerate(self.where if several else [self.where]):
            anywhere = 0 if where == "data" else bucket(n)
            n_points = anywhere if self.n_points is None else check_count("n_points", self.n_points)
            name = f"diversity_{where if isinstance(where, str) else i}" if several else "diversity"
            places[name] = make_places(where, n_points)
        return places

    def _after_step_one(self, start: Start) -> None:
        self.heads_ = np.asarray(start.params.W, dtype=np.float64)
        terms = [name for name in start.history if str(name).startswith("diversity")]
        upto = cosine_of(start.history[terms].to_numpy()[: start.stopped], self.penalty)
        self.diversity_ = float(np.mean(upto[-100:]))

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """The heads too."""
        arrays, values = super().get_state()
        return {**arrays, "heads": self.heads_}, {**values, "diversity": self.diversity_, "gamma": self.gamma_}

    def set_state(self, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> None:
        """The heads too."""
        super().set_state(arrays, values)
        saved = SavedState(arrays, values, p=len(self.y_scale_.center), k=len(self.layer_.statistics.G))
        self.heads_, self.diversity_ = saved.array("heads", "M p k"), float(saved.value("diversity", float))
        given = self.gamma if isinstance(self.gamma, float | int) else 1.0
        self.gamma_ = float(saved.value("gamma", float, float(given)))  # older files have the parameter alone
