"""Tuning: search over hyper-parameters, and the rules that choose."""

from unabases.selection.likelihood_search import LikelihoodSearch
from unabases.selection.luna_search import LUNASearch
from unabases.selection.rules import likeliest, most_diverse
from unabases.selection.space import Space

__all__ = ["LUNASearch", "LikelihoodSearch", "Space", "likeliest", "most_diverse"]
