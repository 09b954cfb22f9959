"""Options that say what is known."""

import pytest

from unabases import LUNA, UNA
from unabases.cli.terms import read_terms, told
from unabases.terms import Bounds, Convex, Monotone


def test_options_become_terms():
    terms = read_terms(["dose:+", "a:b:-"], ["size:-"], "0,")
    assert terms == [Monotone("dose"), Monotone("a:b", increasing=False), Convex("size", convex=False), Bounds(0.0)]
    assert read_terms([], [], None) == []


@pytest.mark.parametrize(
    ("options", "said"),
    [((["dose"], [], None), "--monotone"), (([], ["a:up"], None), "--convex"), (([], [], "0"), "--bounds")],
)
def test_options_that_are_not_understood_are_refused(options, said):
    with pytest.raises(ValueError, match=said):
        read_terms(*options)


def test_only_a_regressor_with_terms_can_be_told():
    assert told(UNA(), [Bounds(0, 1)]).terms == [Bounds(0, 1)]
    assert told(UNA(), []).terms is None
    with pytest.raises(ValueError, match="LUNA cannot be told"):
        told(LUNA(), [Bounds(0, 1)])
