"""Every word that a reader meets is explained."""

from unabases.paper.methods import METHODS
from unabases.paper.report.words import METHOD_WORDS, TERMS


def test_every_method_has_a_line_of_its_own():
    assert set(METHODS) <= set(METHOD_WORDS)
    assert len(set(METHOD_WORDS.values())) == len(METHOD_WORDS)


def test_terms_are_said_in_words():
    assert {"EURC", "profile", "restart", "gap"} <= set(TERMS)
    assert all(not meaning.endswith(".") for meaning in (*TERMS.values(), *METHOD_WORDS.values()))
