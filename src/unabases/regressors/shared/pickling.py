"""Fitted models as plain parts, so that pickle, joblib and skops can all keep them."""

from typing import Any

import pandas as pd

__all__ = ["PlainState"]

_FRAMES = "_frames"  # tables among the attributes, taken apart


class PlainState:
    """Keeps tables such as `history_` as arrays and lists while a model is stored.

    skops stores objects by their attributes and cannot look inside a pandas table. A model that is loaded has its
    tables again.
    """

    def __getstate__(self) -> dict[str, Any]:
        """All attributes, tables taken apart."""
        stored: Any = super().__getstate__()
        state: dict[str, Any] = dict(stored)
        tables = {name: value for name, value in state.items() if isinstance(value, pd.DataFrame)}
        if not tables:
            return state
        rest = {name: value for name, value in state.items() if name not in tables}
        return {**rest, _FRAMES: {name: _taken_apart(frame) for name, frame in tables.items()}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Attributes again, tables put together."""
        frames = {name: _put_together(parts) for name, parts in state.get(_FRAMES, {}).items()}
        rest = {name: value for name, value in state.items() if name != _FRAMES}
        super().__setstate__({**rest, **frames})  # pyright: ignore[reportAttributeAccessIssue]


def _taken_apart(frame: pd.DataFrame) -> dict[str, Any]:
    index: Any = frame.index
    return {
        "names": list(frame.columns),
        "columns": [_values(frame.iloc[:, place]) for place in range(frame.shape[1])],
        "range": [index.start, index.stop, index.step] if isinstance(index, pd.RangeIndex) else None,
        "index": None if isinstance(index, pd.RangeIndex) else _values(index),
        "index_name": index.name,
        "columns_name": frame.columns.name,
    }


def _put_together(parts: dict[str, Any]) -> pd.DataFrame:
    span, name = parts["range"], parts["index_name"]
    index = pd.Index(parts["index"], name=name) if span is None else pd.RangeIndex(*span, name=name)
    columns = dict(enumerate(parts["columns"]))
    frame = pd.DataFrame(columns, index=index)
    return frame.set_axis(pd.Index(parts["names"], name=parts["columns_name"]), axis="columns")


def _values(column: Any) -> Any:
    """Numbers as an array, anything else as a list."""
    values = column.to_numpy()
    return values if values.dtype.kind in "biuf" else column.tolist()
