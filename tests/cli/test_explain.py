"""`unabases explain`, as a user types it."""

from tests.cli.conftest import run


def test_explain_tells_inputs_and_neighbours(place):
    said = run("explain", place / "m.una", place / "new.csv", "--row", "7", "--nearest", "3")
    lines = said.splitlines()
    assert lines[0].startswith("row 7: price = ")
    first = next(i for i, line in enumerate(lines) if "the most unusual first" in line)
    assert lines[first + 2].split()[0] == "rooms"
    below = lines[next(i for i, line in enumerate(lines) if "nearest training rows" in line) + 1].split()
    assert below[:2] == ["distance", "rooms"]  # the input furthest outside first
