"""Run the long tests: `python -m tests.torture --minutes 60 --seed 1`; it ends with 1 if anything was wrong."""

import argparse
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.saving.kept import answers, kept_files, open_kept
from tests.torture.fuzz import fuzz
from tests.torture.kills import kill_fits, kill_searches

_MEMORY = 4 * 2**30  # bytes that a process may have beyond what it has when all files are loaded
_KILLS_SHARE = 0.2  # of the time, for processes to be killed
_BLOCK = 1000  # files between two lines of progress


def main() -> int:
    """Mutate files and kill processes for some minutes, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long to go on")
    parser.add_argument("--seed", type=int, default=0, help="where to begin: another seed tries other files")
    parser.add_argument("--kills", type=int, default=100, help="most kills of each kind")
    given = parser.parse_args()
    begun, rng = time.monotonic(), random.Random(given.seed)
    seconds = 60 * given.minutes
    wrong: list[str] = []
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        folder = Path(name)
        for share, kind, kill in ((0.5, "fit", kill_fits), (1.0, "Bayesian optimisation", kill_searches)):
            end = begun + share * _KILLS_SHARE * seconds
            done, bad = kill(folder, rng, kills=given.kills, end=end)
            print(f"{done} kills of a {kind}: {len(bad)} wrong", flush=True)
            wrong += bad
        kept = list(kept_files())
        for each in kept:
            answers(open_kept(each.path))  # compiles what it needs, so that this counts for no file
        _limit_memory()
        counts, first = Counter(), given.seed * 10**8
        while (left := begun + seconds - time.monotonic()) > 0:
            found = fuzz(kept, folder, first=first, files=_BLOCK, seconds=left)
            counts += found.counts
            first += _BLOCK
            wrong += [f"{finding.name}, seed {finding.seed}: {finding.what}" for finding in found.findings]
            said = ", ".join(f"{count} {what}" for what, count in counts.most_common(6))
            print(f"{counts.total()} mutated files: {said}", flush=True)
    for line in wrong:
        print(f"WRONG: {line}")
    print(f"{len(wrong)} wrong in {(time.monotonic() - begun) / 60:.1f} minutes")
    return int(bool(wrong))


def _limit_memory() -> None:
    """Let allocations fail beyond some size, so that a file that asks for too much is seen."""
    pages = int(Path("/proc/self/statm").read_text().split()[0]) if Path("/proc/self/statm").exists() else None
    if pages is not None:
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + _MEMORY, resource.RLIM_INFINITY))


if __name__ == "__main__":
    sys.exit(main())
