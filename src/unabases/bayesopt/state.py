"""A study as a JSON file: what was told and asked, the space and the settings; written whole or not at all."""

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from unabases.bayesopt.space import Categorical, Integer, Parameter, Real, Space
from unabases.regressors import AbstractRegressor, all_regressors
from unabases.saving.container import package_version
from unabases.saving.values import decode, describe, encode_or_name, not_saved
from unabases.storage import write_whole

__all__ = ["StudyFileError", "read_study", "write_study"]

_FORMAT, _VERSION = "unabases.bayesopt", 1
_SETTINGS = ("acquisition", "kappa", "warp", "n_initial", "maximize")
_KINDS = {"real": Real, "integer": Integer}


class StudyFileError(ValueError):
    """A file that is no study, or lacks something that has to be given again."""


class Study(NamedTuple):
    """What a file holds."""

    space: Space
    surrogate: Any
    settings: dict[str, Any]
    seed: int
    asked: int
    dealt: int
    evaluations: list[tuple[dict[str, Any], float]]
    pending: list[dict[str, Any]]
    autosave: bool


def check_target(path: Any) -> Path:
    """Where a new study may save itself: a file that is not there yet, in a directory that is."""
    path = Path(os.fspath(path))
    if path.exists():
        raise FileExistsError(
            f"{path} exists already: continue that study with `BayesOpt.load({str(path)!r})`, or name another file."
        )
    _check_directory(path)
    return path


def write_study(path: Path, study: Any, *, autosave: bool) -> None:
    """Write a `BayesOpt` to a file, which until the last moment keeps what it held."""
    _check_directory(path)
    space = study.space
    content = {
        "format": _FORMAT,
        "version": _VERSION,
        "written_by": package_version(),
        "autosave": autosave,
        "space": [{"name": name, **_describe(parameter)} for name, parameter in space.parameters.items()],
        "settings": {name: getattr(study, name) for name in _SETTINGS},
        "surrogate": _describe_surrogate(study.surrogate),
        "seed": study._seed,
        "asked": study._asked,
        "dealt": study._dealt,
        "told": [[list(space.key(x)), value if math.isfinite(value) else None] for x, value in study._evaluations],
        "pending": [list(space.key(x)) for x in study._pending],
    }
    write_whole(path, json.dumps(content, allow_nan=False, indent=1).encode())


def read_study(path: Path, space: Space | None, surrogate: Any) -> Study:
    """What a file holds, with the space and surrogate that were given taking the place of its own."""
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
            f"{path} has version {content.get('version')} of the format and this is version {_VERSION}: it was written "
            f"by unabases {content.get('written_by')}, this is {package_version()}."
        )
    try:
        own = _space(path, content["space"], space)
        return Study(
            space=own,
            surrogate=_surrogate(path, content["surrogate"]) if surrogate is None else surrogate,
            settings=dict(content["settings"]),
            seed=int(content["seed"]),
            asked=int(content["asked"]),
            dealt=int(content["dealt"]),
            evaluations=[
                (_point(own, key), math.nan if value is None else float(value)) for key, value in content["told"]
            ],
            pending=[_point(own, key) for key in content["pending"]],
            autosave=bool(content["autosave"]),
        )
    except StudyFileError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise StudyFileError(f"{path} has a part that is not understood: {error!r}.") from error


def _describe(parameter: Parameter) -> dict[str, Any]:
    if isinstance(parameter, Categorical):
        return {"kind": "categorical", "choices": [_plain(choice) for choice in parameter.choices]}
    kind = "real" if isinstance(parameter, Real) else "integer"
    return {"kind": kind, "low": parameter.low, "high": parameter.high, "log": parameter.log}


def _plain(value: Any) -> Any:
    """JSON for a value, or for its name where it is neither plain nor made of plain values."""
    arrays: dict[str, Any] = {}
    encoded = encode_or_name(value, "array", arrays)
    return {"object": describe(value)} if arrays else encoded


def _space(path: Path, listed: list[dict[str, Any]], given: Space | None) -> Space:
    """The space of a file; where one is given, that, if it fits."""
    if given is not None:
        own = [{"name": name, **_describe(parameter)} for name, parameter in given.parameters.items()]
        if own != listed:
            raise StudyFileError(f"{path} holds a study of another space than {given}; its own is {listed}.")
        return given
    parameters = {}
    for item in listed:
        name, kind = item["name"], item["kind"]
        if kind != "categorical":
            parameters[name] = _KINDS[kind](item["low"], item["high"], item["log"])
            continue
        if lost := [kept[1] for choice in item["choices"] if (kept := not_saved(choice))]:
            raise StudyFileError(
                f"{path} holds only the name of a choice of `{name}`, {lost[0]}; give the whole space again: "
                "`BayesOpt.load(path, space=...)`."
            )
        parameters[name] = Categorical([decode(choice, {}) for choice in item["choices"]])
    return Space(parameters)


def _describe_surrogate(surrogate: Any) -> Any:
    """None for the default, the parameters of a regressor of ours, the name of anything else."""
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
        raise StudyFileError(f"{path} does not hold what the surrogate had as {', '.join(lost)}; {again}")
    return all_regressors()[item["class"]](**{name: decode(value, {}) for name, value in parameters.items()})


def _point(space: Space, key: list[Any]) -> dict[str, Any]:
    """The point of which `Space.key` was written."""
    values = {}
    for (name, parameter), value in zip(space.parameters.items(), key, strict=True):
        values[name] = parameter.choices[value] if isinstance(parameter, Categorical) else parameter.check(value)
    return values


def _check_directory(path: Path) -> None:
    if not path.parent.is_dir():
        raise StudyFileError(f"cannot save to {path}: there is no directory {path.parent}; make it first.")
    if path.is_dir():
        raise StudyFileError(f"cannot save to {path}: it is a directory; add the name of a file.")
