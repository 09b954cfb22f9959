"""What a saved model is made of, and what it predicts: one description, for NumPy and for ONNX."""

from typing import Any, NamedTuple

import numpy as np

from unabases.predictive.curve import Curve
from unabases.regressors.committee.repeats import Repeats
from unabases.regressors.shared.input_curve import InputCurve
from unabases.regressors.shared.missing_noise import MissingNoise
from unabases.runtime.formulas import (
    Columns,
    GapWidth,
    Member,
    Moments,
    Pattern,
    Shape,
    StretchTo,
    curved_moments,
    curved_quantile,
    widened,
)
from unabases.runtime.networks import Layers
from unabases.terms.views import View

__all__ = [
    "Committee",
    "Description",
    "Scale",
    "Stack",
    "in_units",
    "predict_base",
    "predict_moments",
    "quantile_of",
    "to_standard",
]


class Scale(NamedTuple):
    """Column-wise (x − center) / spread."""

    center: np.ndarray
    spread: np.ndarray


class Committee(NamedTuple):
    """Members with exact last layers; a single neural linear model is a committee of one."""

    members: list[Member]
    drawn: bool
    """Whether the members' functions were drawn, so that their distances from the mean are counted."""
    kernel_variance: np.ndarray
    sigma2: np.ndarray
    """Noise variance of a single member."""
    factor: np.ndarray
    """On the epistemic variance far from the data."""

    def moments(self, Z: Any, output: int) -> tuple[Any, Any]:
        """Mean and epistemic std of an output, standardised."""
        means, apart, wide = [], [], []
        for member in self.members:
            learned, smooth, lacking = member.phi(Z.astype(np.float32)).astype(np.float64), None, 0.0
            if member.kernel is not None:
                smooth, lacking = member.kernel(Z)
            means.append(member.means[output](learned, smooth))
            root = member.roots[output](learned, smooth)
            if self.drawn:
                apart.append(root)
                continue
            variance = np.sum(root * root, axis=1, keepdims=True) + self.kernel_variance[output] * lacking
            wide.append(widened(variance, self.sigma2[output], self.factor[output]))
        together = np.concatenate(means, axis=1)
        mean = np.mean(together, axis=1, keepdims=True)
        away = (np.concatenate(apart, axis=1) if self.drawn else together) - mean
        variance = np.mean(away * away, axis=1, keepdims=True)
        return mean, np.sqrt(variance + sum(wide) / len(wide) if wide else variance)


class Stack(NamedTuple):
    """Whole networks side by side, whose values are a mixture."""

    phi: Layers
    weights: np.ndarray
    """(networks, features, outputs)."""
    biases: np.ndarray
    """(networks, 1, outputs)."""

    def values(self, Z: Any, output: int) -> Any:
        """Of every network for an output, standardised: (networks, n, 1)."""
        features = self.phi(Z.astype(np.float32)).astype(np.float64)
        return features @ self.weights[:, :, output, None] + self.biases[:, :, output, None]

    def moments(self, Z: Any, output: int) -> tuple[Any, Any]:
        """Mean and epistemic std of an output, standardised."""
        values = self.values(Z, output)
        mean = np.mean(values, axis=0)
        apart = values - mean
        return mean, np.sqrt(np.mean(apart * apart, axis=0))


class Description(NamedTuple):
    """Everything that a prediction needs of a saved model."""

    regressor: str
    inputs: tuple[str, ...]
    """What each number of a row is."""
    target: str | None
    vector_output: bool
    columns: Columns | None
    """How missing values are filled in; None if there may be none."""
    view: View | None
    bent: InputCurve | None
    """Which inputs are seen on a logarithm."""
    x: Scale
    y: Scale
    core: Committee | Stack
    noise: np.ndarray
    """Noise variance of each output, standardised."""
    pattern: Pattern | None
    df: np.ndarray | None
    """Degrees of freedom of each output's tails, where all is noise."""
    far: np.ndarray | None
    """The same where all is epistemic."""
    curve: Curve | None
    missing: MissingNoise | None
    """What missing values add to the noise."""
    gap: GapWidth | None
    stretch: StretchTo | None = None
    repeats: Repeats | None = None
    """What rows with the same inputs have of their own."""


class Base(NamedTuple):
    """What is said of one output before `Conformal`: in the units of y, or on the curved scale if there is one."""

    moments: Moments
    shape: Shape

    def scaled(self, wider: Any, louder: Any) -> "Base":
        """The same with its stds multiplied."""
        mean, epistemic, noise = self.moments
        return self._replace(moments=Moments(mean, epistemic * wider, noise * louder))


class Standard(NamedTuple):
    """Rows in the model's units."""

    Z: Any
    absent: Any
    """1 for every column that lacks its value; None if none may."""


def to_standard(model: Description, X: Any) -> Standard:
    """Rows as the model sees them, standardised."""
    absent = None
    if model.columns is not None:
        X, absent = model.columns.read(X)
    if model.view is not None:
        X = _seen(model.view, X)
    if model.bent is not None:
        X = model.bent(X)
    return Standard((X - model.x.center) / model.x.spread, absent)


def predict_base(model: Description, X: Any) -> list[Base]:
    """What is said of each output."""
    Z, absent = to_standard(model, X)
    louder = 1.0 if model.pattern is None else model.pattern(Z)
    said = []
    for j in range(len(model.y.center)):
        mean, std = model.core.moments(Z, j)
        # The mean lends its shape: a row for each row, also in a graph, where the number of rows is not known yet.
        noise = 0.0 * mean + float(model.noise[j]) * louder
        said.append((mean, std, noise, _shape(model, std * std, noise, j)))
    if model.repeats is not None:
        said = _recalled(model.repeats, Z, said)
    found, scales = [], zip(model.y.center.tolist(), model.y.spread.tolist(), strict=True)
    for j, ((mean, std, noise, shape), (center, spread)) in enumerate(zip(said, scales, strict=True)):
        base = Base(Moments(mean * spread + center, std * spread, np.sqrt(noise) * spread), shape)
        found.append(_adjusted(model, base, absent, j))
    return found


def _recalled(repeats: Repeats, Z: np.ndarray, said: list[Any]) -> list[Any]:
    """Mean, epistemic std, noise variance and shape of each output, where rows are remembered."""
    mean, std, noise = (np.hstack(part) for part in list(zip(*said, strict=True))[:3])
    now = repeats.recall(Z, mean, std**2, noise)
    found = []
    for j, (_, _, _, shape) in enumerate(said):
        part, own = slice(j, j + 1), now.df[:, j : j + 1]
        rows = np.where(np.isnan(own), shape.each(len(Z)), own)
        found.append((now.mean[:, part], np.sqrt(now.variance[:, part]), now.noise[:, part], Shape(rows=rows)))
    return found


def predict_moments(model: Description, X: Any) -> list[Moments]:
    """Moments of each output in the units of y."""
    return in_units(model, predict_base(model, X))


def in_units(model: Description, found: list[Base]) -> list[Moments]:
    """What `predict_base` found as moments of each output in the units of y."""
    if model.stretch is None:
        return [_in_units(model, base, j) for j, base in enumerate(found)]
    wider = np.sqrt(model.stretch.noise).tolist()
    stretched = [base.scaled(by, by) for base, by in zip(found, wider, strict=True)]
    return [_in_units(model, base, j, model.stretch) for j, base in enumerate(stretched)]


def quantile_of(model: Description, found: list[Base], q: float) -> list[Any]:
    """The quantile of each output in the units of y, of what `predict_base` found of a committee."""
    return [curved_quantile(base, q, model.curve, j, shape, model.stretch) for j, (base, shape) in enumerate(found)]


def _shape(model: Description, epistemic: Any, noise: Any, output: int) -> Shape:
    """The tails of an output, which may depend on how much of its variance is epistemic, and how much is noise."""
    if model.df is None or model.far is None:
        return Shape()
    df, far = float(model.df[output]), float(model.far[output])
    if np.array_equal(model.df, model.far):
        return Shape(df)
    return Shape(df, far, epistemic / (epistemic + noise))


def _adjusted(model: Description, base: Base, absent: Any, output: int) -> Base:
    """The same with the noise of missing values, and the width that `GapCalibrated` found."""
    if model.missing is not None and absent is not None:
        noise = base.moments.noise_std
        more = absent @ model.missing.extra[:, output, None]
        base = base.scaled(1.0, np.sqrt(float(model.missing.share[output]) * (noise * noise) + more) / noise)
    if model.gap is not None:
        base = base.scaled(*model.gap.factors(_in_units(model, base, output).epistemic_std, output))
    return base


def _in_units(model: Description, base: Base, output: int, stretch: StretchTo | None = None) -> Moments:
    return (
        base.moments if model.curve is None else curved_moments(base.moments, model.curve, output, base.shape, stretch)
    )


def _seen(view: View, X: Any) -> Any:
    """What a view shows of rows, by steps that a graph can record."""
    parts = [X[:, [place]] for place in range(max(_places(view)) + 1)]
    for group in view.swapped:
        ordered = np.sort(np.concatenate([parts[place] for place in group], axis=1), axis=1)
        for i, place in enumerate(group):
            parts[place] = ordered[:, [i]]
    angles = [2 * np.pi / period * parts[place] for place, period in view.waves]
    shown = [parts[place] for place in view.kept]
    return np.concatenate([*shown, *(wave(angle) for angle in angles for wave in (np.cos, np.sin))], axis=1)


def _places(view: View) -> list[int]:
    return [*view.kept, *(place for place, _ in view.waves), *(place for group in view.swapped for place in group)]
