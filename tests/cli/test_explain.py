"""`unabases explain`, as a user types it."""

import json

from tests.cli.conftest import RUN, run
from unabases.cli.main import app


def test_explain_tells_inputs_and_neighbours(place):
    said = run("explain", place / "m.una", place / "new.csv", "--row", "7", "--nearest", "3")
    lines = said.splitlines()
    assert lines[0].startswith("row 7: Unsure mostly because rooms = ")
    assert lines[1].startswith("price = ")
    first = next(i for i, line in enumerate(lines) if "the most unusual first" in line)
    assert lines[first + 2].split()[0] == "rooms"
    below = lines[next(i for i, line in enumerate(lines) if "nearest training rows" in line) + 1].split()
    assert below[:2] == ["distance", "rooms"]  # the input furthest outside first


def test_explain_for_programs(place):
    result = RUN.invoke(app, ["explain", str(place / "m.una"), str(place / "new.csv"), "--row", "7", "--json"])
    given = json.loads(result.stdout)
    assert given["sentence"].startswith("Unsure mostly because rooms = ")
    assert given["inputs"][0]["column"] == "rooms"
    assert len(given["nearest"]) == 5
