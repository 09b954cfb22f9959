"""Keep what the searches of the profile `paper` chose, for the profile `quick`; see `unabases.paper.chosen`.

First run `unabases reproduce` with the profile `paper` for gap-search, luna-heads, and consistency with the methods
"LUNA (paper)", "LUNA" and "NLM, MAP". Then run `python -m benchmarks.chosen STORE...`.
"""

import json
import sys
from pathlib import Path

from unabases.paper import chosen
from unabases.paper.store import ResultStore
from unabases.storage import write_whole

SEARCHED = ("gamma", "lam", "schedule")


def main(stores: list[str]) -> None:
    """Take over what the searches in these stores chose, experiment by experiment."""
    found = dict(chosen.CHOSEN)
    for store in stores:
        found |= chosen.chosen_parameters(ResultStore(store).rows(), SEARCHED)
    text = json.dumps(found, indent=2, ensure_ascii=False, sort_keys=True)
    write_whole(Path(chosen.__file__).with_name("chosen.json"), f"{text}\n".encode())


if __name__ == "__main__":
    main(sys.argv[1:])
