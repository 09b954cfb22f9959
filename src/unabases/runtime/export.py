"""A model as an ONNX graph, for ONNX Runtime in any language."""

import json
import os
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from unabases.runtime.description import Description, Stack, in_units, predict_base, quantile_of
from unabases.runtime.model import read_description
from unabases.runtime.reading import UnsupportedModelError, describe
from unabases.runtime.tracing import Graph
from unabases.saving.container import writable
from unabases.storage import write_whole

__all__ = ["to_onnx"]

_OPSET, _IR = 18, 9  # versions of ONNX that runtimes since 2024 read


def to_onnx(model: Any, path: str | os.PathLike[str], *, quantiles: Iterable[float | int] = ()) -> None:
    """Write a fitted model as an ONNX file, which predicts without Python.

    The graph has one input `X`, rows of float64 numbers, and outputs in y's units: `mean`, `epistemic_std`, `noise_std`
    and the quantiles that are asked for. The names of the numbers, in their order, are in the file's metadata under
    `inputs`. A missing value is NaN, if the model has learned what that means. Needs `pip install 'unabases[onnx]'`.

    Parameters
    ----------
    model : regressor, TableModel or path
        A fitted model, or the file that `unabases.save` wrote of one, for which JAX is not needed. It has to be one
        that `unabases.runtime.load` can read. A graph takes the numbers that the columns of a table become.
    path : str or path-like
        The ONNX file to write. A file already there is replaced in one step.
    quantiles : iterable of float
        Probabilities whose quantiles are further outputs, named `q0.05` and so on: 0.05 and 0.95 are the ends of the
        interval of 90 %.

    Raises
    ------
    UnsupportedModelError
        If the model is of a kind that needs JAX; the error names those that do not. Or if it is a mixture of networks,
        such as an ensemble, and quantiles are asked for: no formula has them.
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
    quantiles = tuple(quantiles)
    if wrong := [q for q in quantiles if not 0 < q < 1]:
        raise ValueError(f"`quantiles` must lie strictly between 0 and 1, got {wrong[0]}.")
    if isinstance(model, str | os.PathLike):
        description = read_description(model)
    else:
        from unabases.saving.models import contents_of  # imports JAX, which the model has done already

        description = describe(*contents_of(model))
    if quantiles and isinstance(description.core, Stack):
        raise UnsupportedModelError(
            f"a {description.regressor} is a mixture of networks, whose quantiles no formula has; leave `quantiles` "
            "out, or use `unabases.runtime.load`, which finds them with NumPy alone."
        )
    if description.repeats is not None:
        warnings.warn(
            "this model remembers what rows had of their own for rows with exactly the same inputs (`repeats_`), which "
            "a graph cannot: such rows are predicted as if their inputs were new. `unabases.runtime.load` remembers.",
            stacklevel=2,
        )
        description = description._replace(repeats=None)
    write_whole(path, _built(onnx, description, quantiles).SerializeToString())


def _built(onnx: Any, model: Description, quantiles: Sequence[float | int]) -> Any:
    """The graph of a model, checked."""
    graph, helper = Graph(onnx), onnx.helper
    found = predict_base(model, graph.input("X"))
    moments = zip(*in_units(model, found), strict=True)
    columns: dict[str, Any] = dict(zip(("mean", "epistemic_std", "noise_std"), moments, strict=True))
    names = columns | {f"q{q:g}": quantile_of(model, found, q) for q in quantiles}
    for name, by_output in names.items():
        symbol: Any = np.concatenate(by_output, axis=1)
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
