"""The rows that a trial sees, by kind of data: one record whatever their source."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from unabases.datasets.drawn import Drawn, load_drawn
from unabases.datasets.faces import load_faces, load_faces_split
from unabases.datasets.files import read_files
from unabases.datasets.gaps import GAP_SETS, load_gap, split
from unabases.datasets.published import load_standard_split
from unabases.datasets.synthetic import SyntheticGap, cubic_gap, squiggle_gap
from unabases.datasets.uci import UCI, load_uci
from unabases.paper.halves import DEVELOPMENT, LOCKED, check_half, cut_of, drawn_set, set_name
from unabases.paper.honesty_data import load_cut, too_few_values
from unabases.paper.known_functions import FUNCTIONS, draw_known
from unabases.paper.packaged_tables import load_packaged


class Rows(NamedTuple):
    """What is trained on, what is searched on, and what is scored on."""

    X_train: Float[np.ndarray, "train d"]
    y_train: Float[np.ndarray, " train"]
    X_search: Float[np.ndarray, "search d"]
    """Rows for choosing parameters, of which a part validates: the training rows and, if there are any, the
    validation rows. Never the test rows."""
    y_search: Float[np.ndarray, " search"]
    X_test: Float[np.ndarray, "test d"]
    y_test: Float[np.ndarray, " test"]
    X_gap: Float[np.ndarray, "gap d"] | None = None
    y_gap: Float[np.ndarray, " gap"] | None = None
    sigma2: float | None = None
    """The noise variance, where it is known."""
    source: SyntheticGap | Drawn | None = None
    """The whole record, for scores that need more than these rows."""
    f_test: Float[np.ndarray, " test"] | None = None
    """The true function at the test rows, where it is known."""


def load_rows(data: str, dataset: str, split: int) -> Rows:
    """The rows of a split of a data set. For synthetic data the split is the seed, and the name has no effect."""
    if data not in KINDS:
        raise ValueError(f"unknown kind of data {data!r}; known ones are {', '.join(KINDS)}.")
    return KINDS[data](dataset, split)


def lacking(data: str, dataset: str, files: str = "") -> str:
    """Why a data set cannot be loaded, such as a missing file; empty if it can.

    Parameters
    ----------
    data, dataset
        As in `load_rows`.
    files
        An entry of `unabases data list` that is needed besides.
    """
    try:
        if data == "gap":
            load_uci(GAP_SETS[dataset][0])
        elif data == "standard":
            load_standard_split(dataset, 0)
        elif data == "faces":
            load_faces()
        elif data.startswith("accuracy"):
            _ordinary(dataset, 0)
        elif (cut := cut_of(dataset)) is not None and data.startswith("honesty"):
            load_uci(cut.table)
        if files:
            read_files(files)
    except (FileNotFoundError, ValueError) as error:
        return str(error)
    return ""


def impossible(data: str, dataset: str) -> str:
    """Why there is no such data set, whatever is downloaded or installed; empty if there is one.

    Parameters
    ----------
    data, dataset
        As in `load_rows`.
    """
    return too_few_values(dataset) if data.startswith("honesty") else ""


def _gap(dataset: str, split: int) -> Rows:
    s = load_gap(dataset, split)
    X, y = np.concatenate([s.X_train, s.X_val]), np.concatenate([s.y_train, s.y_val])
    return Rows(s.X_train, s.y_train, X, y, s.X_test, s.y_test, s.X_gap, s.y_gap)


def _standard(dataset: str, split: int) -> Rows:
    s = load_standard_split(dataset, split)
    return Rows(s.X_train, s.y_train, s.X_train, s.y_train, s.X_test, s.y_test)


def _faces(dataset: str, split: int) -> Rows:
    s = load_faces_split(dataset, split)
    return Rows(s.X_train, s.y_train, *s)


def _accuracy(half: str, dataset: str, number: int) -> Rows:
    check_half(half, dataset, number)
    return _ordinary(dataset, number)


def _ordinary(dataset: str, number: int) -> Rows:
    """Nine parts to train on and one to test; of a large table only so many rows of each, if the name says so."""
    table, most = set_name(dataset)
    if table in FUNCTIONS:
        s = draw_known(table, number)
        return Rows(s.X_train, s.y_train, s.X_train, s.y_train, s.X_test, s.y_test, f_test=s.f_test)
    if table in UCI:
        rows = _standard(table, number)
    else:
        X, y = load_packaged(table)
        train, _, test = split(np.arange(len(y)), number, (0.9, 0.0, 0.1))
        rows = Rows(X[train], y[train], X[train], y[train], X[test], y[test])
    if most is None:
        return rows
    rng = np.random.default_rng(number)
    train, test = (np.sort(rng.permutation(len(y))[:most]) for y in (rows.y_train, rows.y_test))
    X, y = rows.X_train[train], rows.y_train[train]
    return Rows(X, y, X, y, rows.X_test[test], rows.y_test[test])


def _honesty(half: str, dataset: str, number: int) -> Rows:
    """A drawn function, or a table with a gap or without its tails. Nothing is chosen, so validation rows train too."""
    check_half(half, dataset, number)
    if (name := drawn_set(dataset)) is not None:
        d = load_drawn(name, number)
        return Rows(d.X_train, d.y_train, d.X_train, d.y_train, d.X_in, d.y_in, source=d, f_test=d.f_in)
    s = load_cut(dataset, number)
    X, y = np.concatenate([s.X_train, s.X_val]), np.concatenate([s.y_train, s.y_val])
    return Rows(X, y, X, y, s.X_test, s.y_test, s.X_gap, s.y_gap)


def _synthetic(make: Callable[..., SyntheticGap]) -> Callable[[str, int], Rows]:
    def load(dataset: str, split: int) -> Rows:
        s = make(random_state=split)
        X, y = s.X_train, s.y_train
        return Rows(X, y, X, y, s.X_test, s.y_test, s.X_gap_test, s.y_gap_test, s.sigma2, s)

    return load


KINDS: dict[str, Callable[[str, int], Rows]] = {
    "gap": _gap,
    "standard": _standard,
    "faces": _faces,
    "cubic-gap": _synthetic(cubic_gap),
    "squiggle-gap": _synthetic(squiggle_gap),
    "accuracy": partial(_accuracy, DEVELOPMENT),
    "accuracy-locked": partial(_accuracy, LOCKED),
    "honesty": partial(_honesty, DEVELOPMENT),
    "honesty-locked": partial(_honesty, LOCKED),
}
