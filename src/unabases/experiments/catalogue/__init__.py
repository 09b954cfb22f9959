"""The experiments: one file each, and here their list, in the order in which they are run."""

from unabases.experiments.catalogue.bayesopt import BAYESOPT
from unabases.experiments.catalogue.consistency import CONSISTENCY
from unabases.experiments.catalogue.cubic_gap import CUBIC_GAP
from unabases.experiments.catalogue.faces import FACES
from unabases.experiments.catalogue.gap_search import GAP_SEARCH
from unabases.experiments.catalogue.luna_heads import LUNA_HEADS
from unabases.experiments.catalogue.map_prior import MAP_PRIOR
from unabases.experiments.catalogue.restarts import RESTARTS
from unabases.experiments.catalogue.transfer import TRANSFER
from unabases.experiments.catalogue.uci_gap import UCI_GAP
from unabases.experiments.catalogue.uci_standard import UCI_STANDARD

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
