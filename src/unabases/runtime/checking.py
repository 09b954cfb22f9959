"""What has to hold of a file before it is described: the rules of `unabases.load`, without what that imports."""

from typing import Any

import numpy as np

from unabases.predictive.checks import EXTREMES
from unabases.regressors.shared.missing_noise import noise_from
from unabases.regressors.shared.saved_state import SavedState, StateError

__all__ = [
    "check_columns",
    "check_fourier",
    "check_kernel",
    "check_layer",
    "check_network",
    "check_noise",
    "check_rows",
    "check_stack",
    "check_widths",
]

_KINDS = ("number", "category", "date")
_MISSING = ("refuse", "drop", "impute")
_PATTERN = {"weights": "q", "low": "d", "high": "d", "center": "q", "spread": "q"}


def check_rows(saved: SavedState, statements: int) -> None:
    """Scales, names and the kind of output; afterwards d and p are the numbers of a row and of outputs."""
    for name, letter in (("x", "d"), ("y", "p")):
        saved.array(f"{name}.center", letter)
        saved.array(f"{name}.spread", letter, "positive")
    if max(np.abs(saved.arrays["y.center"]).max(), saved.arrays["y.spread"].max()) > 2 * EXTREMES[1]:
        raise StateError(f"the scale of the targets is beyond {EXTREMES[1]:g}, which no fit accepts")
    columns, names = saved.value("n_features_in", int), saved.value("feature_names_in", list)
    if not all(type(name) is str for name in names) or len(names) not in (0, columns):
        raise StateError(f"`feature_names_in` has to be {columns} names or none")
    if saved.value("encoder", dict, None) is None and not 1 <= columns <= saved.sizes["d"] + statements:
        raise StateError(f"there are {columns} columns, but {saved.sizes['d']} numbers a row")
    if saved.value("vector_output", bool) and saved.sizes["p"] != 1:
        raise StateError(f"there are {saved.sizes['p']} outputs, so y cannot have been a vector")


def check_columns(encoder: dict[str, Any], columns: int) -> None:
    """Columns of a table, each with a name, a kind and different levels."""
    described = encoder["inputs"]
    if encoder["missing"] not in _MISSING or type(described) is not list or len(described) != columns:
        raise StateError(
            f"the table has to have {columns} columns, and one of {', '.join(_MISSING)} for missing values"
        )
    for column in described:
        name, kind, levels, fill = (column[key] for key in ("name", "kind", "levels", "fill"))
        named = type(name) is str and type(levels) is list and all(type(level) is str for level in levels)
        typed = kind in _KINDS and type(fill) is float and type(column["indicator"]) is bool
        if not (named and typed and np.isfinite(fill) and len(set(levels)) == len(levels)):
            raise StateError(f"{name!r} is not a column that a table can have")
    if len({column["name"] for column in described}) < columns:
        raise StateError("several columns have the same name")


def check_network(leaves: list[np.ndarray], inputs: int, *, lead: tuple[int, ...] = ()) -> int:
    """Weights, then biases, of layers that follow each other; how many numbers come out of the last."""
    cut, units = len(leaves) // 2, inputs
    if not leaves or len(leaves) % 2 or not all(_fine(leaf) for leaf in leaves):
        raise StateError("a network has to have weights and biases for each layer, all of them finite")
    for W, b in zip(leaves[:cut], leaves[cut:], strict=True):
        if W.ndim != len(lead) + 2 or W.shape[-2] < 1 or W.shape != (*lead, W.shape[-2], units):
            raise StateError(f"a layer that takes {units} numbers has weights of shape {W.shape}")
        units = W.shape[-2]
        if b.shape != (*lead, units):
            raise StateError(f"a layer of {units} units has biases of shape {b.shape}")
    return units


def check_fourier(leaves: list[np.ndarray], inputs: int) -> int:
    """The arrays of Fourier features on a residual network; how many features these are."""
    if len(leaves) < 4 or not all(_fine(leaf) for leaf in leaves):
        raise StateError("Fourier features have to have a projection, a bound, frequencies and phases, all finite")
    projection, *layers, bound, frequencies, phases = leaves
    units = check_network([projection, np.zeros(len(projection), np.float32)], inputs) if projection.ndim == 2 else 0
    if (layers and check_network(layers, units) != units) or any(
        W.shape != (units, units) for W in layers[: len(layers) // 2]
    ):
        raise StateError("every layer of a residual network has to have the same units")
    if bound.shape or bound <= 0 or phases.ndim != 1 or not len(phases) or frequencies.shape != (len(phases), units):
        raise StateError("the Fourier features do not fit the network below them")
    return len(phases)


def check_stack(leaves: list[np.ndarray], masks: np.ndarray | None, inputs: int, outputs: int) -> None:
    """Whole networks side by side, or one and the masks of its passes."""
    if len(leaves) < 3 or not _fine(leaves[-1]) or leaves[-1].ndim < 2 or not leaves[-1].size:
        raise StateError("a network has to have layers and a last layer, all of them finite")
    *layers, W = leaves
    lead = W.shape[:1] if masks is None else ()
    units = check_network(layers, inputs, lead=lead)
    if W.shape[-1] != units + 1 or W.size != (lead or (1,))[0] * outputs * (units + 1):
        raise StateError(f"a last layer of {units} features and {outputs} outputs has weights of shape {W.shape}")
    if masks is not None:
        width = sum(b.shape[-1] for b in layers[len(layers) // 2 :])
        if masks.ndim != 2 or not len(masks) or masks.shape[1] != width or not _fine(masks) or np.any(masks < 0):
            raise StateError(f"masks have to have {width} columns of finite numbers that are not negative")


def check_layer(saved: SavedState, tag: str, features: int) -> None:
    """The last layer of every output, on so many features, the constant one included."""
    for j in range(saved.sizes["p"]):
        own = saved.below(f"posterior.{tag}{j}.", k=features)
        own.array("m", "k")
        own.factor("L", "k k")
        own.number("sigma2", "positive")


def check_kernel(saved: SavedState) -> int:
    """The kernel of a member; how many centres it has."""
    saved.sizes["numbers"] = 3 + saved.sizes["d"]
    saved.array("numbers", "numbers", "positive")
    saved.array("centres", "m d")
    saved.factor("factor", "m m")
    return saved.sizes["m"]


def check_noise(saved: SavedState, columns: int) -> None:
    """How noise varies, how heavy tails are, and what a missing value adds."""
    if (pattern := saved.below("pattern.", q=2 * saved.sizes["d"])).arrays:
        for name, shape in _PATTERN.items():
            pattern.array(name, shape, "positive" if name == "spread" else "any")
        if not 0 <= pattern.number("floor", "not negative") <= 1 or pattern.number("level", "positive") <= 0:
            raise StateError("the pattern of the noise has to be positive")
    if (tails := saved.below("tails.")).arrays:
        for name in ("df", "far") if "far" in tails.arrays else ("df",):
            if np.any(tails.array(name, "p", "positive") <= 2):
                raise StateError("the degrees of freedom of the tails have to be above 2")
    noise_from(saved, columns)


def check_widths(name: str, arrays: dict[str, np.ndarray], outputs: int) -> None:
    """What a regressor that wraps another one says of its width."""
    saved = SavedState(arrays, {}, p=outputs)
    if name == "GapCalibrated":
        for part, sign in (("epistemic", "positive"), ("noise", "positive"), ("level", "not negative")):
            saved.array(f"scale.{part}", "p", sign)
    if name == "Conformal":
        levels = saved.array("widths.levels", "k", "positive", empty=True)
        after = saved.array("widths.after", "k p", "positive", empty=True)
        noise = saved.array("widths.noise", "p", "positive")
        if np.any(levels >= 1) or any(np.any(np.diff(part, axis=0) <= 0) for part in (levels, after)):
            raise StateError("levels have to be below 1 and above 0 and to rise, and their intervals with them")
        if max(after.max(initial=0.0), noise.max()) > EXTREMES[1]:
            raise StateError(f"intervals are more than {EXTREMES[1]:g} stds wide, and no number can hold their square")


def _fine(array: np.ndarray) -> bool:
    return array.dtype == np.float32 and bool(np.all(np.isfinite(array)))
