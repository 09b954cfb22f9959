"""Search over hyper-parameters, and the rules that choose."""

from unabases.selection.likelihood_search import LikelihoodSearch
from unabases.selection.luna_search import LUNASearch
from unabases.selection.rules import likeliest, most_diverse

__all__ = ["LUNASearch", "LikelihoodSearch", "likeliest", "most_diverse"]
