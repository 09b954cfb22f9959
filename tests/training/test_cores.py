import os
import sys

import pytest

from unabases.training.cores import usable_cores


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
