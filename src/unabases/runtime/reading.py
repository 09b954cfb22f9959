"""A saved model's arrays and values as a `Description`."""

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import solve_triangular

from unabases.regressors.committee.repeats import Repeats
from unabases.regressors.committee.saved_curve import read_curve
from unabases.regressors.shared.input_curve import InputCurve
from unabases.regressors.shared.missing_noise import noise_from
from unabases.regressors.shared.saved_state import SavedState, StateError
from unabases.runtime.checking import (
    check_columns,
    check_fourier,
    check_kernel,
    check_layer,
    check_network,
    check_noise,
    check_rows,
    check_stack,
    check_widths,
)
from unabases.runtime.description import Committee, Description, Scale, Stack
from unabases.runtime.formulas import Columns, GapWidth, Head, Kernel, Member, Pattern, StretchTo
from unabases.runtime.networks import ACTIVATIONS, layers_from, residual_from
from unabases.terms import all_terms
from unabases.terms.base import AbstractView
from unabases.terms.space import Columns as TableColumns
from unabases.terms.views import View, view_of

__all__ = ["SUPPORTED", "UnsupportedModelError", "describe"]

_LAST_LAYER = ("LUNA", "NeuralLinear", "RandomFourierSNGP")
_STACKS = ("AnchoredEnsemble", "BootstrapEnsemble", "HamiltonianBNN", "MeanFieldVI", "VanillaEnsemble")
_WRAPPERS = {
    "Conformal": ("estimator", "UNA"),
    "GapCalibrated": ("estimator", "LUNA"),
    "TableRegressor": ("regressor", "UNA"),
}  # the parameter that they wrap, and the regressor that it is if none is given
SUPPORTED = (*_LAST_LAYER, "UNA", *_STACKS, "MCDropout", *_WRAPPERS)
"""Regressors that predict without JAX."""
_USED = (
    *("x", "y", "phi", "kernel", "posterior", "variances", "noise", "pattern", "tails", "repeats", "curve", "inputs"),
    *("missing", "draws", "centre", "networks", "network", "masks"),
)
_UNUSED = ("statistics", "history", "heads", "space", "steepness", "diagnostics")  # for other ends than prediction
_MISSING_LEVEL = "missing"


class UnsupportedModelError(ValueError):
    """A model file holds something that cannot be predicted with outside of JAX; the message says what can."""


class _Parts(NamedTuple):
    """A regressor in a file: its class, parameters, values and arrays."""

    name: str
    parameters: dict[str, Any]
    values: dict[str, Any]
    arrays: dict[str, np.ndarray]

    def below(self, prefix: str) -> dict[str, np.ndarray]:
        """The arrays whose names begin with `prefix`, by the rest of their names."""
        return {key.removeprefix(prefix): a for key, a in self.arrays.items() if key.startswith(prefix)}

    @property
    def saved(self) -> SavedState:
        """The arrays and values, to be checked."""
        return SavedState(self.arrays, self.values)

    def numbered(self, prefix: str) -> list[np.ndarray]:
        """The arrays named `prefix` + 0, 1, 2, ..."""
        return self.saved.numbered(prefix)


def describe(content: dict[str, Any], arrays: dict[str, np.ndarray]) -> Description:
    """Describe a saved model.

    Parameters
    ----------
    content : dict
        The JSON values of its file.
    arrays : dict of str to array
        The arrays of its file.

    Raises
    ------
    UnsupportedModelError
        If the model is of a kind that only JAX can predict with.
    StateError
        If what is in the file is not what a model can have.
    """
    own = {key.removeprefix("state."): a for key, a in arrays.items() if key.startswith("state.")}
    parts = _Parts(str(content.get("class")), content["parameters"], _plain(content["values"]), own)
    _refuse_unsupported(parts.name)
    gap, stretch, around = None, None, []
    while parts.name in _WRAPPERS:
        if parts.name == "GapCalibrated":
            gap = GapWidth(*(parts.arrays[f"scale.{name}"] for name in GapWidth._fields))
        elif parts.name == "Conformal":
            if gap is not None:
                raise UnsupportedModelError(
                    "a GapCalibrated around a Conformal cannot predict without JAX; put the Conformal around it: "
                    "Conformal(GapCalibrated(...))."
                )
            stretch = _stretch(parts.below("widths."))
        around.append(parts)
        parts = _unwrapped(parts, *_WRAPPERS[parts.name])
        _refuse_unsupported(parts.name)
    if unknown := sorted({key.partition(".")[0] for key in parts.arrays} - {*_USED, *_UNUSED}):
        raise UnsupportedModelError(
            f"the file holds {', '.join(unknown)} of a {parts.name}, which this reader does not know; upgrade "
            "unabases, or predict with `unabases.load`."
        )
    saved = _checked(parts)
    for wrapper in around:
        check_widths(wrapper.name, wrapper.arrays, saved.sizes["p"])
    encoder = parts.values.get("encoder")
    names = _column_names(parts.values)
    inputs, columns = (names, None) if encoder is None else _columns(encoder)
    table, view = content.get("table"), _view(parts.values, names)
    _check_width(saved, len(names) if encoder is None else sum(_widths(encoder)), view)
    core, noise = _core(parts, None if view is None else view.parts)
    tails, pattern = parts.below("tails."), parts.below("pattern.")
    return Description(
        regressor=parts.name,
        inputs=inputs,
        target=None if table is None else _plain(table)["target"],
        vector_output=parts.values["vector_output"],
        columns=columns,
        view=view,
        bent=InputCurve.read(saved),
        x=Scale(**parts.below("x.")),
        y=Scale(**parts.below("y.")),
        core=core,
        noise=noise,
        pattern=_pattern(pattern),
        df=tails.get("df"),
        far=tails.get("far", tails.get("df")),
        curve=read_curve(saved.below("curve.")),
        missing=noise_from(saved, parts.values["n_features_in"]),
        gap=gap,
        stretch=stretch,
        repeats=Repeats.read(saved.below("repeats.")),
    )


def _checked(parts: _Parts) -> SavedState:
    """The state of a regressor, once it is known that a model can have it; nothing is built before."""
    saved, told, encoder = parts.saved, parts.values.get("told", {}), parts.values.get("encoder")
    check_rows(saved, len(told.get("statements", [])))
    columns = parts.values["n_features_in"]
    if encoder is not None:
        check_columns(encoder, columns)
    check_noise(saved, columns)
    d, p = saved.sizes["d"], saved.sizes["p"]
    if parts.name in _STACKS:
        check_stack(saved.numbered("networks."), None, d, p)
    elif parts.name == "MCDropout":
        check_stack(saved.numbered("network."), parts.arrays["masks"], d, p)
    elif parts.name == "UNA":
        variances = saved.below("variances.")
        variances.number("ratio", "positive")
        for name in ("alpha", "sigma2", "factor"):
            variances.array(name, "p", "positive")
        for i in range(_count(parts)):
            learned = check_network(saved.numbered(f"phi.{i}."), d)
            features = learned + 1 + check_kernel(saved.below(f"kernel.{i}."))
            check_layer(saved, f"{i}.", features)
            if "draws.0" in parts.arrays:
                saved.below("", k=features).array(f"draws.{i}", "p draws k")
    else:
        check = check_fourier if parts.name == "RandomFourierSNGP" else check_network
        check_layer(saved, "", check(saved.numbered("phi."), d) + 1)
    if parts.name not in _LAST_LAYER:
        saved.array("noise", "p", "positive")
    return saved


def _check_width(saved: SavedState, width: int, view: View | None) -> None:
    """Columns and what is shown of them have to make the numbers that the model takes."""
    shown = width if view is None else len(view.kept) + 2 * len(view.waves)
    if shown != saved.sizes["d"]:
        raise StateError(f"the columns make {shown} numbers a row, but the model takes {saved.sizes['d']}")


def _stretch(arrays: dict[str, np.ndarray]) -> StretchTo | None:
    """Where intervals end; None if none was set."""
    return StretchTo(arrays["levels"], arrays["after"], arrays["noise"]) if len(arrays["levels"]) else None


def _unwrapped(parts: _Parts, what: str, usual: str) -> _Parts:
    """The regressor inside another."""
    given = parts.parameters[what]
    if given is None:
        name, parameters = usual, {"activation": "relu", "features": None}
    else:
        name, parameters = given.get("regressor", (None, []))
    return _Parts(str(name), dict(parameters), parts.values[what], parts.below(f"{what}."))


def _refuse_unsupported(name: str) -> None:
    if name not in SUPPORTED:
        raise UnsupportedModelError(
            f"a {name} cannot predict without JAX; {', '.join(SUPPORTED)} can. Use `unabases.load`, or fit one of "
            "these."
        )


def _pattern(arrays: dict[str, np.ndarray]) -> Pattern | None:
    numbers = {name: float(arrays[name]) for name in ("floor", "level") if arrays}
    return Pattern(**{**arrays, **numbers}) if arrays else None  # pyright: ignore[reportArgumentType]


def _core(parts: _Parts, apart: tuple[int, ...] | None) -> tuple[Committee | Stack, np.ndarray]:
    """What predicts, and the noise variance of each output; `apart` says which inputs do not interact."""
    activation = _activation(parts)
    p = len(parts.arrays["y.center"])
    if parts.name in _STACKS or parts.name == "MCDropout":
        several = parts.name in _STACKS
        *leaves, W = parts.numbered("networks." if several else "network.")
        W = np.asarray(W, dtype=np.float64).reshape(-1, p, W.shape[-1]).swapaxes(1, 2)  # networks, features, outputs
        phi = layers_from(leaves, activation, parts.arrays.get("masks"))
        return Stack(phi, W[:, :-1], W[:, -1:]), parts.arrays["noise"]
    if parts.name == "UNA":
        variances = parts.below("variances.")
        ratio = float(variances["ratio"])
        members = [_member(parts, str(i), activation, p, ratio, apart) for i in range(_count(parts))]
        kernel = variances["ratio"] * variances["alpha"]
        core = Committee(members, "draws.0" in parts.arrays, kernel, variances["sigma2"], variances["factor"])
        return core, parts.arrays["noise"]
    leaves = parts.numbered("phi.")
    phi = (residual_from if parts.name == "RandomFourierSNGP" else layers_from)(leaves, activation)
    sigma2 = np.array([float(parts.arrays[f"posterior.{j}.sigma2"]) for j in range(p)])
    means, roots = _layer(parts, "", p, len(parts.arrays["posterior.0.m"]) - 1, 1.0)
    return Committee([Member(phi, None, means, roots)], False, np.zeros(p), sigma2, np.ones(p)), sigma2


def _count(parts: _Parts) -> int:
    members = {key.split(".")[0] for key in parts.below("phi.")}
    if not members or members != {str(i) for i in range(len(members))}:
        raise StateError("the members have to be numbered from 0, and there has to be one")
    return len(members)


def _activation(parts: _Parts) -> str:
    """The name of the network's activation, once it is known that the network is one of this package's."""
    if parts.parameters.get("features") is not None:
        raise UnsupportedModelError(
            f"this {parts.name} has `features` of its own, which a file does not hold; only the package's networks "
            "predict without JAX."
        )
    activation = parts.parameters["activation"]
    if activation not in list(ACTIVATIONS):
        raise UnsupportedModelError(
            f"this {parts.name} has an activation of its own, which a file does not hold; without JAX it has to be one "
            f"of {', '.join(ACTIVATIONS)}."
        )
    return activation


def _member(parts: _Parts, i: str, activation: str, p: int, ratio: float, apart: tuple[int, ...] | None) -> Member:
    own = parts.below(f"kernel.{i}.")
    amplitude, linear, _, *lengths = own["numbers"].tolist()
    number = np.array(apart or [0] * len(lengths))
    shares = (np.unique(number)[:, None] == number).astype(np.float64)
    kernel = Kernel(amplitude, linear, np.array(lengths), own["centres"], _inverse(own["factor"]), shares)
    leaves = parts.numbered(f"phi.{i}.")
    learned = leaves[-1].shape[-1]
    drawn = parts.arrays.get(f"draws.{i}")
    if drawn is None:
        means, roots = _layer(parts, f"{i}.", p, learned, ratio)
    else:
        centre = parts.arrays.get(f"centre.{i}")
        centre = drawn.mean(axis=1) if centre is None else centre  # older files have none
        means = [_head(w[:, None], learned, ratio) for w in centre]
        roots = [_head(W.T, learned, ratio) for W in drawn]
    return Member(layers_from(leaves, activation), kernel, means, roots)


def _layer(parts: _Parts, tag: str, p: int, learned: int, ratio: float) -> tuple[list[Head], list[Head]]:
    """The mean of each output, and a root of its variance, as functions of the features."""
    posteriors = [parts.below(f"posterior.{tag}{j}.") for j in range(p)]
    return (
        [_head(posterior["m"][:, None], learned, ratio) for posterior in posteriors],
        [_head(_inverse(posterior["L"]), learned, ratio) for posterior in posteriors],
    )


def _head(W: np.ndarray, learned: int, ratio: float) -> Head:
    """Weights (features, functions) cut into those of the network, of the constant and of the kernel."""
    rest = W[learned + 1 :]
    return Head(W[:learned], W[learned], np.sqrt(ratio) * rest if len(rest) else None)


def _inverse(L: np.ndarray) -> np.ndarray:
    """Of the transpose of a lower Cholesky factor."""
    return solve_triangular(L, np.eye(len(L)), lower=True, check_finite=False).T


def _column_names(values: dict[str, Any]) -> tuple[str, ...]:
    return tuple(values["feature_names_in"]) or tuple(f"x{i}" for i in range(values["n_features_in"]))


def _columns(encoder: dict[str, Any]) -> tuple[tuple[str, ...], Columns | None]:
    """What the numbers of a row are, and how missing ones are filled in.

    If all columns are numbers or dates, a row has one number for each; otherwise those that they are encoded as.
    """
    described, plain = encoder["inputs"], all(column["kind"] != "category" for column in encoder["inputs"])
    names, owners, fills, marks = [], [], [], []
    for i, column in enumerate(described):
        own = [column["name"]]
        if column["kind"] == "category":
            own = [f"{column['name']}={level}" for level in column["levels"]]
            filled = [float(level == _MISSING_LEVEL) for level in column["levels"]]
        else:
            own += [f"{column['name']}={_MISSING_LEVEL}"] * column["indicator"]
            filled = [column["fill"], 1.0][: len(own)]
        marks += [name == f"{column['name']}={_MISSING_LEVEL}" for name in own]
        names, owners, fills = names + own, owners + [i] * len(own), fills + filled
    owned = np.eye(len(described))[:, owners]  # columns, numbers
    first = np.array([owners.index(i) for i in range(len(described))])
    given = first if plain else np.arange(len(names))
    inputs = tuple(names[i] for i in given)
    if encoder["missing"] != "impute":
        return inputs, None
    return inputs, Columns(
        placed=np.eye(len(names))[given],
        lacking=owned.T[given],
        marks=(owned.T * np.array(marks)[:, None])[given],
        owned=owned,
        fills=np.array(fills),
    )


def _view(values: dict[str, Any], names: tuple[str, ...]) -> View | None:
    """What the model is shown of a row, by what it was told."""
    statements = [one for one in values.get("told", {}).get("statements", []) if isinstance(one, AbstractView)]
    encoder = values.get("encoder")
    if not statements:
        return None
    if encoder is None:
        named = tuple(names) if values["feature_names_in"] else None
        return view_of(statements, TableColumns(named, tuple((i,) for i in range(len(names))), (False,) * len(names)))
    places, start = [], 0
    for width in _widths(encoder):
        places.append(tuple(range(start, start + width)))
        start += width
    kinds = tuple(column["kind"] == "category" for column in encoder["inputs"])
    return view_of(statements, TableColumns(tuple(c["name"] for c in encoder["inputs"]), tuple(places), kinds))


def _widths(encoder: dict[str, Any]) -> list[int]:
    """How many numbers each column of a table becomes."""
    return [len(c["levels"]) if c["kind"] == "category" else 1 + c["indicator"] for c in encoder["inputs"]]


def _plain(encoded: Any) -> Any:
    """Values of a file as Python values, as far as predictions need them; what else there is stays as it is."""
    if isinstance(encoded, list):
        return [_plain(item) for item in encoded]
    if not isinstance(encoded, dict):
        return encoded
    if "dict" in encoded:
        return {key: _plain(item) for key, item in encoded["dict"]}
    if "tuple" in encoded:
        return tuple(_plain(item) for item in encoded["tuple"])
    if "term" in encoded:
        name, fields = encoded["term"]
        known = all_terms()[name]
        return known(**{key: _plain(item) for key, item in fields}) if issubclass(known, AbstractView) else encoded
    return {key: _plain(item) for key, item in encoded.items()}
