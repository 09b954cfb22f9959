"""A network whose noise may vary or have outliers, and whose targets may be skewed: how its predictions are shaped."""

from collections.abc import Callable
from typing import Any

import numpy as np
from jaxtyping import Float

from unabases.predictive import AbstractPredictive, StudentT, Transformed
from unabases.predictive.checks import refuse_infinite
from unabases.predictive.curve import Curve
from unabases.regressors.committee.heavy_tails import TAILS, Tails, normal_tails
from unabases.regressors.committee.input_scale import INPUTS, Seen, choose_scales
from unabases.regressors.committee.repeat_noise import REPEATS
from unabases.regressors.committee.repeats import Repeats
from unabases.regressors.committee.saved_curve import read_curve
from unabases.regressors.committee.target_curve import TARGETS
from unabases.regressors.committee.varying_noise import NoisePattern, loudness
from unabases.regressors.knowledge.told_network import AbstractKnowing
from unabases.regressors.networks.network import Prepared
from unabases.regressors.shared.input_curve import InputCurve
from unabases.regressors.shared.parameters import estimator, parameter
from unabases.regressors.shared.saved_state import SavedState, StateError
from unabases.regressors.shared.scaling import fit_scale
from unabases.regressors.shared.weights import WeightedRows, weighted_mean

_LEAST_GAIN = 0.02  # nats a row that logarithms of inputs have to gain
_NOISES = ("auto", "constant", "varying")


class _Noise:
    """Attributes that `fit` sets; apart, since fields of an estimator are parameters."""

    noise_pattern_: NoisePattern | None
    tails_: Tails | None
    repeats_: Repeats | None
    curve_: Curve | None = None
    input_curve_: InputCurve | None = None
    _left_out_score: float
    """Mean log density of rows left out at random, on the scale that is learned."""
    steepness_: Float[np.ndarray, " p"]
    """Mean squared slope of the way back from the curve, at the training targets."""


@estimator
class AbstractSkewed(_Noise, AbstractKnowing):
    """What noise does around the function: where it is louder, how heavy its tails are, and on which scale of y."""

    noise: Any = parameter(
        "auto",
        "Noise and prior",
        '{"auto", "constant", "varying"}',
        "Whether the noise is the same everywhere or varies with the inputs. By default it varies if that predicts "
        "left-out rows clearly better, and `sigma2` is not given.",
    )
    tails: Any = parameter(
        "auto",
        "Noise and prior",
        '{"auto", "normal"}',
        "Whether predictions may have heavier tails than a normal distribution, so that a few outliers do not widen "
        "all intervals; those of regions without data may be heavier still. By default they have if that predicts "
        "left-out rows better or rows are few, and `sigma2` is not given.",
    )
    repeats: Any = parameter(
        "auto",
        "Noise and prior",
        '{"auto", "ignore"}',
        "Whether rows with exactly the inputs of training rows are predicted by what these had of their own as well, "
        "such as copies. By default they are if that predicts left-out rows clearly better, and neither `sigma2` nor "
        "`terms` are given. Predictions of other rows are the same.",
    )
    target: Any = parameter(
        "auto",
        "Noise and prior",
        '{"auto", "identity", "log", "yeo-johnson"}',
        "The scale on which targets are learned. Predictions are in your units whatever it is; on a curved scale they "
        "are skewed, and their noise grows or shrinks with y. By default it is straight unless a curve clearly gains, "
        "and neither `sigma2` nor `terms` are given.",
    )

    inputs: Any = parameter(
        "auto",
        "Model",
        '{"auto", "identity"}',
        "The scale on which inputs are seen. By default columns such as sizes and prices are seen on a logarithm "
        "if left-out rows are then better predicted, and `terms`, `features` and `standardize` are not given. Where "
        "that is promising, a second model is trained, and the better one is kept.",
    )

    fitted_attributes = {  # noqa: RUF012  (texts, never changed)
        "noise_pattern_": (
            "NoisePattern or None",
            "How the noise variance varies with the inputs, relative to `sigma2_`; None if it is constant.",
        ),
        "tails_": (
            "Tails or None",
            "Degrees of freedom of the Student t distribution of predictions, where all is noise and where the "
            "function is unknown, and the factor on the noise variance that goes with them, one for each output; "
            "None if they are normal.",
        ),
        "repeats_": (
            "Repeats or None",
            "What rows with the same inputs have of their own beyond the function, and the share of the noise that is "
            "left between them; None if they agree no better than the function explains.",
        ),
        "curve_": ("Curve or None", "The curved scale that targets are learned on; None if it is straight."),
        "input_curve_": ("InputCurve or None", "Which inputs are seen on a logarithm; None if none are."),
    }

    def _validate_fit(self, X: Any, y: Any, sample_weight: Any = None) -> WeightedRows:
        for name in ("input_curve_", "curve_", "_otherwise"):
            vars(self).pop(name, None)
        words = {"noise": _NOISES, "tails": TAILS, "repeats": REPEATS, "target": TARGETS, "inputs": INPUTS}
        for name, known in words.items():
            if getattr(self, name) not in known:
                raise ValueError(f"`{name}` must be one of {', '.join(map(repr, known))}; got {getattr(self, name)!r}.")
        rows = super()._validate_fit(X, y, sample_weight)
        straight = self._needs_straight_targets()
        if straight and self.target not in ("auto", "identity"):
            raise ValueError(f'{straight}, so targets cannot be learned with `target={self.target!r}`; use "identity".')
        plain = bool(self.terms) or self.features is not None or self.standardize is not True
        chosen = choose_scales(
            rows, "identity" if plain else self.inputs, "identity" if straight else self.target, self.standardize
        )
        self.curve_ = chosen.target
        if chosen.otherwise is not None:
            self._otherwise = rows, chosen.otherwise
        return rows

    def _try_otherwise(self, learn: Callable[[Prepared], None]) -> None:
        """Learn again from logarithms of inputs, if they are promising, and keep what predicts left-out rows better."""
        found: tuple[WeightedRows, Seen] | None = vars(self).pop("_otherwise", None)
        if found is None:
            return
        rows, seen = found
        before, score = dict(vars(self)), self._score_in_units(rows)
        self.input_curve_, self.curve_ = seen
        learn(self._standardised(rows._replace(X=seen.inputs(rows.X))))
        if not self._score_in_units(rows) > score + _LEAST_GAIN:
            vars(self).clear()
            vars(self).update(before)

    def _score_in_units(self, rows: WeightedRows) -> float:
        """Mean log density of left-out rows, in the units of y."""
        if self.curve_ is None:
            return self._left_out_score
        return self._left_out_score + float(weighted_mean(self.curve_.log_slope(rows.y).sum(axis=1), rows.weight))

    def _shown(self, X: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n shown"]:
        X = super()._shown(X)
        return X if self.input_curve_ is None else self.input_curve_(X)

    def _scale_targets(
        self, y: Float[np.ndarray, "n p"], Z: Float[np.ndarray, "n d"], weight: Float[np.ndarray, " n"] | None
    ) -> Float[np.ndarray, "n p"]:
        if self.curve_ is not None:
            self.y_scale_ = fit_scale(self.curve_.bend(y), bool(self.standardize), weight)
            self.steepness_ = weighted_mean(np.exp(-2 * self.curve_.log_slope(y)), weight)
        return self._bend(y)

    def _needs_straight_targets(self) -> str:
        """Why targets must be learned in the units of y; empty if they need not."""
        if not isinstance(self.sigma2, str):
            return "`sigma2` is given, and on a curved scale the noise has no one variance in the units of y"
        return "`terms` are statements in the units of y" if self.terms else ""

    def _bend(self, y: Float[np.ndarray, "n p"]) -> Float[np.ndarray, "n p"]:
        """Targets in the user's units on the scale that is learned."""
        return self.y_scale_.apply(y if self.curve_ is None else self.curve_.bend(y))

    def _louder(self, Z: Float[np.ndarray, "n d"]) -> Float[np.ndarray, " n"]:
        """Noise variance of each row, relative to the average."""
        return loudness(self.noise_pattern_, Z)

    def _shape(
        self,
        mean: Float[np.ndarray, "n p"],
        std: Float[np.ndarray, "n p"],
        sigma2: Float[np.ndarray, "n p"],
        root: Float[np.ndarray, "p n k"] | None = None,
        df: Float[np.ndarray, "n p"] | None = None,
    ) -> AbstractPredictive:
        """A prediction in the user's units: normal, unless tails are heavy or the scale is curved.

        Degrees of freedom that are given count where they are numbers.
        """
        normal = self._as_normal(mean, std, sigma2, root)
        tails = self.tails_ if df is None or self.tails_ is not None else normal_tails(mean.shape[1])
        if tails is not None:
            usual = tails.df if tails.alike else tails.at(std**2, sigma2)
            df = usual if df is None else np.where(np.isnan(df), usual, df)
            df = df[..., 0] if self.vector_output_ else df
            normal = StudentT(normal.mean, normal.epistemic_std, normal.noise_std, df, normal.root)
        if self.curve_ is None:
            return normal
        skewed = Transformed(normal, self.curve_)
        refuse_infinite(*skewed.ends)
        return skewed

    def _noise_arrays(self) -> dict[str, np.ndarray]:
        """All that was learned of the noise, to be saved."""
        parts = {"tails": self.tails_, "curve": self.curve_, "pattern": self.noise_pattern_, "repeats": self.repeats_}
        known = {name: part._asdict() for name, part in parts.items() if part is not None}
        arrays = {f"{name}.{field}": np.asarray(array) for name, part in known.items() for field, array in part.items()}
        arrays |= {} if self.input_curve_ is None else self.input_curve_.arrays()
        return arrays if self.curve_ is None else arrays | {"steepness": self.steepness_}

    def _read_noise(self, saved: SavedState) -> None:
        """Put back what `_noise_arrays` named."""
        self.noise_pattern_ = NoisePattern.from_arrays(saved.finite_arrays("pattern."))
        if not np.all(self._louder(np.zeros((1, self._width))) > 0):
            raise StateError("the pattern of the noise has to be positive")
        self.tails_ = Tails.read(saved.below("tails."))
        self.repeats_ = Repeats.read(saved.below("repeats."))
        self.input_curve_ = InputCurve.read(saved)
        self.curve_ = read_curve(saved.below("curve."))
        if self.curve_ is not None:
            self.steepness_ = saved.array("steepness", "p", "positive")
