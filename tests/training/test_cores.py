import os
import sys
import time

import pytest
from threadpoolctl import threadpool_info

from unabases.training.cores import on_all_cores, one_thread_each, usable_cores


@pytest.mark.parametrize(("said", "cores"), [("50000 100000", 1), ("100000 100000", 1), ("1 1000000", 1)])
def test_a_container_limits_the_cores(tmp_path, said, cores):
    (tmp_path / "cpu.max").write_text(said)
    assert usable_cores(tmp_path / "cpu.max") == cores


@pytest.mark.parametrize("said", ["max 100000", "", "9900000 100000"])
def test_without_a_lower_limit_the_affinity_counts(tmp_path, said):
    (tmp_path / "cpu.max").write_text(said)
    assert usable_cores(tmp_path / "cpu.max") == usable_cores(tmp_path / "no such file")


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason=f"{sys.platform} has no affinity")
def test_a_process_bound_to_one_core_uses_one(tmp_path):
    mine = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(mine)})
    try:
        assert usable_cores(tmp_path / "no such file") == 1
    finally:
        os.sched_setaffinity(0, mine)


@pytest.mark.parametrize("worthwhile", [True, False])
def test_results_come_in_the_order_of_the_items(worthwhile):
    def slow_at_first(i: int) -> int:
        time.sleep(0.02 if i == 0 else 0)
        return 10 * i

    assert on_all_cores(slow_at_first, range(5), worthwhile=worthwhile) == [0, 10, 20, 30, 40]


def test_an_error_of_one_item_is_raised():
    with pytest.raises(ZeroDivisionError):
        on_all_cores(lambda x: 1 / x, [1, 0])


def test_each_thread_has_linear_algebra_of_one_thread():
    def threads(_: int) -> set[int]:
        return {one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"}

    before = threads(0)
    assert on_all_cores(threads, range(2)) == [{1}, {1}]
    assert on_all_cores(threads, range(2), worthwhile=False) == [{1}, {1}]
    assert one_thread_each(threads)(0) == {1}
    assert threads(0) == before


def test_what_runs_inside_of_another_leaves_its_linear_algebra_alone():
    def threads(_: int) -> set[int]:
        return {one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"}

    assert on_all_cores(lambda i: (on_all_cores(abs, [1, -1]), threads(i))[1], range(2)) == [{1}, {1}]
