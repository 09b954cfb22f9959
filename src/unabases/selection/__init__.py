"""Tuning: search over hyper-parameters, and the rules that choose; how much each input matters."""

from unabases.selection.importances import importances
from unabases.selection.likelihood_search import LikelihoodSearch
from unabases.selection.luna_search import LUNASearch
from unabases.selection.rules import likeliest, most_diverse
from unabases.selection.space import Space

__all__ = ["LUNASearch", "LikelihoodSearch", "Space", "importances", "likeliest", "most_diverse"]
