import math

import pandas as pd
import pytest

from unabases.audit.reasons import rises_in_words, why_unsure

NUMBER = {"column": "size", "value": 90.0, "percentile": 0.97, "share": math.nan, "outside": 1.4, "typical": 50.0}
LEVEL = {"column": "region", "value": "islands", "percentile": math.nan, "share": 0.01, "outside": 5.0}
LEVEL |= {"typical": "north"}


def inputs(*lines):
    return pd.DataFrame([{"std_if_typical": 4.0, **line} for line in lines])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (LEVEL, "region = islands was rare in training (1 % of rows): with region = north"),
        (LEVEL | {"share": 0.0}, "region = islands was never seen in training"),
        (LEVEL | {"share": 0.0, "value": None}, "region is missing, as it never was in training"),
        (LEVEL | {"share": math.nan, "value": None}, "region is missing:"),
        (LEVEL | {"share": 0.3}, "region = islands (30 % of rows) goes with other values here"),
        (NUMBER, "size = 90 is higher than in 97 % of training rows"),
        (NUMBER | {"percentile": 0.02}, "size = 90 is lower than in 98 % of training rows"),
        (NUMBER | {"percentile": 1.0}, "size = 90 is above all values in training"),
        (NUMBER | {"percentile": 0.0}, "size = 90 is below all values in training"),
        (NUMBER | {"percentile": math.nan}, "size is missing"),
        (NUMBER | {"outside": 0.4}, "size = 90 goes with other values here than in training"),
    ],
)
def test_the_input_that_takes_most_away_is_the_reason(line, reason):
    """The std is 4, usual is 1; what takes away 1.5 of the 3 too much is most of it."""
    other = {**NUMBER, "column": "age", "std_if_typical": 3.9}
    said = why_unsure(4.0, 3.0, 0.01, inputs(other, line | {"std_if_typical": 2.5}))
    assert said.startswith(f"Unsure mostly because {reason}")
    assert said.endswith("the epistemic std would fall from 4 to 2.5.")


def test_a_smaller_part_is_called_one_and_a_tiny_one_no_reason():
    assert why_unsure(4.0, 3.0, 0.01, inputs(LEVEL | {"std_if_typical": 3.0})).startswith(
        "Unsure in part because region"
    )
    assert why_unsure(4.0, 3.0, 0.01, inputs(LEVEL | {"std_if_typical": 3.9})).startswith("No single input")
    assert why_unsure(4.0, 3.0, 0.01, inputs(LEVEL | {"std_if_typical": 9.0})).startswith("No single input")


@pytest.mark.parametrize(("relative", "p"), [(0.5, 0.4), (-0.1, 0.05)])
def test_a_familiar_row_is_called_familiar(relative, p):
    assert why_unsure(4.0, relative, p, inputs(LEVEL)).startswith("Nothing unusual")


def test_a_rise_is_explained_and_only_a_rise():
    assert rises_in_words(4.0, inputs(LEVEL, NUMBER)) == ""
    one, two = LEVEL | {"std_if_typical": 5.0}, NUMBER | {"std_if_typical": 6.0}
    assert rises_in_words(4.0, inputs(one)).startswith("With a typical region the model would be less sure, not surer")
    assert rises_in_words(4.0, inputs(one, two)).startswith("With a typical region or size the model")
    many = [two | {"column": name} for name in "abcde"]
    assert rises_in_words(4.0, inputs(*many)).startswith("With a typical a, b or c and 2 more the model")
