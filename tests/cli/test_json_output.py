import json
from collections import Counter
from pathlib import Path

import numpy as np

from unabases.cli.json_output import plain, print_json


def test_results_become_what_json_knows(capsys):
    given = {"a": np.float64(1.5), "b": np.array([1, 2]), "c": np.inf, "d": Path("x"), "e": Counter("aab"), 3: np.True_}
    wanted = {"a": 1.5, "b": [1, 2], "c": None, "d": "x", "e": {"a": 2, "b": 1}, "3": True}
    assert plain(given) == wanted
    print_json(given)
    assert json.loads(capsys.readouterr().out) == wanted


def test_no_character_of_a_user_reaches_the_terminal_as_it_is(capsys):
    print_json("\x1b[31m \u202e \udcff é")
    said = capsys.readouterr().out
    assert said.isascii()
    assert "\x1b" not in said
    assert json.loads(said) == "\x1b[31m \u202e \udcff é"
