"""Fit and predict Dask collections: partitions stay where they are, and only sums and a sample travel."""

import copy
import importlib
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from unabases.datasets.row_sample import RowSample, SampledRows
from unabases.linear import Statistics
from unabases.regressors.networks.exact_layer import add_statistics

__all__ = ["is_dask", "predict_on_dask", "sample_on_dask", "statistics_on_dask"]


def is_dask(X: Any) -> bool:
    """Tell whether something is a Dask table or array, without importing Dask."""
    return type(X).__module__.partition(".")[0] == "dask" and hasattr(X, "to_delayed")


def sample_on_dask(X: Any, y: Any, size: int, seed: int = 0, weight: Any = None) -> SampledRows:
    """Draw a random sample of a Dask collection: the same as of its partitions read one after the other.

    Parameters
    ----------
    X, y
        A Dask table or array, and its targets in the same partitions.
    size : int
        Rows of the sample.
    seed : int
        Which sample to draw.
    weight
        How often each row counts: a Dask collection in the same partitions; None for once.
    """
    dask = _dask()
    parts = _partitions(X, y, weight)
    lengths = dask.compute(*[dask.delayed(len)(part[1]) for part in parts])
    firsts = np.cumsum([0, *lengths[:-1]]).tolist()
    samples = [
        dask.delayed(_sample)(*part, first, RowSample(size, seed, sum(lengths)))
        for part, first, rows in zip(parts, firsts, lengths, strict=True)
        if rows
    ]
    return _in_a_tree(_merge, samples).compute().result()


def statistics_on_dask(model: Any, X: Any, y: Any, weight: Any = None) -> list[Statistics]:
    """Sum up the statistics of all partitions for a fitted model; sums of two are added, and again, in a tree."""
    dask = _dask()
    sent = dask.delayed(model, pure=False)
    parts = [dask.delayed(_statistics)(sent, *part) for part in _partitions(X, y, weight)]
    found = _in_a_tree(_add, parts).compute()
    if found is None:
        raise ValueError("`X` has no rows.")
    return found


def predict_on_dask(model: Any, X: Any, return_std: bool = False) -> Any:
    """Predict every partition where it is: lazily, the mean or the mean and the std, like `predict`."""
    model = _sent_once(model)
    if hasattr(X, "map_partitions"):
        both = X.map_partitions(_predict_frame, model, return_std, meta=dict.fromkeys(_names(return_std), float))
    else:
        columns = (len(_names(return_std)),)
        whole = _one_block_wide(X)
        both = whole.map_blocks(_predict_block, model, return_std, dtype=float, chunks=(whole.chunks[0], columns))
        return (both[:, 0], both[:, 1]) if return_std else both[:, 0]
    return (both["mean"], both["std"]) if return_std else both["mean"]


def _sent_once(model: Any) -> Any:
    """The model for tasks; the workers of a cluster are sent it once, and not with every graph."""
    distributed = sys.modules.get("distributed")  # imported by whoever has a cluster
    try:
        client = distributed.default_client()  # pyright: ignore[reportOptionalMemberAccess]
    except (AttributeError, ValueError):
        return model
    return _dask().delayed(client.scatter(model, hash=False))


def _dask() -> Any:
    """Dask, which is there if somebody has a collection of it."""
    return importlib.import_module("dask")


def _partitions(X: Any, y: Any, weight: Any) -> list[tuple[Any, Any, Any]]:
    """The partitions of rows, targets and weights, side by side."""
    rows = _delayed(X)
    columns = [rows]
    for name, part in (("y", y), ("sample_weight", weight)):
        if part is None and name != "y":
            columns.append([None] * len(rows))
            continue
        if not is_dask(part):
            raise TypeError(f"`{name}` must be a Dask collection, as `X` is; got {type(part).__name__}.")
        columns.append(_delayed(part))
        if len(columns[-1]) != len(rows):
            raise ValueError(
                f"`X` has {len(rows)} partitions but `{name}` has {len(columns[-1])}; take both from one table."
            )
    return list(zip(*columns, strict=True))


def _delayed(part: Any) -> list[Any]:
    return np.ravel(_one_block_wide(part).to_delayed()).tolist()


def _one_block_wide(part: Any) -> Any:
    """The same collection; of an array, no row is divided."""
    return part.rechunk({1: -1}) if hasattr(part, "rechunk") and part.ndim == 2 else part


def _in_a_tree(join: Callable, parts: Sequence[Any]) -> Any:
    """Join neighbours, then what came of them, and so on: no worker ever holds more than two."""
    dask = _dask()
    if not parts:
        raise ValueError("`X` has no rows.")
    while len(parts) > 1:
        pairs = [parts[i : i + 2] for i in range(0, len(parts), 2)]
        parts = [dask.delayed(join)(*pair) if len(pair) == 2 else pair[0] for pair in pairs]
    return parts[0]


def _sample(X: Any, y: Any, weight: Any, first: int, empty: RowSample) -> RowSample:
    sample = copy.deepcopy(empty)  # tasks must leave what they are given as it is
    sample.add(X, y, first, weight)
    return sample.settled()


def _merge(some: RowSample, others: RowSample) -> RowSample:
    return copy.copy(some).merge(others)


def _statistics(model: Any, X: Any, y: Any, weight: Any) -> list[Statistics] | None:
    return model.statistics_of(X, y, weight) if len(X) else None


def _add(some: list[Statistics] | None, others: list[Statistics] | None) -> list[Statistics] | None:
    return add_statistics(some, others) if some and others else some or others


def _names(return_std: bool) -> list[str]:
    return ["mean", "std"] if return_std else ["mean"]


def _predict_frame(X: Any, model: Any, return_std: bool) -> Any:
    return pd.DataFrame(_predict_block(X, model, return_std), index=X.index, columns=_names(return_std))


def _predict_block(X: Any, model: Any, return_std: bool) -> np.ndarray:
    if not len(X):
        return np.empty((0, len(_names(return_std))))
    found = model.predict(X, return_std=return_std)
    return np.stack(found if return_std else [found], axis=1)
