"""A model as an ONNX graph, for ONNX Runtime in any language."""

import json
import os
from typing import Any

import numpy as np

from unabases.runtime.description import Description, predict_moments
from unabases.runtime.model import read_description
from unabases.runtime.reading import describe
from unabases.runtime.tracing import Graph
from unabases.saving.container import writable
from unabases.storage import write_whole

__all__ = ["to_onnx"]

_OPSET, _IR = 18, 9  # versions of ONNX that runtimes since 2024 read


def to_onnx(model: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted model as an ONNX file, which predicts without Python.

    The graph has one input `X`, rows of float64 numbers, and three outputs in y's units: `mean`, `epistemic_std` and
    `noise_std`. The names of the numbers, in their order, are in the file's metadata under `inputs`. A missing value
    is NaN, if the model has learned what that means. Needs `pip install 'unabases[onnx]'`.

    Parameters
    ----------
    model : regressor, TableModel or path
        A fitted model, or the file that `unabases.save` wrote of one, for which JAX is not needed. It has to be one
        that `unabases.runtime.load` can read. A graph takes the numbers that the columns of a table become.
    path : str or path-like
        The ONNX file to write. A file already there is replaced in one step.

    Raises
    ------
    UnsupportedModelError
        If the model is of a kind that needs JAX; the error names those that do not.
    ModelFileError
        If there is no such directory to write to, or a file to read is missing or damaged.

    See Also
    --------
    unabases.runtime.load : Predictions with NumPy alone.

    Examples
    --------
    >>> import tempfile
    >>> import onnxruntime
    >>> from unabases import NeuralLinear
    >>> X = np.linspace(-1, 1, 20)[:, None]
    >>> model = NeuralLinear(max_steps=50, sigma2=0.01, random_state=0).fit(X, X[:, 0])
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     to_onnx(model, f"{directory}/model.onnx")
    ...     session = onnxruntime.InferenceSession(f"{directory}/model.onnx")
    >>> mean, epistemic_std, noise_std = session.run(None, {"X": X})
    >>> bool(np.allclose(mean, model.predict(X), rtol=1e-5))
    True
    """
    try:
        import onnx
    except ImportError as error:
        raise ImportError("`to_onnx` needs the package `onnx`: pip install 'unabases[onnx]'.") from error
    path = writable(path)
    if isinstance(model, str | os.PathLike):
        description = read_description(model)
    else:
        from unabases.saving.models import contents_of  # imports JAX, which the model has done already

        description = describe(*contents_of(model))
    write_whole(path, _built(onnx, description).SerializeToString())


def _built(onnx: Any, model: Description) -> Any:
    """The graph of a model, checked."""
    graph, helper = Graph(onnx), onnx.helper
    by_output = predict_moments(model, graph.input("X"))
    outputs: list[Any] = [np.concatenate(columns, axis=1) for columns in zip(*by_output, strict=True)]
    names = ("mean", "epistemic_std", "noise_std")
    for name, symbol in zip(names, outputs, strict=True):
        graph.rename(symbol[:, 0] if model.vector_output else symbol, name)
    double, p = onnx.TensorProto.DOUBLE, len(model.y.center)
    shape = ["rows"] if model.vector_output else ["rows", p]
    made = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "unabases",
            [helper.make_tensor_value_info("X", double, ["rows", len(model.inputs)])],
            [helper.make_tensor_value_info(name, double, shape) for name in names],
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", _OPSET)],
        ir_version=_IR,
        producer_name="unabases",
    )
    about = {"regressor": model.regressor, "inputs": json.dumps(model.inputs), "target": model.target or ""}
    helper.set_model_props(made, about)
    onnx.checker.check_model(made)
    return made
