"""What an audit says: the right sentence for each case, and counts that agree with the rule for single rows."""

import math
import re

import numpy as np
import pytest

from unabases.audit.unfamiliar_rows import RowCounts, judge_rows
from unabases.audit.words import (
    RowFacts,
    change_text,
    group_sentence,
    interval_text,
    less_sure,
    rows_sentence,
    share_text,
    why,
)

LINE = {"column": "region", "value": "islands", "rows": 300, "share": 0.25, "share_training": 0.01, "relative": 2.3}
LINE |= {"deferred": 85, "named": False, "rows_rest": 300, "relative_rest": 2.3, "relative_training": 0.1, "p": 1.0}


def test_a_group_is_told_as_one_would_to_a_friend():
    said = "25 % of your rows, 1 % of the training rows; the model is 3.3 times less sure; 85 of 300 deferred"
    assert group_sentence(LINE) == f"region = islands: {said}"
    pair = LINE | {"column_2": "heating", "value_2": "oil"}
    assert group_sentence(pair).startswith("region = islands and heating = oil: ")
    absent = LINE | {"rows": 0, "share": 0.0, "share_training": math.nan}
    assert group_sentence(absent, name=False) == "none of your rows, an unknown share of the training rows"


@pytest.mark.parametrize(("relative", "words"), [(0.499, "50 % less sure"), (0.5, "1.5 times less sure")])
def test_small_changes_are_in_per_cent(relative, words):
    assert less_sure(relative) == words


def test_both_ends_of_an_interval_are_written_alike():
    assert interval_text(-0.49, 0.27) == "-49 % to +27 %"
    assert interval_text(-0.49, 8.99) == "-49 % to +899 %"
    assert interval_text(-0.49, 9.0) == "× 0.51 to × 10"
    assert interval_text(3.7, 123_455.0) == "× 4.7 to × 123,456"
    assert change_text(6.59, multiple=True) == "× 7.6"


def test_shares_near_a_tenth_have_one_style():
    assert less_sure(8.96) == "10 times less sure"
    assert (less_sure(123_455.0), less_sure(9.29e18)) == ("123,456 times less sure", "9e+18 times less sure")
    assert (change_text(123_455.0), change_text(9.29e18)) == ("× 123,456", "× 9e+18")
    assert [share_text(share) for share in (0.0994, 0.0996, 0.1)] == ["9.9 %", "10 %", "10 %"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"named": True}, "named: "),
        ({"rows": 0}, "not among your rows"),
        ({"relative": -0.2}, "as familiar as the training data, or more"),
        ({"relative": 0.01}, "as familiar as the training data"),
        ({"relative_rest": math.nan}, "all its rows belong to named groups"),
        ({"relative_rest": 0.1}, "comes from rows of named groups: +10 % without them"),
        ({"p": math.nan}, "too few rows to test (300)"),
        ({"p": math.nan, "rows_rest": 4}, "too few rows to test outside named groups (4)"),
        ({"relative_training": 2.0}, "no news: training rows with this value are at +200 %"),
        ({"p": 0.01}, "no less familiar than your other rows"),
        ({}, "can be chance"),
    ],
)
def test_a_change_that_is_not_named_is_explained(changes, words):
    assert why(LINE | changes, 0.05).startswith(words)


@pytest.mark.parametrize(("m", "odd"), [(20, 30), (60, 30), (111, 213), (500, 1)])
def test_rows_are_said_to_need_as_many_reference_rows_as_the_rule_does(m, odd):
    """With as many reference rows as the sentence asks for, the rule names the rows beyond; with one less, none."""
    n = 300 if odd <= 30 else 1200
    std = np.r_[np.full(odd, 9.0), np.zeros(n - odd)]

    def verdict(m):
        counts = RowCounts(np.linspace(0.5, 1.0, m))
        counts.add(std)
        return judge_rows(counts, 0.05)

    few = verdict(m)
    said = rows_sentence(RowFacts(n, m, few.named, few.beyond, 0.05))
    assert few.beyond == odd
    if few.named:
        assert said == f"{odd} of {n} rows are unlike the training data, each on its own"
    else:
        enough = int(re.search(r"at least ([\d,]+) are needed", said)[1].replace(",", ""))
        assert verdict(enough).named == odd
        assert verdict(enough - 1).named == 0


def test_rows_that_are_all_familiar_are_said_to_be():
    assert rows_sentence(RowFacts(300, 100, 0, 0, 0.05)).startswith("No row is less familiar than all 100")
