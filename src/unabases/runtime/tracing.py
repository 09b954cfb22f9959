"""Symbols that stand for arrays: NumPy formulas applied to them are recorded as the nodes of an ONNX graph."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

__all__ = ["Graph", "Symbol"]

_UFUNCS = {
    np.add: "Add",
    np.subtract: "Sub",
    np.multiply: "Mul",
    np.true_divide: "Div",
    np.matmul: "MatMul",
    np.power: "Pow",
    np.maximum: "Max",
    np.minimum: "Min",
    np.negative: "Neg",
    np.absolute: "Abs",
    np.exp: "Exp",
    np.log: "Log",
    np.sqrt: "Sqrt",
    np.tanh: "Tanh",
    np.sin: "Sin",
    np.cos: "Cos",
    np.logaddexp: "Softplus",  # of something and 0, which is all that is asked for
}
_TESTS = {np.greater: "Greater", np.greater_equal: "GreaterOrEqual", np.isnan: "IsNaN"}  # their results are booleans


class Graph:
    """The nodes and constants that symbols record.

    Parameters
    ----------
    onnx
        The package, or what has its `helper`, `numpy_helper` and `TensorProto`.
    """

    def __init__(self, onnx: Any):
        self._onnx = onnx
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._names: dict[int, str] = {}
        self._kept: list[np.ndarray] = []  # so that no other array takes the identity of one that is known

    def input(self, name: str, dtype: Any = np.float64) -> "Symbol":
        """A symbol for rows that are not known yet."""
        return Symbol(self, name, np.dtype(dtype))

    def add(self, operator: str, *inputs: str, dtype: Any, **attributes: Any) -> "Symbol":
        """Record a node; the symbol of its result."""
        name = f"v{len(self.nodes)}"
        self.nodes.append(self._onnx.helper.make_node(operator, list(inputs), [name], **attributes))
        return Symbol(self, name, np.dtype(dtype))

    def constant(self, array: np.ndarray) -> str:
        """The name of an array that is known."""
        if id(array) not in self._names:
            self._names[id(array)] = f"c{len(self.constants)}"
            self._kept.append(array)
            stored = np.array(array, order="C")  # and zero-dimensional arrays stay so
            self.constants.append(self._onnx.numpy_helper.from_array(stored, self._names[id(array)]))
        return self._names[id(array)]

    def name_of(self, value: Any, dtype: np.dtype) -> str:
        """The name of a symbol, or of a constant in this type."""
        if isinstance(value, Symbol):
            if value.dtype != dtype:
                raise TypeError(f"{value.dtype} and {dtype} do not mix in a graph; cast one of them.")
            return value.name
        array = np.asarray(value)
        return self.constant(array if array.dtype == dtype else array.astype(dtype))

    def cast(self, symbol: "Symbol", dtype: Any) -> "Symbol":
        """The same numbers in another type."""
        to = self._onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        return self.add("Cast", symbol.name, dtype=dtype, to=to)

    def rename(self, symbol: "Symbol", name: str) -> None:
        """Give a result the name that users see."""
        self.nodes.append(self._onnx.helper.make_node("Identity", [symbol.name], [name]))


class Symbol(NDArrayOperatorsMixin):
    """An array that will be known later.

    Examples
    --------
    >>> import onnx
    >>> graph = Graph(onnx)
    >>> x = graph.input("x")
    >>> y = np.exp(2.0 * x) @ np.ones((3, 1))
    >>> [node.op_type for node in graph.nodes]
    ['Mul', 'Exp', 'MatMul']
    """

    def __init__(self, graph: Graph, name: str, dtype: np.dtype):
        self.graph, self.name, self.dtype = graph, name, dtype

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Record an elementwise function or a product of matrices."""
        if method != "__call__" or options or ufunc not in {*_UFUNCS, *_TESTS}:
            return NotImplemented
        dtype = next(value.dtype for value in inputs if isinstance(value, Symbol))
        if ufunc is np.logaddexp:
            if np.any(np.asarray(inputs[1]) != 0):
                return NotImplemented
            inputs = inputs[:1]
        names = [self.graph.name_of(value, dtype) for value in inputs]
        if ufunc in _TESTS:
            return self.graph.add(_TESTS[ufunc], *names, dtype=np.bool_)
        return self.graph.add(_UFUNCS[ufunc], *names, dtype=dtype)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        """Record one of the few functions of whole arrays that formulas use."""
        if function not in _FUNCTIONS:
            return NotImplemented
        return _FUNCTIONS[function](self.graph, *args, **options)

    def __getitem__(self, key: Any) -> "Symbol":
        """Columns: `x[:, [0, 2]]`, or `x[:, 0]` without its axis."""
        rows, columns = key
        if rows != slice(None):
            raise TypeError("only columns of a symbol can be taken.")
        index = self.graph.constant(np.array(columns, dtype=np.int64))
        return self.graph.add("Gather", self.name, index, dtype=self.dtype, axis=1)

    def astype(self, dtype: Any) -> "Symbol":
        """The same numbers in another type."""
        return self.graph.cast(self, dtype)


def _concatenate(graph: Graph, parts: Sequence[Any], axis: int = 0) -> Symbol:
    dtype = next(part.dtype for part in parts if isinstance(part, Symbol))
    return graph.add("Concat", *(graph.name_of(part, dtype) for part in parts), dtype=dtype, axis=axis)


def _where(graph: Graph, condition: Symbol, yes: Any, no: Any) -> Symbol:
    dtype = next((part.dtype for part in (yes, no) if isinstance(part, Symbol)), np.dtype(np.float64))
    names = (condition.name, graph.name_of(yes, dtype), graph.name_of(no, dtype))
    return graph.add("Where", *names, dtype=dtype)


def _reduced(operator: str) -> Callable[..., Symbol]:
    def reduce(graph: Graph, x: Symbol, axis: int, keepdims: bool = False) -> Symbol:
        axes = graph.constant(np.array([axis], dtype=np.int64))
        return graph.add(operator, x.name, axes, dtype=x.dtype, keepdims=int(keepdims))

    return reduce


def _sort(graph: Graph, x: Symbol, axis: int) -> Symbol:
    size = graph.add("Shape", x.name, dtype=np.int64, start=axis, end=axis + 1)
    ordered = graph.add("TopK", x.name, size.name, dtype=x.dtype, axis=axis, largest=0, sorted=1)
    graph.nodes[-1].output.append(f"{ordered.name}_places")
    return ordered


_FUNCTIONS: dict[Any, Callable[..., Symbol]] = {
    np.concatenate: _concatenate,
    np.where: _where,
    np.sum: _reduced("ReduceSum"),
    np.mean: _reduced("ReduceMean"),
    np.sort: _sort,
}
