"""A study as a file: its space, settings and evaluations, in the container of model files, whole or not at all."""

import math
import os
from pathlib import Path
from typing import Any, NamedTuple

from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

from unabases.bayesopt.record import Evaluation, Record
from unabases.regressors import AbstractRegressor, all_regressors
from unabases.regressors.shared.parameters import check_kinds
from unabases.regressors.shared.saved_state import SavedState, StateError
from unabases.saving.container import ModelFileError, pack, package_version, parse_json, read_bytes, unpack
from unabases.saving.values import decode, describe, encode_or_name, not_saved
from unabases.selection.axes import Parameter
from unabases.selection.space import Space
from unabases.storage import write_whole

__all__ = ["Saved", "StudyFileError", "check_target", "read_study", "write_study"]

_VERSION = 1
_FIRST_FORMAT = "unabases.bayesopt"  # of studies before they had a checksum, which were plain JSON
_DEALS = 100  # points of the Sobol sequence that a study may pass over for each one that it takes
_SETTINGS = {"acquisition": str, "kappa": float, "warp": bool, "n_initial": int, "maximize": bool}
_KINDS: dict[str, Any] = {"real": FloatDistribution, "integer": IntDistribution}


class StudyFileError(ModelFileError):
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
    _check_directory(path)
    if path.exists():
        raise FileExistsError(
            f"{path} already exists: continue that study with `BayesOpt.load({str(path)!r})`, or name another file."
        )
    return path


def write_study(path: Path, saved: Saved) -> None:
    """Write a study to a file, which keeps its old content until the new one is complete."""
    _check_directory(path)
    record = saved.record
    key = record.space.key
    study = {
        "version": _VERSION,
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
    write_whole(path, pack({"study": study}, {}))


def read_study(path: Path, space: Space | None, surrogate: Any) -> Saved:
    """Read a file; a space or surrogate that is given replaces the file's own."""
    study = _content(path)
    try:
        own = _space(path, study["space"], space)
        saved = SavedState({}, study)
        return Saved(
            record=_record(own, saved),
            surrogate=_surrogate(path, study["surrogate"]) if surrogate is None else surrogate,
            settings=_settings(study["settings"]),
            autosave=saved.value("autosave", bool),
        )
    except StudyFileError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise StudyFileError(f"{path} has a part that is not understood: {error!r}.") from error


def _content(path: Path) -> dict[str, Any]:
    """What a file says of its study; also one of the first format, which has no checksum."""
    try:
        data = read_bytes(path)
        if data[:1] == b"{" and b"\0" not in data[:8]:  # the container begins with a length, which has zeros
            study: Any = parse_json(data)
            found, wrote = study.get("format") == _FIRST_FORMAT, study.get("written_by")
        else:
            content = unpack(data, str(path)).content
            study, wrote = content.get("study"), content.get("written_by")
            found = isinstance(study, dict)
    except StudyFileError:
        raise
    except (ValueError, RecursionError) as error:
        raise StudyFileError(f"{path} cannot be read as a study: {error}") from error
    if not found:
        raise StudyFileError(f"{path} is not a study that `BayesOpt.save` wrote; `unabases.load` reads models.")
    if study.get("version") != _VERSION:
        raise StudyFileError(
            f"{path} has version {study.get('version')} of the format, and only version {_VERSION} can be read: "
            f"it was written by unabases {wrote}, and this is {package_version()}."
        )
    return study


def _record(space: Space, saved: SavedState) -> Record:
    """What happened in a study: points of its space, finite values, and counts that these points can have."""
    told = [Evaluation(space.from_key(key), _value(value)) for key, value in saved.value("told", list)]
    pending = [space.from_key(key) for key in saved.value("pending", list)]
    seed, asked, dealt = (saved.value(name, int) for name in ("seed", "asked", "dealt"))
    if len({space.key(point) for point in pending}) < len(pending):
        raise StateError("a point is pending more than once")
    if seed < 0 or not len(pending) <= asked <= len(pending) + len(told):
        raise StateError(f"{asked} points were asked for, but {len(told)} are told and {len(pending)} pending")
    if not 0 <= dealt <= _DEALS * (asked + 1):
        raise StateError(f"{dealt} points of the sequence cannot have been used up by {asked} that were asked for")
    return Record(space, seed, asked, dealt, told, pending)


def _value(value: Any) -> float:
    """A value that was told: a finite number, or NaN for a failed evaluation, which a file has as null."""
    if value is not None and (type(value) not in (int, float) or not math.isfinite(value)):
        raise StateError(f"a value has to be a finite number or null, but is {value!r}")
    return math.nan if value is None else float(value)


def _settings(described: Any) -> dict[str, Any]:
    saved = SavedState({}, dict(described))
    if unknown := set(described) - set(_SETTINGS):
        raise StateError(f"{', '.join(sorted(unknown))} is not a setting of a study")
    return {name: saved.value(name, kind) for name, kind in _SETTINGS.items()}


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
        own = SavedState({}, item)
        name, kind = own.value("name", str), own.value("kind", str)
        if name in parameters:
            raise StateError(f"there are several parameters called {name!r}")
        if kind != "categorical":
            low, high = own.value("low", float), own.value("high", float)
            step = {"step": own.value("step", float)} if "step" in item else {}
            parameters[name] = _KINDS[kind](low, high, log=own.value("log", bool), **step)
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
    return check_kinds(all_regressors()[item["class"]](**{k: decode(value, {}) for k, value in parameters.items()}))


def _check_directory(path: Path) -> None:
    if not path.parent.is_dir():
        raise StudyFileError(f"cannot save to {path}: there is no directory {path.parent}; make it first.")
    if path.is_dir():
        raise StudyFileError(f"cannot save to {path}: it is a directory; add the name of a file.")
