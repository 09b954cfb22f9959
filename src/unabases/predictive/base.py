"""What every prediction offers, whatever its distribution."""

import copy
import importlib
from abc import ABC, abstractmethod
from typing import Any, TypeVar

import numpy as np
from jaxtyping import Float
from numpy.typing import ArrayLike

__all__ = ["AbstractPredictive", "Numbers", "PolarsRows"]

Prediction = TypeVar("Prediction", bound="AbstractPredictive")
# Type checkers read `complex` in ArrayLike as any number; those that run with the tests do not.
Numbers = ArrayLike | float | int


class PolarsRows:
    """Stands for the labels of rows of a Polars table, which has none: `to_frame` then gives a Polars table."""

    def __getitem__(self, rows: object) -> "PolarsRows":
        return self


class AbstractPredictive(ABC):
    """A prediction: the distribution of y at n inputs, with its uncertainty in two parts.

    - **Epistemic** uncertainty is about the function f: the model has seen too few data here to know it. More data
      would lower it. It is large far from the training data and in gaps between them.
    - **Noise** is the scatter of y around f. More data would not lower it, because it is in the observations
      themselves.

    Both add up: `var = epistemic_std**2 + noise_std**2`. Use `std` or `interval` to say where the next observation will
    be, and `epistemic_std` to say how far to trust the model here.

    Regressors return one from `predict_dist`. Arrays have the shape (n,), or (n, p) for p outputs, and are in the units
    of y. Select rows as in `prediction[10:20]`.

    What it offers: `interval(level)`, `quantile(q)`, `cdf(y)`, `log_prob(y)`, `sample(n)`, `to_frame()` for a table,
    `scaled(epistemic, noise)` for other widths, and `covariance` between rows where it was asked for.

    Attributes
    ----------
    mean : array
        The expected value of y.
    epistemic_std : array
        Standard deviation of f: how unsure the model is about the function.
    noise_std : array
        Standard deviation of y around f.
    std, var : array
        Total standard deviation and variance of y.
    index : pandas.Index, PolarsRows or None
        Labels of the rows, if they were predicted from a pandas table; what stands for them if it was one of Polars.

    See Also
    --------
    Normal : a Gaussian prediction, which most regressors return.
    Mixture : a prediction by several functions, which ensembles and samplers return.

    Examples
    --------
    The first input is far from the data, the second is near them:

    >>> from unabases.predictive import Normal
    >>> prediction = Normal(mean=[0.0, 10.0], epistemic_std=[3.0, 0.1], noise_std=4.0)
    >>> prediction.std.round(2)
    array([5., 4.])
    >>> lower, upper = prediction.interval(0.9)
    >>> upper.round(1)
    array([ 8.2, 16.6])
    >>> prediction.to_frame().round(1)
       mean  std  epistemic_std  noise_std  lower  upper
    0   0.0  5.0            3.0        4.0   -8.2    8.2
    1  10.0  4.0            0.1        4.0    3.4   16.6
    """

    index: Any = None

    mean: Float[np.ndarray, "*shape"]
    epistemic_std: Float[np.ndarray, "*shape"]
    noise_std: Float[np.ndarray, "*shape"]

    @property
    @abstractmethod
    def covariance(self) -> Float[np.ndarray, "*p n n"]:
        """Epistemic covariance between rows: (n, n), or (p, n, n) for p outputs."""

    @abstractmethod
    def log_prob(self, y: Numbers) -> Float[np.ndarray, "*shape"]:
        """Log density of each element of y, rows taken one at a time.

        Parameters
        ----------
        y : number or array
            Outcomes. The last axes of an array have the shape of the prediction.

        Returns
        -------
        array of the shape of the prediction, or of y if that has more axes
        """

    @abstractmethod
    def cdf(self, y: Numbers) -> Float[np.ndarray, "*shape"]:
        """Probability of an outcome of at most y; shapes are those of `log_prob`."""

    @abstractmethod
    def quantile(self, q: Numbers) -> Float[np.ndarray, "*shape"]:
        """Value below which y falls with probability q: the inverse of `cdf`.

        Parameters
        ----------
        q : number or array
            Probabilities; 0 and 1 give the ends of the support.
        """

    @abstractmethod
    def sample(
        self, n: int, random_state: int | np.random.Generator | None = None, noise: bool = True
    ) -> Float[np.ndarray, "draws *shape"]:
        """Draw from the prediction, at all rows.

        Parameters
        ----------
        n : int
            How many draws.
        random_state : int, numpy.random.Generator or None
            Seed or source of the random numbers.
        noise : bool
            Draw observations y if True, the function f without noise if False.
        """

    @abstractmethod
    def scaled(self, epistemic: Numbers = 1.0, noise: Numbers = 1.0) -> "AbstractPredictive":
        """The same prediction with its variances multiplied; the mean stays.

        Parameters
        ----------
        epistemic, noise : number or array
            Factors on the epistemic and on the noise variance: a number, one for each output, or one for each element.
            A factor of 4 doubles the standard deviation.

        Examples
        --------
        >>> from unabases.predictive import Normal
        >>> wider = Normal(mean=[1.0], epistemic_std=[2.0], noise_std=3.0).scaled(epistemic=4.0)
        >>> wider.mean, wider.epistemic_std, wider.noise_std
        (array([1.]), array([4.]), array([3.]))
        """

    @abstractmethod
    def __getitem__(self, rows: object) -> "AbstractPredictive":
        """The prediction at some rows: a slice, a mask, an array of indices; an integer keeps its axis."""

    def with_noise(self, noise_std: Numbers) -> "AbstractPredictive":
        """The same prediction with other noise: a number, or an array of its shape."""
        raise NotImplementedError(f"the noise of a {type(self).__name__} cannot be replaced.")

    def to_frame(self, level: float = 0.9, index: Any = None) -> Any:
        """The prediction as a table: a line for each row, in the units of y.

        Parameters
        ----------
        level : float
            Probability of the interval from `lower` to `upper`.
        index : sequence, optional
            Labels of the rows. Those of the table that was predicted, if it was one of pandas; else 0, 1, 2, …

        Returns
        -------
        pandas.DataFrame, or polars.DataFrame if a Polars table was predicted and no `index` is given
            Columns `mean`, `std`, `epistemic_std`, `noise_std`, `lower` and `upper`. With several outputs the columns
            have two levels: the number of the output, then these names; in Polars they are `mean_0`, `std_0` and so on.

        Examples
        --------
        >>> from unabases.predictive import Normal
        >>> Normal([1.0], [3.0], 4.0).to_frame(index=["tall"])["std"]
        tall    5.0
        Name: std, dtype: float64
        """
        lower, upper = self.interval(level)
        columns = {name: getattr(self, name) for name in ("mean", "std", "epistemic_std", "noise_std")}
        columns |= {"lower": lower, "upper": upper}
        index = self.index if index is None else index
        if isinstance(index, PolarsRows):
            polars = importlib.import_module("polars")
            if len(self.shape) == 1:
                return polars.DataFrame(columns)
            outputs = range(self.shape[1])
            return polars.DataFrame({f"{name}_{j}": values[:, j] for j in outputs for name, values in columns.items()})
        import pandas as pd

        if len(self.shape) == 1:
            return pd.DataFrame(columns, index=index)
        tables = {
            j: pd.DataFrame({name: values[:, j] for name, values in columns.items()}, index=index)
            for j in range(self.shape[1])
        }
        named: Any = ["output"]
        both: Any = pd.concat(tables, axis="columns", names=named)
        return both

    def labelled(self: Prediction, index: Any) -> Prediction:
        """The same prediction whose rows have labels, which `to_frame` shows."""
        if index is None and self.index is None:
            return self
        made = copy.copy(self)
        object.__setattr__(made, "index", index)
        return made

    def __len__(self) -> int:
        return len(self.mean)

    @property
    def shape(self) -> tuple[int, ...]:
        """(n,) or (n, p)."""
        return self.mean.shape

    @property
    def std(self) -> Float[np.ndarray, "*shape"]:
        """Total standard deviation of y: epistemic and noise together."""
        return np.hypot(self.epistemic_std, self.noise_std)

    @property
    def var(self) -> Float[np.ndarray, "*shape"]:
        """Total variance of y: epistemic plus noise."""
        return self.epistemic_std**2 + self.noise_std**2

    def interval(self, level: float = 0.9) -> tuple[Float[np.ndarray, "*shape"], Float[np.ndarray, "*shape"]]:
        """Central interval that holds y with probability `level`.

        Parameters
        ----------
        level : float
            Between 0 and 1, such as 0.9 for 90 %.

        Returns
        -------
        lower, upper : arrays of the shape of the prediction
        """
        if not 0 < level < 1:
            hint = f"; for {level:g} % give {level / 100:g}" if 1 < level < 100 else ""
            raise ValueError(f"`level` must lie strictly between 0 and 1, got {level}{hint}.")
        lower, upper = self.quantile([(1 - level) / 2, (1 + level) / 2])
        return lower, upper
