"""Functions drawn at random, with a gap and known answers: the truth, the noise and, for some, the exact posterior."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from scipy.linalg import cho_solve, cholesky, solve_triangular
from scipy.spatial.distance import cdist

from unabases.datasets.shapes import SHAPES, draw_function

__all__ = ["DRAWN_SETS", "Drawn", "ExactPosterior", "draw_process", "draw_shape", "load_drawn"]

# Of `DRAWN_SETS`: training rows by number of inputs, length scales and noise.
_ROWS = {1: 100, 2: 200, 5: 300, 10: 400}
_LENGTH_SCALES = {"short": 0.2, "medium": 0.4, "long": 1.0}
_NOISE_STDS = {"quiet": 0.05, "noisy": 0.3}
_JITTER = 1e-9  # variance added to a draw, so that its covariance has a Cholesky factor


class ExactPosterior(NamedTuple):
    """Mean and standard deviation of the function given the training rows; nobody can know more."""

    mean: Float[np.ndarray, " n"]
    std: Float[np.ndarray, " n"]


@dataclass(frozen=True, eq=False)
class Drawn:
    """A drawn function: training rows with a gap, and rows on the data, in the gap and outside, with the truth.

    Parameters
    ----------
    name : str
        What was drawn.
    X_train, y_train : array
        Training rows: inputs in the box from −1 to 1, without the middle third along `direction`.
    X_in, f_in, y_in : array
        Further rows drawn like those, with the true function and a noisy outcome.
    X_gap, f_gap, y_gap : array
        Rows in the middle third.
    X_outside, f_outside, y_outside : array
        Rows beyond the training rows along `direction`, by up to half their range, on both sides.
    direction : array
        The unit vector along which the gap and the outsides lie.
    sigma2 : float
        Variance of the noise.
    exact : callable or None
        Gives the `ExactPosterior` at any rows, if the prior is known.
    """

    name: str
    X_train: Float[np.ndarray, "n d"]
    y_train: Float[np.ndarray, " n"]
    X_in: Float[np.ndarray, "m d"]
    f_in: Float[np.ndarray, " m"]
    y_in: Float[np.ndarray, " m"]
    X_gap: Float[np.ndarray, "m d"]
    f_gap: Float[np.ndarray, " m"]
    y_gap: Float[np.ndarray, " m"]
    X_outside: Float[np.ndarray, "m d"]
    f_outside: Float[np.ndarray, " m"]
    y_outside: Float[np.ndarray, " m"]
    direction: Float[np.ndarray, " d"]
    sigma2: float
    exact: Callable[[np.ndarray], ExactPosterior] | None = None

    @property
    def d(self) -> int:
        """Number of inputs."""
        return self.X_train.shape[1]

    def __repr__(self) -> str:
        return f"Drawn({self.name}: {len(self.X_train)} rows, {self.d} inputs, noise variance {self.sigma2:g})"


def draw_process(
    d: int = 1,
    length_scale: float | int = 0.5,
    noise_std: float | int = 0.1,
    *,
    kernel: str = "rbf",
    n: int = 100,
    n_test: int = 100,
    along: str = "column",
    random_state: int | np.random.Generator | None = 0,
) -> Drawn:
    r"""Draw a function from a Gaussian process; its exact posterior comes with it.

    .. math:: f \sim GP(0, k), \quad k(x, x') = \kappa(\|x - x'\| / (\ell \sqrt d)), \quad
        y = f(x) + \epsilon, \quad \epsilon \sim N(0, noise\_std^2)

    A model that knew the prior would predict just what `exact` says. So its standard deviation is the yardstick: less
    is overconfident, more is timid.

    Parameters
    ----------
    d : int
        Number of inputs.
    length_scale : float
        :math:`\ell`, how far the function remembers, with inputs from −1 to 1. The factor √d, by which distances in the
        box grow, makes functions of many inputs about as hard as those of one.
    noise_std : float
        Standard deviation of the noise; that of the function is 1.
    kernel : {"rbf", "matern"}
        Smooth functions, or ones with two derivatives only (Matérn 5/2).
    n, n_test : int
        Number of training rows, and of rows on the data, in the gap and outside, each.
    along : {"column", "direction"}
        Whether the gap lies along one of the inputs or along a random direction.
    random_state : int or Generator, optional
        Seed of everything.

    Returns
    -------
    Drawn
        Rows, truth and `exact`.

    Examples
    --------
    >>> drawn = draw_process(d=2, length_scale=1.0, noise_std=0.1)
    >>> drawn
    Drawn(rbf process: 100 rows, 2 inputs, noise variance 0.01)
    >>> bool(drawn.exact(drawn.X_gap).std.mean() > drawn.exact(drawn.X_in).std.mean())
    True
    """
    if kernel not in _KERNELS:
        raise ValueError(f"`kernel` must be one of {', '.join(map(repr, _KERNELS))}, got {kernel!r}.")
    for name, value in (("length_scale", length_scale), ("noise_std", noise_std)):
        if not value > 0:
            raise ValueError(f"`{name}` must be positive, got {value}.")
    rng = np.random.default_rng(random_state)
    places = _draw_places(d, n, n_test, along, rng)
    X = np.concatenate([places.train, places.inside, places.gap, places.outside])

    def covariance(A: np.ndarray, B: np.ndarray) -> np.ndarray:
        return _KERNELS[kernel](cdist(A, B) / (length_scale * np.sqrt(d)))

    L = cholesky(covariance(X, X) + _JITTER * np.eye(len(X)), lower=True)
    f = L @ rng.standard_normal(len(X))
    y_train = f[:n] + noise_std * rng.standard_normal(n)
    exact = _posterior(covariance, places.train, y_train, noise_std**2)
    return _record(f"{kernel} process", places, f, y_train, noise_std, rng, exact)


def draw_shape(
    shape: str,
    d: int = 1,
    noise_std: float | int = 0.1,
    *,
    n: int = 100,
    n_test: int = 100,
    along: str = "column",
    random_state: int | np.random.Generator | None = 0,
) -> Drawn:
    """Draw a function that no smooth prior foresees: with kinks, waves, jumps, or products of inputs.

    Its mean over the box is 0 and its std 1. There is no exact posterior, only the truth.

    Parameters
    ----------
    shape : {"linear", "piecewise-linear", "periodic", "chirp", "step", "interaction"}
        The kind of function; an interaction needs two inputs.
    d : int
        Number of inputs.
    noise_std : float
        Standard deviation of the noise.
    n, n_test : int
        Number of training rows, and of rows on the data, in the gap and outside, each.
    along : {"column", "direction"}
        Whether the gap lies along one of the inputs or along a random direction.
    random_state : int or Generator, optional
        Seed of everything.

    Returns
    -------
    Drawn
        Rows and truth.

    Examples
    --------
    >>> draw_shape("chirp")
    Drawn(chirp: 100 rows, 1 inputs, noise variance 0.01)
    """
    if not noise_std >= 0:
        raise ValueError(f"`noise_std` must not be negative, got {noise_std}.")
    rng = np.random.default_rng(random_state)
    function = draw_function(shape, d, rng)
    places = _draw_places(d, n, n_test, along, rng)
    f = function(np.concatenate([places.train, places.inside, places.gap, places.outside]))
    y_train = f[:n] + noise_std * rng.standard_normal(n)
    return _record(shape, places, f, y_train, noise_std, rng, exact=None)


def load_drawn(name: str, seed: int = 0) -> Drawn:
    """Draw one function of a set of `DRAWN_SETS`.

    Parameters
    ----------
    name : str
        A key of `DRAWN_SETS`.
    seed : int
        Number of the function. Even numbers have their gap along a column, odd ones along a random direction.

    Returns
    -------
    Drawn
        The rows, the truth and, for Gaussian processes, the exact posterior; its name is that of the set.

    Examples
    --------
    >>> load_drawn("rbf-10-long-quiet", seed=3)
    Drawn(rbf-10-long-quiet: 400 rows, 10 inputs, noise variance 0.0025)
    """
    if name not in DRAWN_SETS:
        raise ValueError(f"unknown set of drawn functions {name!r}; choose one of {', '.join(DRAWN_SETS)}.")
    drawn = DRAWN_SETS[name](along="direction" if seed % 2 else "column", random_state=seed)
    return replace(drawn, name=name)


class _Places(NamedTuple):
    """Inputs of each kind."""

    train: Float[np.ndarray, "n d"]
    inside: Float[np.ndarray, "m d"]
    gap: Float[np.ndarray, "m d"]
    outside: Float[np.ndarray, "m d"]
    direction: Float[np.ndarray, " d"]


def _draw_places(d: int, n: int, n_test: int, along: str, rng: np.random.Generator) -> _Places:
    """Uniform in the box, cut along a direction: the middle third of the rows is the gap."""
    for name, value, least in (("d", d, 1), ("n", n, 2), ("n_test", n_test, 1)):
        if value < least:
            raise ValueError(f"`{name}` must be at least {least}, got {value}.")
    if along not in ("column", "direction"):
        raise ValueError(f"`along` must be 'column' or 'direction', got {along!r}.")
    direction = np.eye(d)[rng.integers(d)] if along == "column" else rng.normal(size=d)
    direction = direction / np.linalg.norm(direction)
    third = max(-(-(n + n_test) // 2), n_test)
    X = rng.uniform(-1, 1, (3 * third, d))
    X = X[np.argsort(X @ direction)]
    middle, sides = X[third : 2 * third], np.concatenate([X[:third], X[2 * third :]])
    sides = rng.permutation(sides)
    train = sides[:n]
    low, high = np.min(train @ direction), np.max(train @ direction)
    beyond = rng.uniform(0, (high - low) / 2, n_test)
    wanted = np.where(rng.random(n_test) < 0.5, low - beyond, high + beyond)
    outside = rng.uniform(-1, 1, (n_test, d))
    outside += (wanted - outside @ direction)[:, None] * direction
    return _Places(train, sides[n : n + n_test], rng.permutation(middle)[:n_test], outside, direction)


def _record(
    name: str,
    places: _Places,
    f: Float[np.ndarray, " rows"],
    y_train: Float[np.ndarray, " n"],
    noise_std: float | int,
    rng: np.random.Generator,
    exact: Callable[[np.ndarray], ExactPosterior] | None,
) -> Drawn:
    """Give the rows their truth and outcomes."""
    f_in, f_gap, f_outside = np.split(f[len(y_train) :], 3)
    y_in, y_gap, y_outside = (part + noise_std * rng.standard_normal(len(part)) for part in (f_in, f_gap, f_outside))
    return Drawn(
        name=name,
        X_train=places.train,
        y_train=y_train,
        X_in=places.inside,
        f_in=f_in,
        y_in=y_in,
        X_gap=places.gap,
        f_gap=f_gap,
        y_gap=y_gap,
        X_outside=places.outside,
        f_outside=f_outside,
        y_outside=y_outside,
        direction=places.direction,
        sigma2=float(noise_std) ** 2,
        exact=exact,
    )


def _posterior(
    covariance: Callable[[np.ndarray, np.ndarray], np.ndarray],
    X: Float[np.ndarray, "n d"],
    y: Float[np.ndarray, " n"],
    sigma2: float,
) -> Callable[[np.ndarray], ExactPosterior]:
    """Rasmussen and Williams (2006), algorithm 2.1, for a prior variance of 1."""
    L = cholesky(covariance(X, X) + sigma2 * np.eye(len(X)), lower=True)
    weights = cho_solve((L, True), y)

    def exact(X_new: Float[np.ndarray, "m d"]) -> ExactPosterior:
        between = covariance(np.asarray(X_new, dtype=np.float64), X)
        explained = np.sum(solve_triangular(L, between.T, lower=True) ** 2, axis=0)
        return ExactPosterior(between @ weights, np.sqrt(np.maximum(1 - explained, 0)))

    return exact


def _rbf(r: np.ndarray) -> np.ndarray:
    return np.exp(-(r**2) / 2)


def _matern(r: np.ndarray) -> np.ndarray:
    return (1 + np.sqrt(5) * r + 5 * r**2 / 3) * np.exp(-np.sqrt(5) * r)


_KERNELS = {"rbf": _rbf, "matern": _matern}


def _drawn_sets() -> dict[str, Callable[..., Drawn]]:
    sets: dict[str, Callable[..., Drawn]] = {}
    for d, n in _ROWS.items():
        for (length, scale), (noise, std) in product(_LENGTH_SCALES.items(), _NOISE_STDS.items()):
            if d <= 2 or length != "short":  # of more inputs such a draw says next to nothing about other rows
                sets[f"rbf-{d}-{length}-{noise}"] = partial(draw_process, d, scale, std, n=n)
        sets[f"matern-{d}"] = partial(draw_process, d, 1.0, 0.1, kernel="matern", n=n)
        for shape in SHAPES:
            if d <= 5 and (shape != "interaction" or d > 1):
                sets[f"{shape}-{d}"] = partial(draw_shape, shape, d, 0.1, n=n)
    return sets


DRAWN_SETS = _drawn_sets()
"""Sets of drawn functions by name: kind, number of inputs and, for some, length scale and noise."""
