"""Work is shared out among workers and comes back in order; tests/ecosystem/test_dask.py does so with Dask itself."""

from concurrent.futures import ThreadPoolExecutor

import pandas as pd
import pytest

from tests.selection.cases import FAST, SMALL, X, Y
from unabases import NeuralLinear
from unabases.selection import LikelihoodSearch
from unabases.selection.workers import check_client, hold, share_out, tasks_at_once


class Cluster(ThreadPoolExecutor):
    """Has of Dask's client what is used here, and notes what was asked of it."""

    def __init__(self, workers: dict[str, int]):
        super().__init__(2)
        self.workers, self.calls, self.cancelled = workers, [], []

    def nthreads(self):
        return self.workers

    def submit(self, fn, /, *arguments, pure, workers=None, allow_other_workers=False):
        self.calls.append((arguments, workers, allow_other_workers))
        given = [one.result() if hasattr(one, "result") else one for one in arguments]
        return super().submit(fn, *given)

    def gather(self, futures):
        return [future.result() for future in futures]

    def cancel(self, futures):
        self.cancelled += futures

    def get_executor(self, pure):
        return ThreadPoolExecutor(2)


def times(numbers, factor):
    return [factor * number for number in numbers]


@pytest.mark.parametrize("workers", [{}, {"a": 1}, {"a": 1, "b": 4}, {"a": 1, "b": 1, "c": 1, "d": 1}])
def test_results_are_in_the_order_of_the_items_however_many_workers_there_are(workers):
    with Cluster(workers) as client:
        factor = hold(client, 10)
        assert share_out(client, times, [1, 2, 3], factor) == share_out(None, times, [1, 2, 3], 10) == [10, 20, 30]
        shares = client.calls[1:]
    assert len(shares) == max(1, min(3, len(workers)))
    assert [where for _, where, _ in shares] == [[name] for name in list(workers)[:3]] or [None]
    assert all(elsewhere == bool(workers) for *_, elsewhere in shares)  # one that dies is replaced
    assert sorted(number for (numbers, _), *_ in shares for number in numbers) == [1, 2, 3]


def test_an_error_of_the_work_comes_back_and_the_rest_is_cancelled():
    with Cluster({"a": 1, "b": 1}) as client:
        with pytest.raises(ZeroDivisionError):
            share_out(client, lambda numbers: [1 / number for number in numbers], [1, 0])
        assert len(client.cancelled) == 2


def test_a_pruned_search_on_workers_finds_what_it_finds_alone():
    settings = {**SMALL, "n_random": 4, "n_trials": 0, "batch": 4, "prune": True}
    tables = []
    for client in (None, Cluster({"a": 1, "b": 1})):
        search = LikelihoodSearch(NeuralLinear(**FAST), client=client, **settings).fit(X, Y)
        tables.append(search.results_.drop(columns="seconds"))
    pd.testing.assert_frame_equal(*tables)
    assert len(client.calls) == 5  # the rows once, then two shares of four trials, and two of two


def test_threads_are_counted_and_a_cluster_that_has_yet_to_grow_has_one():
    assert tasks_at_once(Cluster({"a": 2, "b": 3})) == 5
    assert tasks_at_once(Cluster({})) == 1


def test_only_a_client_of_dask_will_do():
    assert check_client(None) is None
    with pytest.raises(TypeError, match="client of Dask"):
        LikelihoodSearch(client="tcp://10.0.0.1:8786").fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
