"""The experiments: one file each, and here their list, in the order in which they are run."""

from unabases.paper.catalogue.bayesopt import BAYESOPT
from unabases.paper.catalogue.consistency import CONSISTENCY
from unabases.paper.catalogue.cubic_gap import CUBIC_GAP
from unabases.paper.catalogue.faces import FACES
from unabases.paper.catalogue.gap_search import GAP_SEARCH
from unabases.paper.catalogue.luna_heads import LUNA_HEADS
from unabases.paper.catalogue.map_prior import MAP_PRIOR
from unabases.paper.catalogue.restarts import RESTARTS
from unabases.paper.catalogue.transfer import TRANSFER
from unabases.paper.catalogue.uci_gap import UCI_GAP
from unabases.paper.catalogue.uci_standard import UCI_STANDARD

EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        MAP_PRIOR,
        LUNA_HEADS,
        RESTARTS,
        CUBIC_GAP,
        TRANSFER,
        CONSISTENCY,
        UCI_GAP,
        UCI_STANDARD,
        GAP_SEARCH,
        FACES,
        BAYESOPT,
    )
}

__all__ = ["EXPERIMENTS"]
