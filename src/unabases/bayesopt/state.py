"""A study as a JSON file: its space, settings and evaluations; written as a whole or not at all."""

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

from unabases.bayesopt.record import Evaluation, Record
from unabases.regressors import AbstractRegressor, all_regressors
from unabases.saving.container import package_version
from unabases.saving.values import decode, describe, encode_or_name, not_saved
from unabases.selection.axes import Parameter
from unabases.selection.space import Space
from unabases.storage import write_whole

__all__ = ["Saved", "StudyFileError", "check_target", "read_study", "write_study"]

_FORMAT, _VERSION = "unabases.bayesopt", 1
_KINDS: dict[str, Any] = {"real": FloatDistribution, "integer": IntDistribution}


class StudyFileError(ValueError):
    """A file is not a study, or does not hold something that has to be given again."""


class Saved(NamedTuple):
    """What a file holds: everything that happened, the surrogate, other parameters of `BayesOpt`, and `autosave`."""

    record: Record
    surrogate: Any
    settings: dict[str, Any]
    autosave: bool


def check_target(path: Any) -> Path:
    """The file to which a new study may save itself: not there yet, in a directory that is."""
    path = Path(os.fspath(path))
    if path.exists():
        raise FileExistsError(
            f"{path} already exists: continue that study with `BayesOpt.load({str(path)!r})`, or name another file."
        )
    _check_directory(path)
    return path


def write_study(path: Path, saved: Saved) -> None:
    """Write a study to a file, which keeps its old content until the new one is complete."""
    _check_directory(path)
    record = saved.record
    key = record.space.key
    content = {
        "format": _FORMAT,
        "version": _VERSION,
        "written_by": package_version(),
        "autosave": saved.autosave,
        "space": _describe_space(record.space),
        "settings": saved.settings,
        "surrogate": _describe_surrogate(saved.surrogate),
        "seed": record.seed,
        "asked": record.asked,
        "dealt": record.dealt,
        "told": [[list(key(x)), value if math.isfinite(value) else None] for x, value in record.evaluations],
        "pending": [list(key(x)) for x in record.pending],
    }
    write_whole(path, json.dumps(content, allow_nan=False, indent=1).encode())


def read_study(path: Path, space: Space | None, surrogate: Any) -> Saved:
    """Read a file; a space or surrogate that is given replaces the file's own."""
    try:
        content = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise StudyFileError(f"there is no file {path}.") from None
    except (OSError, ValueError) as error:
        raise StudyFileError(f"{path} cannot be read as a study: {error}.") from error
    if not isinstance(content, Mapping) or content.get("format") != _FORMAT:
        raise StudyFileError(f"{path} is not a study that `BayesOpt.save` wrote.")
    if content.get("version") != _VERSION:
        raise StudyFileError(
            f"{path} has version {content.get('version')} of the format, and only version {_VERSION} can be read: "
            f"it was written by unabases {content.get('written_by')}, and this is {package_version()}."
        )
    try:
        own = _space(path, content["space"], space)
        told = [
            Evaluation(own.from_key(key), math.nan if value is None else float(value)) for key, value in content["told"]
        ]
        pending = [own.from_key(key) for key in content["pending"]]
        seed, asked, dealt = (int(content[name]) for name in ("seed", "asked", "dealt"))
        return Saved(
            record=Record(own, seed, asked, dealt, told, pending),
            surrogate=_surrogate(path, content["surrogate"]) if surrogate is None else surrogate,
            settings=dict(content["settings"]),
            autosave=bool(content["autosave"]),
        )
    except StudyFileError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise StudyFileError(f"{path} has a part that is not understood: {error!r}.") from error


def _describe_space(space: Space) -> list[dict[str, Any]]:
    return [{"name": name, **_describe(parameter)} for name, parameter in space.parameters.items()]


def _describe(parameter: Parameter) -> dict[str, Any]:
    if isinstance(parameter, CategoricalDistribution):
        return {"kind": "categorical", "choices": [_plain(choice) for choice in parameter.choices]}
    whole = isinstance(parameter, IntDistribution)
    found = {"kind": "integer" if whole else "real", "low": parameter.low, "high": parameter.high, "log": parameter.log}
    return found if parameter.step == (1 if whole else None) else {**found, "step": parameter.step}


def _plain(value: Any) -> Any:
    """JSON for a plain value; the name of anything else."""
    arrays: dict[str, Any] = {}
    encoded = encode_or_name(value, "array", arrays)
    return {"object": describe(value)} if arrays else encoded


def _space(path: Path, listed: list[dict[str, Any]], given: Space | None) -> Space:
    """The space of a file, or the given one if it matches."""
    if given is not None:
        if _describe_space(given) != listed:
            raise StudyFileError(f"{path} holds a study of another space than {given}; its own is {listed}.")
        return given
    parameters = {}
    for item in listed:
        name, kind = item["name"], item["kind"]
        if kind != "categorical":
            step = {"step": item["step"]} if "step" in item else {}
            parameters[name] = _KINDS[kind](item["low"], item["high"], log=item["log"], **step)
            continue
        if lost := [kept[1] for choice in item["choices"] if (kept := not_saved(choice))]:
            raise StudyFileError(
                f"{path} holds only the name of a choice of `{name}`, {lost[0]}; give the whole space again: "
                "`BayesOpt.load(path, space=...)`."
            )
        parameters[name] = [decode(choice, {}) for choice in item["choices"]]
    return Space(parameters)


def _describe_surrogate(surrogate: Any) -> Any:
    """None for the default, the parameters of a regressor of unabases, the name of anything else."""
    if surrogate is None:
        return None
    name = type(surrogate).__name__
    if not isinstance(surrogate, AbstractRegressor) or all_regressors().get(name) is not type(surrogate):
        return {"object": describe(surrogate)}
    return {"class": name, "parameters": {k: _plain(v) for k, v in surrogate.get_params(deep=False).items()}}


def _surrogate(path: Path, item: Any) -> Any:
    """The surrogate of a file, unfitted."""
    if item is None:
        return None
    again = "give it again: `BayesOpt.load(path, surrogate=...)`."
    if kept := not_saved(item):
        raise StudyFileError(f"{path} holds only the name of the surrogate, {kept[1]}; {again}")
    if item["class"] not in all_regressors():
        raise StudyFileError(f"{path} has a surrogate {item['class']!r}, which is not a regressor here; {again}")
    parameters = item["parameters"]
    if lost := [name for name, value in parameters.items() if not_saved(value)]:
        raise StudyFileError(f"{path} does not hold the surrogate's {', '.join(lost)}; {again}")
    return all_regressors()[item["class"]](**{name: decode(value, {}) for name, value in parameters.items()})


def _check_directory(path: Path) -> None:
    if not path.parent.is_dir():
        raise StudyFileError(f"cannot save to {path}: there is no directory {path.parent}; make it first.")
    if path.is_dir():
        raise StudyFileError(f"cannot save to {path}: it is a directory; add the name of a file.")
