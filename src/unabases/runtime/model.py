"""A saved model that predicts with NumPy alone."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from unabases.predictive import AbstractPredictive, Mixture, Normal, StudentT, Transformed
from unabases.predictive.checks import refuse_infinite
from unabases.predictive.stretched import stretch
from unabases.runtime.description import Base, Description, Stack, predict_base, to_standard
from unabases.runtime.reading import UnsupportedModelError, describe
from unabases.saving.container import ModelFileError, read_bytes, unpack

__all__ = ["RuntimeModel", "load"]

_ROWS = 4096  # of a block
_VALUES = 2**23  # of hidden units of all networks together that are held at once
_NOT_UNDERSTOOD = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)


class RuntimeModel:
    """A saved model that predicts without JAX, scikit-learn or pandas.

    It predicts what the model that was saved predicts, to about six digits. It cannot learn: for that, use
    `unabases.load`. Make one with `unabases.runtime.load`.

    Attributes
    ----------
    inputs : tuple of str
        What the numbers of a row are, in their order. For a model of a table with categories these are the numbers that
        its columns become, such as `heating=gas`, which is 1 if the heating is gas and 0 if not.
    regressor : str
        The class of the regressor.
    target : str or None
        The column that the model of a table predicts.

    See Also
    --------
    unabases.to_onnx : The same for ONNX Runtime and other languages.
    """

    def __init__(self, description: Description):
        self._description = description
        self.inputs, self.regressor, self.target = description.inputs, description.regressor, description.target

    def __repr__(self) -> str:
        return f"RuntimeModel({self.regressor} of {len(self.inputs)} inputs)"

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Mean of y at each row, with its standard deviation, noise included, on demand.

        Parameters
        ----------
        X : array of shape (n, d), or table
            Rows of the numbers that `inputs` names, in that order; a table of pandas or Polars may have its columns in
            any order. A missing value is NaN, if the model has learned what that means.
        return_std : bool
            Whether to return the standard deviation too.
        """
        d = self.predict_dist(X)
        return (d.mean, d.std) if return_std else d.mean

    def predict_dist(self, X: Any) -> AbstractPredictive:
        """Distribution of y at each row, in y's units: mean, epistemic and noise std, intervals, densities.

        Parameters
        ----------
        X : array of shape (n, d), or table
            Rows of the numbers that `inputs` names, in that order; a table of pandas or Polars may have its columns in
            any order. A missing value is NaN, if the model has learned what that means.
        """
        model, X, size = self._description, self._checked(X), self._rows_at_once()
        with np.errstate(over="ignore", invalid="ignore"):  # which the check below sees
            blocks = [predict_base(model, X[i : i + size]) for i in range(0, max(len(X), 1), size)]
        rows: list[Any] = [
            [np.hstack(parts) for parts in zip(*(base.moments for base in block), strict=True)] for block in blocks
        ]
        mean, epistemic, noise = (np.concatenate(parts) for parts in zip(*rows, strict=True))
        refuse_infinite(mean, epistemic, noise)
        if isinstance(model.core, Stack):
            return self._stretched(self._mixture(model.core, X, epistemic, noise))
        mean, epistemic, noise = map(self._shaped, (mean, epistemic, noise))
        df = self._degrees(blocks)
        heavy = df is not None
        base = StudentT(mean, epistemic, noise, self._shaped(df)) if heavy else Normal(mean, epistemic, noise)
        if model.curve is None:
            return self._stretched(base)
        skewed = Transformed(base, model.curve)
        refuse_infinite(*skewed.ends)
        return self._stretched(skewed)

    def _degrees(self, blocks: list[list[Base]]) -> np.ndarray | None:
        """Degrees of freedom of each output, or of each element if they differ from row to row."""
        first = blocks[0][0].shape
        if first.share is None and first.rows is None:
            return self._description.df
        return np.concatenate([np.hstack([shape.each(len(said.mean)) for said, shape in block]) for block in blocks])

    def _stretched(self, prediction: AbstractPredictive) -> AbstractPredictive:
        """The same with the intervals that `Conformal` found."""
        to = self._description.stretch
        if to is None:
            return prediction
        return stretch(prediction, to.levels, to.after[:, 0] if self._description.vector_output else to.after)

    def _mixture(self, stack: Stack, X: np.ndarray, epistemic: np.ndarray, noise: np.ndarray) -> Mixture:
        """The functions themselves, as wide apart as the moments say."""
        y, size, blocks = self._description.y, self._rows_at_once(), []
        for i in range(0, max(len(X), 1), size):
            Z = to_standard(self._description, X[i : i + size]).Z
            blocks.append(np.concatenate([stack.values(Z, j) for j in range(len(y.center))], axis=2))
        functions = Mixture(self._shaped(np.concatenate(blocks, axis=1) * y.spread + y.center), self._shaped(noise))
        if self._description.gap is None:
            return functions
        own = np.where(functions.epistemic_std == 0, 1.0, functions.epistemic_std)
        return functions.scaled(epistemic=(self._shaped(epistemic) / own) ** 2)

    def _rows_at_once(self) -> int:
        """How many rows to take together, so that memory stays bounded for any number."""
        core = self._description.core
        if not isinstance(core, Stack):
            return _ROWS
        networks = len(core.weights if core.phi.masks is None else core.phi.masks[0])
        widest = max(W.shape[-1] for W in core.phi.weights)
        return max(1, min(_ROWS, _VALUES // (networks * widest)))

    def _checked(self, X: Any) -> np.ndarray:
        X = _numbers(self._in_order(X))
        if X.ndim != 2 or X.shape[1] != len(self.inputs):
            raise ValueError(
                f"`X` has shape {X.shape}, but this model takes rows of {len(self.inputs)} numbers: "
                f"{_some(self.inputs)}."
            )
        if np.any(np.isinf(X)) or (self._description.columns is None and np.any(np.isnan(X))):
            kind = "infinite values" if np.any(np.isinf(X)) else "missing values (NaN), which this model did not learn"
            raise ValueError(f"`X` has {kind}; fill them in.")
        return X

    def _in_order(self, X: Any) -> Any:
        """The columns of a table of pandas or Polars by their names, as `inputs` has them; else as it is."""
        names = getattr(X, "columns", None)
        if names is None or not all(isinstance(name, str) for name in names) or self.inputs == self._numbers():
            return X
        if lacking := [name for name in self.inputs if name not in names]:
            raise ValueError(
                f"`X` lacks {len(lacking)} of the {len(self.inputs)} columns of this model: {_some(lacking)}. Name its "
                "columns as `inputs` says, or give an array in that order."
            )
        return X[list(self.inputs)]

    def _numbers(self) -> tuple[str, ...]:
        """What inputs without names are called."""
        return tuple(f"x{i}" for i in range(len(self.inputs)))

    def _shaped(self, values: np.ndarray) -> np.ndarray:
        return values[..., 0] if self._description.vector_output else values


def load(path: str | os.PathLike[str]) -> RuntimeModel:
    """Load a saved model to predict with NumPy alone, where JAX is not wanted: on a small server, say.

    It imports NumPy, SciPy and safetensors. Nothing in the file is executed.

    Parameters
    ----------
    path : str or path-like
        A file that `unabases.save` wrote, of a neural linear regressor (`NeuralLinear`, `LUNA`, `UNA`,
        `RandomFourierSNGP`), an ensemble, a sampled network, or a `GapCalibrated`, `Conformal`, `TableRegressor` or
        `TableModel` of one of these.

    Returns
    -------
    RuntimeModel
        With `predict` and `predict_dist`.

    Raises
    ------
    UnsupportedModelError
        If the model needs JAX; the error names those that do not.
    ModelFileError
        If the file is missing, damaged, edited or of another kind.

    Examples
    --------
    >>> import tempfile
    >>> import unabases
    >>> X = np.linspace(-1, 1, 20)[:, None]
    >>> model = unabases.NeuralLinear(max_steps=50, sigma2=0.01, random_state=0).fit(X, X[:, 0])
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     unabases.save(model, f"{directory}/model.una")
    ...     light = load(f"{directory}/model.una")
    >>> light
    RuntimeModel(NeuralLinear of 1 inputs)
    >>> bool(np.allclose(light.predict(X), model.predict(X), rtol=1e-5))
    True
    """
    return RuntimeModel(read_description(path))


def _numbers(X: Any) -> np.ndarray:
    """Rows as float64, masked values as NaN; what is no number, or would lose a part of it, is refused."""
    try:
        masked = np.ma.getmask(X)
        X = np.asarray(X)
        if X.dtype.kind not in "biufOUS":
            raise TypeError(f"values are of type {X.dtype}")
        return np.where(masked, np.nan, X.astype(np.float64))
    except (TypeError, ValueError) as error:
        raise ValueError(f"`X` must hold rows of numbers: {error}.") from error


def _some(names: Sequence[str]) -> str:
    return f"{', '.join(names[:20])}{', …' if len(names) > 20 else ''}"


def read_description(path: str | os.PathLike[str]) -> Description:
    """The description of a saved model."""
    path = Path(path)
    content, arrays = unpack(read_bytes(path), str(path))
    if "study" in content:
        raise ModelFileError(f"{path} holds a study of Bayesian optimisation, not a model.")
    try:
        return describe(content, arrays)
    except UnsupportedModelError:
        raise
    except _NOT_UNDERSTOOD as error:
        raise ModelFileError(f"{path} has a description that is not understood ({error!r}).") from error
