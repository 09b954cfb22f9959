"""What all regressors that train a network share: data, scales, noise and how to train."""

import abc
import contextlib
import functools
import itertools
import os
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

import equinox as eqx
import jax
import numpy as np
import optax
from jaxtyping import Float
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_X_y

from unabases.features import MLP, AdditiveMLP, activation_function, count_features
from unabases.features.mlp import check_widths
from unabases.objectives.una import Heads, init_heads
from unabases.regressors.networks.step_one import Plan, Prepared, residual_variance
from unabases.regressors.shared.base import AbstractRegressor, check_count, check_positive, output_variances
from unabases.regressors.shared.parameters import estimator, parameter
from unabases.regressors.shared.rows import Rows, as_pandas, as_targets, without_none
from unabases.regressors.shared.saved_state import StateError
from unabases.regressors.shared.scaling import fit_scales, refuse_extreme
from unabases.regressors.shared.weights import WeightedRows, present_rows
from unabases.training import AUTO, Recipe, refuse_fork, refuse_no_device
from unabases.training.muon import muon

NOISE_OR_EVIDENCE = parameter(
    "residual",
    "Noise and prior",
    'float, array, "residual" or "evidence"',
    'Noise variance in squared units of y: a number, one for each output, "residual" to estimate it from the errors of '
    'a few small fits on rows that they did not see, or "evidence" for the value that maximises the marginal '
    "likelihood, which is often too small since the features have seen the data.",
)
_BYTES = 16  # of each weight while it trains: itself, its gradient, and two moments of the optimiser
_FEW_ROWS = 8192  # up to which `max_steps="auto"` takes no more steps
_LARGE = 5000  # whole numbers from here on are named if a fit runs out of memory
LEFT_OUT = "left-out"
"""The word for what is chosen by rows that copies of a model leave out."""
OPTIMIZERS = {"adam": optax.adam, "sgd": optax.sgd, "adamw": optax.adamw, "rmsprop": optax.rmsprop, "muon": muon}


Network = TypeVar("Network", bound="AbstractNetwork")


class _MakeMLP(NamedTuple):
    """Makes an untrained network; equal ones make equal shapes."""

    widths: tuple[int, ...]
    activation: Any
    parts: tuple[int, ...] | None = None
    """For each input, which part of a sum it belongs to; None for a network in which all inputs interact."""

    def __call__(self, d: int, *, key: Any) -> MLP | AdditiveMLP:
        if self.parts is None:
            return MLP(d, self.widths, self.activation, key=key)
        return AdditiveMLP(self.parts, self.widths, self.activation, key=key)


@functools.lru_cache(maxsize=64)
def _shapes(make: Callable[..., Any], d: int) -> Any:
    """The feature map of d inputs that `make` makes, with a shape for each array."""
    return eqx.filter_eval_shape(lambda: make(d, key=None))


@functools.lru_cache(maxsize=64)
def _network_shapes(make: Callable[..., Any], d: int, p: int) -> Heads:
    """The same with one head of p outputs."""
    return _with_head(_shapes(make, d), d, p)


def _with_head(phi: Any, d: int, p: int) -> Heads:
    return eqx.filter_eval_shape(init_heads, phi, _n_features(phi, d), p, key=None)


def _n_features(phi: Any, d: int) -> int:
    """How many features a map of d inputs makes, as it says itself where it can."""
    return getattr(phi, "n_features", None) or count_features(phi, d)


@estimator
class AbstractNetwork(AbstractRegressor):
    """Validation, standardisation and the noise variance, before a subclass learns in standardised units.

    A subclass lists its parameters and supplies `_learn`; `_noise_by_evidence` says whether `sigma2="evidence"`
    means something to it.
    """

    hidden_layer_sizes: Any = parameter(
        (50, 50),
        "Model",
        "tuple of int",
        "Units of each hidden layer. The last number is how many features the network learns.",
    )
    activation: Any = parameter(
        "relu",
        "Model",
        "str or callable",
        'Activation of the hidden units: "relu", "tanh", "gelu", "silu", "softplus", "sine", or a function.',
    )
    features: Any = parameter(
        None,
        "Model",
        "callable or None",
        "A function `(d, *, key)` that makes your own feature map for d inputs, instead of the network of "
        "`hidden_layer_sizes`.",
    )
    sigma2: Any = parameter(
        "residual",
        "Noise and prior",
        'float, array or "residual"',
        'Noise variance in squared units of y: a number, one for each output, or "residual" to estimate it from the '
        "errors of a few small fits on rows that they did not see.",
    )
    max_steps: Any = parameter(
        AUTO,
        "Training",
        'int or "auto"',
        'Optimiser steps at most; fewer only with `early_stopping`. A step sees one batch. "auto" means 2000 for up to '
        "8192 rows, and as many more as there are more rows, up to 10000.",
    )
    learning_rate: Any = parameter(1e-2, "Training", "float", "Step size of the optimiser at the start.")
    decay: Any = parameter(
        "cosine", "Training", "str", 'How the learning rate falls: "constant", "linear" or "cosine".'
    )
    batch_size: Any = parameter(
        AUTO,
        "Training",
        'int, "auto" or None',
        'Rows in each step, drawn anew every epoch. None for all rows. "auto" means all of up to 4096 rows, and 512 of '
        "more.",
    )
    optimizer: Any = parameter(
        "adam",
        "Training",
        "str or callable",
        'An optimiser: "adam", "adamw", "sgd", "rmsprop", "muon", or a function of the learning rate that makes one of '
        "Optax.",
    )
    early_stopping: Any = parameter(
        False,
        "Training",
        "bool",
        "If True, hold some rows out and stop when their likelihood no longer improves; the best weights are kept. The "
        "column `validation` of `history_` has their loss, every 100 steps.",
    )
    validation_fraction: Any = parameter(0.1, "Training", "float", "Share of the rows that early stopping holds out.")
    patience: Any = parameter(
        10,
        "Training",
        "int",
        "Looks at the held-out rows, one every 100 steps, without improvement before early stopping ends the training: "
        "10 are 1000 steps.",
    )

    callback: Any = parameter(
        None,
        "Training",
        "callable or None",
        "A function `(step, losses)` that is called every 100 steps with the steps so far and a dictionary of losses, "
        "to log them or to stop by raising an error. Of networks trained together it hears the mean of some.",
    )

    _noise_by_evidence = False
    _noise_from_residuals = False

    @property
    def n_iter_(self) -> int:
        """How many optimiser steps were taken: `max_steps`, or fewer with `early_stopping`."""
        return len(self.history_)

    @abc.abstractmethod
    def _learn(self, data: Prepared) -> None:
        """Learn from standardised rows and targets, whose noise variance is known by now."""

    def fit(self: Network, X: Any, y: Any, sample_weight: Any = None) -> Network:
        """Learn from data.

        Parameters
        ----------
        X
            Rows of shape (n, d): an array, or a table with columns of numbers, categories, text and dates. Values may
            be missing.
        y
            Targets of shape (n,), or (n, p) for p outputs.
        sample_weight
            How often each row counts, shape (n,): 2 is the row twice, 0 is no row. None for once each.
        """
        with memory_named(self):
            self._learn(self._prepare(X, y, sample_weight))
            self._learn_missing_noise()
        return self

    def _rows(self, X: Any) -> Rows:
        refuse_fork()
        refuse_no_device()
        return super()._rows(X)

    def _prepare(self, X: Any, y: Any, sample_weight: Any = None) -> Prepared:
        """What `_learn` is given: checked and standardised data, the noise, the plan and the random numbers."""
        refuse_fork()
        refuse_no_device()
        return self._standardised(self._validate_fit(X, y, sample_weight))

    def _standardised(self, rows: WeightedRows) -> Prepared:
        """The same for checked rows in the user's units."""
        X, y, weight = rows
        rng = self._generator()
        self.x_scale_, self.y_scale_ = fit_scales(X, y, self.standardize, weight)
        Z = self.x_scale_.apply(X)
        t = self._scale_targets(y, Z, weight)
        plan = self._plan(len(X))
        self._check_memory(y.shape[1])
        self._check_size(len(X))
        given = output_variances("sigma2", self.sigma2, y.shape[1], self._noise_words())
        self._noise_from_residuals = given is None and not self._by_evidence("sigma2")
        data = Prepared(Z, t, np.full(y.shape[1], np.nan), plan, rng, weight)
        sigma2 = self._noise_before_training(data) if given is None else given / self.y_scale_.spread**2
        return data._replace(sigma2=sigma2)

    def _scale_targets(
        self, y: Float[np.ndarray, "n p"], Z: Float[np.ndarray, "n d"], weight: Float[np.ndarray, " n"] | None
    ) -> Float[np.ndarray, "n p"]:
        """Training targets on the scale that is learned; a regressor may choose another here."""
        return self._bend(y)

    def _bend(self, y: Float[np.ndarray, "n p"]) -> Float[np.ndarray, "n p"]:
        """Targets in the user's units on the scale that is learned."""
        return self.y_scale_.apply(y)

    def _noise_before_training(self, data: Prepared) -> Float[np.ndarray, " p"]:
        """The noise variance in standardised units where the parameter is a word; all NaN if training finds it."""
        return residual_variance(data.Z, data.t, plan=data.plan, rng=data.rng, weight=data.weight)

    def _noise_again(self, rows: WeightedRows, used: Float[np.ndarray, " p"]) -> Float[np.ndarray, " p"] | None:
        """The noise variance that the parameters ask for on new rows, in standardised units; None for the evidence.

        Residuals need networks that have not seen their rows. Where `fit` took the noise from them, that stays in
        use; where the parameter was changed to it since, it is estimated from the new rows.
        """
        if self._by_evidence("sigma2"):
            return None
        Z, t, weight = rows
        given = output_variances("sigma2", self.sigma2, t.shape[1], self._noise_words())
        if given is not None:
            return given / self.y_scale_.spread**2
        if self._noise_from_residuals:
            return used
        self._noise_from_residuals = True
        return residual_variance(Z, t, plan=self._plan(len(Z)), rng=self._generator(), weight=weight)

    def _check_memory(self, p: int) -> None:
        """Refuse networks whose weights alone exceed the machine's memory, before the system ends the process."""
        if self.features is not None or not hasattr(os, "sysconf"):
            return
        widths = [self._width, *check_widths(self.hidden_layer_sizes)]
        weights = sum((below + 1) * above for below, above in itertools.pairwise(widths))
        weights += getattr(self, "n_heads", 1) * p * (widths[-1] + 1)
        networks = max(getattr(self, name, 1) for name in ("restarts", "n_members"))
        needed, most = _BYTES * networks * weights, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        if needed > most:
            raise MemoryError(
                f"{networks} network(s) of {weights} weights need {needed / 2**30:.1f} GiB to train, and this machine "
                f"has {most / 2**30:.1f}"
            )

    def _check_size(self, n: int) -> None:
        """Refuse what is too large, or makes no sense in a way of its own, before anything trains on n rows."""

    def _new_rows(self, X: Any, y: Any, sample_weight: Any = None) -> WeightedRows:
        """Further rows for a fitted model, checked and standardised as its first ones were; none of weight 0."""
        X, y, weight = present_rows(as_pandas(X), as_targets(y), sample_weight)
        rules: Any = {"dtype": np.float64, "y_numeric": True, "multi_output": True}
        X, y = check_X_y(self._rows(X).X, y, estimator=self, **rules)
        p = len(self.y_scale_.center)
        y = without_none(np.asarray(y, dtype=np.float64))
        if y.shape[1:] != (() if self.vector_output_ else (p,)):
            raise ValueError(
                f"`y` has shape {y.shape} but the model was fitted with {p} output(s); give it that shape."
            )
        refuse_extreme(np.maximum(np.abs(y.reshape(len(X), -1)), 1.0))  # small ones may be among larger ones
        Z = self.x_scale_.apply(X)
        if np.max(np.abs(Z)) > np.finfo(np.float32).max:  # as which networks see them
            raise ValueError(
                "some rows are too far from the rows of the fit to learn from them. Are their units the same?"
            )
        return WeightedRows(Z, self._bend(y.reshape(len(X), -1)), weight)

    def steps_for(self, n: int) -> int:
        """Optimiser steps that training on n rows takes at most."""
        if self.max_steps != AUTO:
            return check_count("max_steps", self.max_steps)
        fewest, most = self._steps_between(n)
        return int(np.clip(round(fewest * n / _FEW_ROWS, -2), fewest, most))

    def _plan(self, n: int) -> Plan:
        """How to make and train networks on n rows, from the parameters; refuses what makes no sense."""
        if not 0 < self.validation_fraction < 1:
            raise ValueError(f"`validation_fraction` must be between 0 and 1; got {self.validation_fraction!r}.")
        patience = check_count("patience", self.patience)
        recipe = Recipe(
            steps=self.steps_for(n),
            learning_rate=check_positive("learning_rate", self.learning_rate),
            decay=self.decay,
            batch_size=self._batch_size(n),
            patience=patience if self.early_stopping else None,
        )
        fraction = self.validation_fraction if self.early_stopping else None
        label = type(self).__name__ if self.verbose else None
        optimizer = find_optimizer(self._optimizer(n))
        return Plan(self._make_features(), recipe, optimizer, fraction, label, self.callback)

    def _steps_between(self, n: int) -> tuple[int, int]:
        """What `max_steps="auto"` means with few rows and with many."""
        return 2000, 10_000

    def _optimizer(self, n: int) -> Any:
        """The optimiser for n rows, by name or as a function."""
        return self.optimizer

    def _batch_size(self, n: int) -> int | str | None:
        size = self.batch_size
        if isinstance(size, str) and size != AUTO:
            raise ValueError(f'`batch_size` must be a number of rows, "auto" or None; got {size!r}.')
        return size if size is None or size == AUTO else check_count("batch_size", size)

    def _make_features(self) -> Callable[..., Any]:
        """Function of (d, key) that makes an untrained feature map."""
        if self.features is not None:
            return checked_features(self.features)
        activation_function(self.activation)
        return _MakeMLP(tuple(check_widths(self.hidden_layer_sizes)), self.activation)

    def _blank_network(self) -> Heads:
        """An untrained network of the shape that the parameters make: features and one head."""
        phi = self._make_features()(self._width, key=jax.random.key(0))
        k = count_features(phi, self._width)
        return init_heads(phi, k, len(self.y_scale_.center), key=jax.random.key(0))

    def _feature_shapes(self, make: Callable[..., Any] | None = None) -> Any:
        """The feature map that the parameters make with a shape for each array: it takes no memory, however large."""
        make = make or self._make_features()
        if self.features is not None:  # the user's own: it has to be made for its shapes to be known
            return make(self._width, key=jax.random.key(0))
        return _shapes(make, self._width)

    def _network_shapes(self) -> Heads:
        """The same for features with one head."""
        p = len(self.y_scale_.center)
        if self.features is not None:
            return _with_head(self._feature_shapes(), self._width, p)
        return _network_shapes(self._make_features(), self._width, p)

    def _n_features(self, phi: Any) -> int:
        """How many features a map makes, as it says itself where it can."""
        return _n_features(phi, self._width)

    def _noise_words(self) -> set[str]:
        return {"residual", "evidence"} if self._noise_by_evidence else {"residual"}

    def _generator(self) -> np.random.Generator:
        """A fresh generator from `random_state`."""
        return np.random.default_rng(check_random_state(self.random_state).randint(0, 2**31 - 1, size=4))

    def _by_evidence(self, name: str) -> bool:
        """Whether a parameter is left to the evidence."""
        return self._says(name, "evidence")

    def _says(self, name: str, word: str) -> bool:
        """Whether a parameter is this word."""
        value = getattr(self, name)
        return isinstance(value, str) and value == word

    def _per_output(self, values: np.ndarray) -> Any:
        """A number when y was a vector."""
        return float(values[0]) if self.vector_output_ else values


@contextlib.contextmanager
def memory_named(model: Any) -> Iterator[None]:
    """Say which parameters are large where a fit runs out of memory."""
    try:
        yield
    except (MemoryError, jax.errors.JaxRuntimeError) as error:
        if not isinstance(error, MemoryError) and "RESOURCE_EXHAUSTED" not in str(error):
            raise
        given = {name: value for name, value in model.get_params(deep=False).items() if _largest(value) >= _LARGE}
        said = ", ".join(f"{name}={value!r}" for name, value in given.items()) or "the size of the data"
        raise MemoryError(
            f"fitting this {type(model).__name__} takes more memory than there is ({error}). Large here: {said}."
        ) from error


def _largest(value: Any) -> int:
    """The largest whole number among a parameter's, 0 if there is none."""
    values = value if isinstance(value, tuple | list) else (value,)
    return max((int(one) for one in values if isinstance(one, int | np.integer)), default=0)


def gamma_parameter(default: float | None, text: str = "") -> Any:
    """The weight penalty γ."""
    said = "Weight penalty γ: γ times the squared weights counts against the log-likelihood of all rows. "
    return parameter(default, "Penalty", "float", text or said + "Larger means smoother functions.")


def restarts_parameter() -> Any:
    """The number of random starts."""
    text = "Random starts, trained together; the one with the lowest loss is kept."
    return parameter(1, "Training", "int", text)


def weight_variance_parameter(default: float) -> Any:
    """The prior variance of a network's weights."""
    text = "Prior variance of every bias and, divided by the inputs that its layer sums, of every weight (`by_fan_in`)."
    return parameter(default, "Noise and prior", "float", text)


def by_fan_in_parameter() -> Any:
    """Whether the prior knows how wide a layer is."""
    text = "If True, the prior variance of a layer's weights is divided by the number of inputs that the layer sums."
    return parameter(True, "Noise and prior", "bool", text)


def checked_features(features: Any) -> Callable[..., Any]:
    """A user's function that makes feature maps."""
    if not callable(features):
        raise ValueError(f"`features` must be a function (d, *, key) -> feature map, or None; got {features!r}.")
    return features


def find_optimizer(optimizer: Any) -> Any:
    """Look an optimiser up by name; a function of the learning rate is taken as it is."""
    if callable(optimizer):
        return optimizer
    if not isinstance(optimizer, str) or optimizer not in OPTIMIZERS:
        known = ", ".join(OPTIMIZERS)
        raise ValueError(
            f"unknown optimizer {optimizer!r}; known ones are {known}, or a function of the learning rate."
        )
    return OPTIMIZERS[optimizer]


def in_float64(network: Any) -> Any:
    """The same network with its floating-point arrays in float64."""
    return jax.tree.map(lambda leaf: np.asarray(leaf, np.float64) if eqx.is_inexact_array(leaf) else leaf, network)


def leaves_of(network: Any) -> list[Any]:
    """The arrays of a network, in a fixed order."""
    return jax.tree.leaves(eqx.filter(network, eqx.is_array))


def is_shape_or_array(leaf: Any) -> bool:
    """Whether a part of a network is an array, or stands for one."""
    return isinstance(leaf, jax.ShapeDtypeStruct) or eqx.is_array(leaf)


def refill(like: Any, leaves: list[np.ndarray]) -> Any:
    """`like` with its arrays, or what stands for them, replaced by finite ones of the same shapes and types."""
    arrays, rest = eqx.partition(like, is_shape_or_array)
    own, structure = jax.tree.flatten(arrays)
    if any(leaf.dtype.kind == "f" and not np.all(np.isfinite(leaf)) for leaf in leaves):
        raise StateError("the weights of the saved network have to be finite")
    float64 = all(leaf.dtype == np.float64 for leaf in leaves)  # what the marginal likelihood trains
    expected = [(leaf.shape, np.dtype(np.float64) if float64 else leaf.dtype) for leaf in own]
    if expected != [(leaf.shape, leaf.dtype) for leaf in leaves]:
        raise StateError(
            f"the saved network has arrays of shapes {[leaf.shape for leaf in leaves]} but the parameters make "
            f"{[leaf.shape for leaf in own]}; pass the `features` that the model was trained with."
        )
    return eqx.combine(jax.tree.unflatten(structure, leaves), rest)
