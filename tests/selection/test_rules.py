"""Which trial the rules take, by hand."""

import pandas as pd
import pytest

from unabases.selection.rules import kept_trials, likeliest, most_diverse

TRIALS = pd.DataFrame(
    {"log_likelihood": [-3.0, -2.5, -2.4, -2.6, -9.0], "diversity": [0.1, 0.5, 0.9, 0.2, 0.0]}, index=[0, 2, 3, 5, 7]
)


def test_the_likeliest():
    assert likeliest(TRIALS) == 3


@pytest.mark.parametrize(("keep", "chosen"), [(0.1, 3), (0.4, 2), (0.6, 5), (0.8, 0), (1.0, 7)])
def test_the_most_diverse_of_the_likeliest(keep, chosen):
    assert most_diverse(TRIALS, keep) == chosen


def test_a_tenth_of_sixty_is_six():
    many = pd.DataFrame({"log_likelihood": range(60), "diversity": range(60)})
    assert list(kept_trials(many, 0.1).index) == [59, 58, 57, 56, 55, 54]


def test_pruned_trials_count_in_the_share_and_are_never_taken():
    pruned = pd.DataFrame(
        {"log_likelihood": [float("nan")] * 15, "diversity": [float("nan")] * 15}, index=range(10, 25)
    )
    many = pd.concat([TRIALS, pruned])
    assert list(kept_trials(many, 0.1).index) == [3, 2]
    assert most_diverse(many, 0.1) == 2
    assert likeliest(many) == 3


@pytest.mark.parametrize(("error", "chosen"), [(0.05, 3), (0.15, 2), (0.25, 5), (0.65, 0), (7.0, 7)])
def test_within_a_standard_error_of_the_best(error, chosen):
    """The error of the best counts, not that of others."""
    errors = [9.0, 9.0, error, 9.0, 9.0]
    assert most_diverse(TRIALS.assign(standard_error=errors), "standard-error") == chosen


@pytest.mark.parametrize("keep", [0.0, -0.1, 1.5, "all"])
def test_a_share_that_makes_no_sense_is_refused(keep):
    with pytest.raises(ValueError, match="`keep`"):
        most_diverse(TRIALS, keep)
