"""Objectives: what θ is trained on in Step I."""

from unabases.objectives.base import AbstractObjective, Batch, squared_norm
from unabases.objectives.luna import GRADIENTS, PENALTIES, SIMILARITIES, Diversity, luna_objective
from unabases.objectives.marginal import Marginal
from unabases.objectives.places import AbstractPlaces, AtData, Between, Beyond, Points, Sampled, make_places
from unabases.objectives.schedules import SCHEDULES
from unabases.objectives.una import AbstractTerm, Heads, Term, Una, map_objective

__all__ = [
    "GRADIENTS",
    "PENALTIES",
    "SCHEDULES",
    "SIMILARITIES",
    "AbstractObjective",
    "AbstractPlaces",
    "AbstractTerm",
    "AtData",
    "Batch",
    "Between",
    "Beyond",
    "Diversity",
    "Heads",
    "Marginal",
    "Points",
    "Sampled",
    "Term",
    "Una",
    "luna_objective",
    "make_places",
    "map_objective",
    "squared_norm",
]
