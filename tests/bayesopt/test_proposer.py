import numpy as np
import pytest

from unabases import GaussianProcess
from unabases.bayesopt import Space
from unabases.bayesopt.proposer import Proposer, in_vain


@pytest.mark.parametrize(
    ("t", "count"),
    [
        ([1.0], 0),
        ([1.0, 0.5], 0),
        ([1.0, 0.5, 0.7], 1),
        ([1.0, 0.5, 0.499, 0.498], 2),  # too small a gain
        ([1.0, 2.0, 3.0], 2),
        ([1.0, 0.5, 0.7, 0.3, 0.4], 1),
    ],
)
def test_evaluations_in_vain_are_counted_since_the_last_gain(t, count):
    assert in_vain(np.array(t)) == count


def test_after_evaluations_in_vain_the_next_place_is_twice_as_far_until_it_may_be_near_again():
    """A belief that is sure of a minimum at 0.7, where nothing better is ever found."""
    space = Space(x=(0.0, 1.0), y=(0.0, 1.0))
    U = np.random.default_rng(0).uniform(size=(6, 2))
    t = (U[:, 0] - 0.7) ** 2 + (U[:, 1] - 0.7) ** 2
    distances = []
    for i in range(8):
        proposer = Proposer(space, GaussianProcess(restarts=0, random_state=0), "lcb", kappa=0.0)
        proposer.fit(U, t, [0])
        place = proposer.propose(np.empty((0, 2)), np.random.default_rng(i))
        vain = in_vain(proposer._t)
        distances.append((vain % 6, np.abs(U - place).max(axis=1).min()))
        U, t = np.concatenate([U, place[None]]), np.append(t, 1.0 if i else -1.0)
    assert [step for step, _ in distances[1:]] == [0, 1, 2, 3, 4, 5, 0]
    for step, distance in distances[1:]:
        assert distance > 1e-3 * 2**step
