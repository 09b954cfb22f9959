"""Run the long tests: `python -m tests.torture --minutes 60 --seed 1`; it ends with 1 if anything was wrong."""

import argparse
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.calibration.ranks import LEVEL
from tests.saving.kept import STUDY, Kept, answers, kept_files, open_kept
from tests.torture.fuzz import fuzz
from tests.torture.interrupts import interrupt_commands
from tests.torture.kills import kill_chunked_fits, kill_fits, kill_reproductions, kill_searches
from tests.torture.load import Loaded, fit_many, predict_while_updating
from tests.torture.simulations import ALLOWED, LEAST, MODELS, hamiltonian_chance, simulate

_MEMORY = 4 * 2**30  # bytes that a process may have beyond what it has when all files are loaded
_BLOCK = 1000  # files between two lines of progress


def main() -> int:
    """Give each part its share of the time, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long to go on")
    parser.add_argument("--seed", type=int, default=0, help="where to begin: another seed tries other files")
    parser.add_argument("--kills", type=int, default=100, help="most kills of each kind")
    parser.add_argument("--only", choices=PARTS, action="append", help="this part alone; may be repeated")
    given = parser.parse_args()
    begun, parts = time.monotonic(), given.only or list(PARTS)
    whole, wrong = sum(PARTS[name].share for name in parts), []
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        for part in parts:
            seconds = 60 * given.minutes * PARTS[part].share / whole
            folder = Path(name) / part
            folder.mkdir()
            wrong += PARTS[part].run(Task(folder, given.seed, given.kills, seconds))
    for line in wrong:
        print(f"WRONG: {line}")
    print(f"{len(wrong)} wrong in {(time.monotonic() - begun) / 60:.1f} minutes")
    return int(bool(wrong))


class Task(NamedTuple):
    """Where to work, with which seed, how often to kill at most, and for how long."""

    folder: Path
    seed: int
    kills: int
    seconds: float


class Part(NamedTuple):
    """What to do, and its share of the time; it returns what was wrong, in words."""

    run: Callable[[Task], list[str]]
    share: float


def _kills(task: Task) -> list[str]:
    rng, wrong, begun = random.Random(task.seed), [], time.monotonic()
    for place, (kind, kill) in enumerate(_KILLS.items()):
        end = begun + task.seconds * (place + 1) / len(_KILLS)
        done, bad = kill(task.folder, rng, kills=task.kills, end=end)
        print(f"{done} kills of a {kind}: {len(bad)} wrong", flush=True)
        wrong += bad
    return wrong


def _interrupts(task: Task) -> list[str]:
    rng, end = random.Random(task.seed), time.monotonic() + task.seconds
    done, wrong = interrupt_commands(task.folder, rng, kills=task.kills, end=end)
    print(f"{done} commands were sent Ctrl-C: {len(wrong)} wrong", flush=True)
    return wrong


def _threads(task: Task) -> list[str]:
    return _tell("predictions and updates by ten threads", predict_while_updating(seconds=task.seconds))


def _fits(task: Task) -> list[str]:
    return _tell("fits of random shapes", fit_many(fits=1000, seconds=task.seconds, seed=task.seed))


def _tell(what: str, found: Loaded) -> list[str]:
    sizes = f"{found.bytes_before / 2**20:.0f} MB, then {found.bytes_after / 2**20:.0f} MB"
    print(f"{found.done} {what}: {len(found.wrong)} wrong, {sizes}", flush=True)
    return found.wrong


def _simulations(task: Task) -> list[str]:
    chance = hamiltonian_chance()
    print(f"Hamiltonian Monte Carlo, 100 linear models: p = {chance:.2g}", flush=True)
    wrong = [] if chance > LEVEL else ["ranks of Hamiltonian Monte Carlo are not uniform"]
    for name, model in MODELS.items():
        found = simulate(model, simulations=400, seconds=task.seconds / len(MODELS))
        for where, one, ranks in (("gap", found.gap, found.gap_ranks), ("data", found.data, found.data_ranks)):
            shares = f"{100 * one.half:.0f} % inside 50 %, {100 * one.ninety:.0f} % inside 90 %"
            said = f"{name}, {where}: {one.simulations} functions, {shares}, p = {one.p_value:.2g}, ranks {ranks:.2g}"
            print(said, flush=True)
            if one.simulations >= LEAST and not ALLOWED[0] <= one.ninety <= ALLOWED[1]:
                wrong.append(said)
    return wrong


def _light(task: Task) -> list[str]:
    kept = [each for each in kept_files() if each.name != STUDY]
    return _mutate(kept, task, light=True)


def _fuzz(task: Task) -> list[str]:
    kept = list(kept_files())
    for each in kept:
        answers(open_kept(each.path))  # compiles what it needs, so that this counts for no file
    return _mutate(kept, task, light=False)


def _mutate(kept: list[Kept], task: Task, light: bool) -> list[str]:
    wrong, end = [], time.monotonic() + task.seconds
    _limit_memory()
    counts, first = Counter(), task.seed * 10**8
    while (left := end - time.monotonic()) > 0:
        found = fuzz(kept, task.folder, first=first, files=_BLOCK, seconds=left, light=light)
        counts += found.counts
        first += _BLOCK
        said = [f"{each.name}, seed {each.seed}: {each.what}" for each in found.findings]
        print(*said, sep="\n", end="\n" * bool(said), flush=True)
        wrong += said
        said = ", ".join(f"{count} {what}" for what, count in counts.most_common(6))
        print(f"{counts.total()} mutated files: {said}", flush=True)
    return wrong


def _limit_memory() -> None:
    """Let allocations fail beyond some size, so that a file that asks for too much is seen."""
    pages = int(Path("/proc/self/statm").read_text().split()[0]) if Path("/proc/self/statm").exists() else None
    if pages is not None:
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + _MEMORY, resource.RLIM_INFINITY))


_KILLS = {
    "fit": kill_fits,
    "Bayesian optimisation": kill_searches,
    "reproduction": kill_reproductions,
    "fit of a table in pieces": kill_chunked_fits,
}
# Mutated files come last, since they limit the memory of the process.
PARTS = {
    "kills": Part(_kills, 3),
    "interrupts": Part(_interrupts, 1),
    "threads": Part(_threads, 1),
    "fits": Part(_fits, 1),
    "simulations": Part(_simulations, 2),
    "light": Part(_light, 1),
    "fuzz": Part(_fuzz, 5),
}


if __name__ == "__main__":
    sys.exit(main())
