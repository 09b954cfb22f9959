"""Give mutated files to `load`, and see that each is refused with an own error or is a model that predicts."""

import functools
import random
import sys
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tests.saving.kept import STUDY, Kept, answers, open_kept
from tests.torture.mutations import mutate, take_apart
from unabases import runtime
from unabases.bayesopt import BayesOpt
from unabases.saving import ModelFileError
from unabases.training.cores import usable_cores

FINE = ("refused", "the same model", "another model", "refused to predict")
SLOW = 5.0  # seconds of work after which a file counts as a hang: others may be using the machine too
_CORES = usable_cores()
_SYSTEM = (
    "pickle.find_class",
    "os.system",
    "os.exec",
    "os.fork",
    "os.posix_spawn",
    "subprocess.Popen",
    "socket.connect",
)
_PYTHON = ("exec", "compile", "marshal.loads")  # the checks of shapes in tests make code as they go
_WAITING = 300.0  # seconds in which a file has to be answered, whoever else is at work


class Finding(NamedTuple):
    """A file that was answered with anything but an own error or a prediction."""

    name: str
    seed: int
    what: str


class Fuzzed(NamedTuple):
    """How many files were answered how, and those that were answered wrongly."""

    counts: Counter
    findings: list[Finding]


class _Watched(threading.local):
    """What this thread caused while it judged a file; None while it judges none."""

    events: list[str] | None = None


_watched = _Watched()


@functools.cache
def _watch() -> None:
    """Note events that run code, from now on, as no hook can be taken back."""
    wanted = frozenset(_SYSTEM if "beartype" in sys.modules else _SYSTEM + _PYTHON)

    def note(event: str, arguments: Any) -> None:
        if event in wanted and _watched.events is not None:
            _watched.events.append(event)

    sys.addaudithook(note)


def fuzz(
    kept: list[Kept], folder: Path, *, first: int, files: int, seconds: float = np.inf, light: bool = False
) -> Fuzzed:
    """Try files with the seeds first, first + 1, ...; every seed says which file is changed, and how."""
    parts = {each.name: take_apart(each.path.read_bytes()) for each in kept}
    counts, findings, end = Counter(), [], time.monotonic() + seconds
    _watch()
    for seed in range(first, first + files):
        if time.monotonic() > end:
            break
        rng = random.Random(seed)
        each = rng.choice(kept)
        path = folder / f"{STUDY if each.name == STUDY else 'model'}.una"
        path.write_bytes(mutate(parts[each.name], rng))
        answer = _timed(path, each, judge_light if light else judge)
        counts[answer] += 1
        if answer not in FINE:
            findings.append(Finding(each.name, seed, answer))
    return Fuzzed(counts, findings)


def _timed(path: Path, kept: Kept, judge: Callable[[Path, Kept], str]) -> str:
    """What became of a file, or how long that took if it is too long.

    Only a file that takes long is given a second time, and its work measured: it may have waited for others, or a
    program may have been compiled anew. To ask for a process's time costs as much as to judge a file.
    """
    begun = time.monotonic()
    answer = judge(path, kept)
    if _CORES * (time.monotonic() - begun) < SLOW:
        return answer
    begun, work = time.monotonic(), time.process_time()
    answer = judge(path, kept)
    waited, worked = time.monotonic() - begun, time.process_time() - work
    return f"took {worked:.0f} s of work and {waited:.0f} s in all" if worked > SLOW or waited > _WAITING else answer


def judge(path: Path, kept: Kept) -> str:
    """What became of a file."""
    for _ in range(2):  # once more, as a module of a library may have been imported
        _watched.events = []
        try:
            answer = _judge(path, kept)
        finally:
            events, _watched.events = _watched.events, None
        if not events:
            return answer
    return f"runs code: {events}"


def _judge(path: Path, kept: Kept) -> str:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            model = open_kept(path)
        except ModelFileError as error:
            return "refused" if len(str(error)) > 20 else "refused without a reason"
        except BaseException as error:
            return f"load: {type(error).__name__}: {str(error)[:200]}"
        try:
            found = answers(model)
        except ValueError as error:  # such as other names of columns
            return "refused to predict" if type(error) is ValueError else f"predict: {type(error).__name__}: {error}"
        except BaseException as error:
            return f"predict: {type(error).__name__}: {str(error)[:200]}"
    return _compare(model, found, kept.expected)


def judge_light(path: Path, kept: Kept) -> str:
    """What becomes of a file where it is read without JAX."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            model = runtime.load(path)
        except (ModelFileError, runtime.UnsupportedModelError) as error:
            return "refused" if len(str(error)) > 20 else "refused without a reason"
        except BaseException as error:
            return f"load: {type(error).__name__}: {str(error)[:200]}"
        try:
            found = _light_answers(model)
        except ValueError as error:  # such as too large for any number
            return "refused to predict" if type(error) is ValueError else f"predict: {type(error).__name__}: {error}"
        except BaseException as error:
            return f"predict: {type(error).__name__}: {str(error)[:200]}"
        return _compare(model, found, _light_answers(runtime.load(kept.path)))


def _light_answers(model: runtime.RuntimeModel) -> dict[str, list[float]]:
    d = model.predict_dist(np.array([[0.0], [1.0]]) * np.ones(len(model.inputs)))
    return {name: np.ravel(getattr(d, name)).tolist() for name in ("mean", "epistemic_std", "noise_std")}


def _compare(model: Any, found: dict[str, list[float]], expected: dict[str, list[float]]) -> str:
    if isinstance(model, BayesOpt):
        return "another model"
    if _alike(found, expected):
        return "the same model"
    if not all(np.all(np.isfinite(values)) for values in found.values()):
        return "predicts infinite or undefined numbers"
    if min(*found["epistemic_std"], *found["noise_std"]) < 0:
        return "predicts negative deviations"
    return "another model"


def _alike(found: dict[str, list[float]], expected: dict[str, list[float]]) -> bool:
    """Whether both hold the same numbers; a model of another kind may be asked about fewer or more rows."""
    if found.keys() != expected.keys() or any(len(found[key]) != len(expected[key]) for key in found):
        return False
    return all(np.allclose(found[key], expected[key], rtol=1e-6) for key in found)
