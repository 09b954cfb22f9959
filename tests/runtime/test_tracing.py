import numpy as np
import pytest

from unabases.runtime.formulas import Kernel
from unabases.runtime.tracing import Graph

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

X = np.random.default_rng(0).normal(size=(4, 3))
W = np.arange(6.0).reshape(3, 2)


def run(formula, X=X):
    """What the graph of a formula gives."""
    graph, helper, double = Graph(onnx), onnx.helper, onnx.TensorProto.DOUBLE
    graph.rename(formula(graph.input("X")), "out")
    ends = (helper.make_tensor_value_info(name, double, None) for name in ("X", "out"))
    own, out = ([end] for end in ends)
    made = helper.make_graph(graph.nodes, "formula", own, out, graph.constants)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    return onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"X": X})[0]


@pytest.mark.parametrize(
    "formula",
    [
        lambda x: 2.0 * x - x / 3.0 + 1,
        lambda x: 1.0 / (2.0 + x * x) - (-x) ** 2,
        lambda x: np.exp(np.sin(x)) + np.cos(x) * np.tanh(x),
        lambda x: np.sqrt(np.abs(x)),
        lambda x: np.maximum(np.minimum(x, 0.5), np.array([-0.1, 0.0, 0.1])),
        lambda x: x @ W + W[0],
        lambda x: np.logaddexp(x, 0.0),
        lambda x: np.where(x > 0.1, x, -1.0) + np.where(x >= 0.1, 1.0, 0.0),
        lambda x: np.concatenate([x, x * x], axis=1),
        lambda x: np.sum(x, axis=1, keepdims=True) + np.mean(x, axis=0),
        lambda x: np.sort(x, axis=1),
        lambda x: x[:, [2, 0]] * 2.0,
        lambda x: x[:, 1],
        lambda x: x.astype(np.float32).astype(np.float64),
        lambda x: x + np.array([1.0, 2.0])[:, None, None],
    ],
)
def test_a_formula_on_a_symbol_is_the_formula_on_an_array(formula):
    np.testing.assert_allclose(run(formula), formula(X), rtol=1e-12)


def test_missing_values_are_seen():
    lacking = np.where(X > 0, np.nan, X)
    np.testing.assert_array_equal(run(lambda x: np.where(np.isnan(x), 7.0, x), lacking), np.where(X > 0, 7.0, X))


@pytest.mark.parametrize("shares", [np.ones((1, 3)), np.eye(3)])
def test_products_keep_double_precision(shares):
    """ONNX Runtime would round a number beside a product of matrices to float32."""
    inverse = np.linalg.inv(np.linalg.cholesky(X @ X.T + np.eye(4))).T
    kernel = Kernel(1.3, 0.2137, np.array([0.5, 1.7, 2.0]), X, inverse, shares)
    np.testing.assert_allclose(run(lambda x: kernel(x)[0]), kernel(X)[0], rtol=1e-13, atol=1e-13)


def test_an_array_is_stored_once():
    graph = Graph(onnx)
    x = graph.input("X")
    x @ W + x @ W
    assert len(graph.constants) == 1


def test_what_a_graph_cannot_do_is_refused():
    x = Graph(onnx).input("X")
    with pytest.raises(TypeError):
        np.arctan(x)
    with pytest.raises(TypeError):
        np.linalg.inv(x)
    with pytest.raises(TypeError):
        np.logaddexp(x, 1.0)
    with pytest.raises(TypeError, match="only columns"):
        x[[0], :]
    with pytest.raises(TypeError, match="do not mix in a graph"):
        x.astype(np.float32) @ W + x
