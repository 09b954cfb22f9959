"""Wishes on heads and the prior over functions."""

import pytest

from unabases.terms import Diversity, FunctionPrior


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        ({"length_scale": 0}, "length_scale"),
        ({"length_scale": {"dose": -1.0}}, "length_scale"),
        ({"length_scale": {2.5: 1.0}}, "column"),
        ({"amplitude": "large"}, "amplitude"),
        ({"strength": -1}, "strength"),
    ],
)
def test_numbers_of_a_prior_are_positive(wrong, name):
    with pytest.raises(ValueError, match=f"`{name}`"):
        FunctionPrior(**wrong)


def test_a_prior_names_the_columns_of_its_length_scales():
    assert FunctionPrior(length_scale={"dose": 1.0, 2: 3.0}).about() == ("dose", 2)
    assert FunctionPrior(length_scale=1.0).about() == ()


def test_diversity_has_a_strength():
    with pytest.raises(ValueError, match="`strength`"):
        Diversity(strength=0)
