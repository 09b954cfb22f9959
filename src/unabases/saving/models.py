"""Save a fitted regressor and load it again, elsewhere and later, with the same predictions."""

import inspect
import os
import warnings
from pathlib import Path
from typing import Any

from sklearn.utils.validation import check_is_fitted

from unabases.regressors.shared.parameters import check_kinds
from unabases.saving.container import ModelFileError, Unpacked, pack, package_version, read_bytes, unpack, writable
from unabases.saving.values import CannotHoldError, decode, encode, encode_or_name, known_models, not_saved
from unabases.storage import write_whole
from unabases.tables import TableModel

_NOT_UNDERSTOOD = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)  # what odd values lead to
REBUILDING = frozenset({"features", "activation", "estimator", "regressor"})
"""Parameters that a model cannot be rebuilt without."""


def save(model: Any, path: str | os.PathLike[str]) -> None:
    """Save a fitted model to one file, which holds numbers and names but no code.

    A file already at `path` is replaced in one step: if saving is interrupted, the old model is still there. Of
    functions and objects given as parameters only the names are kept; `load` says which must be given again.

    Parameters
    ----------
    model : regressor or TableModel
        A fitted regressor of `unabases.regressors`, alone, in a `GapCalibrated`, a
        `Conformal`, a `TableRegressor` or a `TableModel`.
    path : str or path-like
        The file, with any suffix, in a directory that exists.

    Raises
    ------
    TypeError
        If the model is not one of these, or holds something that a file cannot.
    ModelFileError
        If the directory does not exist, or `path` is a directory.

    See Also
    --------
    load : reads the file again.

    Examples
    --------
    >>> import numpy as np, tempfile
    >>> from unabases import NeuralLinear
    >>> X = np.linspace(-1, 1, 20)[:, None]
    >>> model = NeuralLinear(max_steps=50, sigma2=0.01, random_state=0).fit(X, X[:, 0])
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     save(model, f"{directory}/model.una")
    ...     again = load(f"{directory}/model.una")
    >>> bool((again.predict(X) == model.predict(X)).all())
    True
    """
    content, arrays = contents_of(model)
    path = writable(path)
    data = pack(content, arrays)
    regressor = _regressor_of(model)
    _check_rebuilds(regressor, *regressor.get_state())
    write_whole(path, data)


def contents_of(model: Any) -> Unpacked:
    """What a file of a fitted model holds: JSON values, and arrays by name."""
    regressor = _regressor_of(model)
    name = type(regressor).__name__
    if known_models().get(name) is not type(regressor):
        raise TypeError(
            f"cannot save {type(regressor).__module__}.{name}: a model file can only hold a fitted "
            f"{', '.join(sorted(known_models()))} of `unabases.regressors`, alone or in a TableModel."
        )
    check_is_fitted(regressor)
    state, values = regressor.get_state()
    arrays = {f"state.{key}": array for key, array in state.items()}
    parameters = {
        key: encode_or_name(value, f"parameters.{key}", arrays)
        for key, value in regressor.get_params(deep=False).items()
    }
    try:
        encoded = {key: encode(value, f"values.{key}", arrays) for key, value in values.items()}
    except CannotHoldError as error:
        raise TypeError(f"`{name}.get_state` gave a value that cannot be saved: {error}.") from error
    content: dict[str, Any] = {"class": name, "parameters": parameters, "values": encoded}
    if isinstance(model, TableModel):
        parts, described = model.get_state()
        arrays |= {f"table.{key}": array for key, array in parts.items()}
        content["table"] = encode(described, "table", arrays)
    return Unpacked(content, arrays)


def _regressor_of(model: Any) -> Any:
    return model.regressor if isinstance(model, TableModel) else model


def load(path: str | os.PathLike[str], **extra: Any) -> Any:
    """Load a model that `save` wrote; it predicts the same to the last bit.

    Nothing in the file is executed. A file that was damaged or edited by accident is refused, and so is one that does
    not describe a model, whoever made it. The checksum in a file is no signature: load files of people you trust, if it
    matters what the model says.

    Parameters
    ----------
    path : str or path-like
        The file.
    **extra
        Parameters that were functions or objects, which a file does not hold. A function that the feature map is made
        with (`features`, `activation`) must be given again. What only training used (`optimizer`, `where`, an
        `objective` of your own, a generator as `random_state`) may be given; otherwise it comes back as its default,
        with a warning.

    Returns
    -------
    regressor or TableModel
        A model of the class that was saved, ready to predict, update or be fitted anew.

    Raises
    ------
    ModelFileError
        If the file is missing, damaged, edited, of another kind or too new, or if `extra` lacks something.

    See Also
    --------
    save : writes the file, with an example.
    """
    path = Path(path)
    content, arrays = unpack(read_bytes(path), str(path))
    wrote = f"it was written by unabases {content.get('written_by')}, this is {package_version()}"
    if "study" in content:
        raise ModelFileError(f"{path} holds a study; read it with `unabases.bayesopt.BayesOpt.load`.")
    try:
        name = content["class"]
        parameters = dict(content["parameters"])
        values = {key: decode(item, arrays) for key, item in content["values"].items()}
        saved = {key: decode(item, arrays) for key, item in parameters.items() if not not_saved(item)}
        if type(name) is not str:
            raise TypeError("the name of a class has to be a string")
    except _NOT_UNDERSTOOD as error:
        raise ModelFileError(f"{path} has a description that is not understood ({error!r}); {wrote}.") from error
    known = known_models()
    if name not in known:
        raise ModelFileError(
            f"{path} holds a {name!r}, which is not a regressor here; known ones are "
            f"{', '.join(sorted(known))}. Upgrade unabases, or save with one of these: {wrote}."
        )
    cls = known[name]
    defaults = _defaults(cls)
    if unknown := sorted(set(parameters) - set(defaults)):
        raise ModelFileError(
            f"{path} has the parameters {', '.join(unknown)}, which {name} does not have here: {wrote}."
        )
    named = {key: kept for key, item in parameters.items() if (kept := not_saved(item))}
    _check_extra(path, name, extra, named, defaults)
    missing = {key: named[key] for key in named if key not in extra}
    fallback = {key: None if kind == "generator" else defaults[key] for key, (kind, _) in missing.items()}
    model = cls(**saved, **fallback, **extra)
    state = {key.removeprefix("state."): a for key, a in arrays.items() if key.startswith("state.")}
    try:
        check_kinds(model).set_state(state, values)
    except _NOT_UNDERSTOOD as error:
        raise ModelFileError(f"{path} does not fit {name} here: {error}; {wrote}.") from error
    if missing:
        warnings.warn(_what_is_missing(name, missing, fallback), UserWarning, stacklevel=2)
    return model if content.get("table") is None else _with_table(model, content["table"], arrays, path, wrote)


def _with_table(model: Any, described: Any, arrays: dict[str, Any], path: Path, wrote: str) -> TableModel:
    parts = {key.removeprefix("table."): a for key, a in arrays.items() if key.startswith("table.")}
    try:
        return TableModel.from_state(model, parts, decode(described, arrays))
    except _NOT_UNDERSTOOD as error:
        raise ModelFileError(f"{path} has a table that is not understood ({error!r}); {wrote}.") from error


def _check_rebuilds(model: Any, state: dict[str, Any], values: dict[str, Any]) -> None:
    """Refuse to write what `load` could not read, such as a model whose `hidden_layer_sizes` changed after `fit`."""
    try:
        type(model)(**model.get_params(deep=False)).set_state(dict(state), dict(values))
    except (LookupError, ValueError) as error:
        raise ValueError(
            f"this {type(model).__name__} cannot be saved, since its parameters do not make the model "
            f"that was fitted: {error} If they were changed after `fit`, change them back or fit again."
        ) from error


def _defaults(cls: type) -> dict[str, Any]:
    """Parameters of a regressor and their defaults, `inspect.Parameter.empty` where there is none."""
    signature = inspect.signature(cls)
    return {name: parameter.default for name, parameter in signature.parameters.items()}


def _check_extra(
    path: Path,
    name: str,
    extra: dict[str, Any],
    named: dict[str, tuple[str, str]],
    defaults: dict[str, Any],
) -> None:
    """Nothing given that the file has already, and nothing left out that the feature map needs."""
    if unexpected := sorted(set(extra) - set(named)):
        takes = f"only {', '.join(sorted(named))} may be given" if named else "none has to be given"
        raise TypeError(
            f"`load` was given {', '.join(unexpected)}, but of the parameters of this {name} {takes}, the "
            "others are in the file; change them after loading with `set_params`."
        )
    needed = {
        key: what
        for key, (kind, what) in named.items()
        if kind == "object" and (key in REBUILDING or defaults[key] is inspect.Parameter.empty)
    }
    if absent := [key for key in needed if key not in extra]:
        those = ", ".join(f"`{key}` ({needed[key]})" for key in absent)
        call = ", ".join(f"{key}=..." for key in absent)
        raise ModelFileError(
            f"{path} holds a {name} made with {those}, which a file cannot hold; give it again: "
            f"load({path.name!r}, {call})."
        )


def _what_is_missing(name: str, missing: dict[str, tuple[str, str]], fallback: dict[str, Any]) -> str:
    those = ", ".join(f"`{key}` ({what}) is now {fallback[key]!r}" for key, (_, what) in missing.items())
    return (
        f"parameters that were not saved, since a file holds no objects: {those}. Predictions of this {name} "
        "do not depend on them. To train again as before, give them to `load` or `set_params`."
    )
