"""How many cores this process may use, which can be fewer than the machine has."""

import math
import os
from pathlib import Path

__all__ = ["usable_cores"]

_LIMIT = Path("/sys/fs/cgroup/cpu.max")  # what a container may use, in Linux: "150000 100000" means 1.5 cores


def usable_cores(limit: Path = _LIMIT) -> int:
    """Count the cores that this process may use: by its affinity, and by the limit of its container.

    Parameters
    ----------
    limit : Path
        Where Linux keeps the limit of a container; other systems have no such file.

    Returns
    -------
    int
        At least 1. A share of a core counts as a whole one.

    Examples
    --------
    >>> 1 <= usable_cores() <= os.cpu_count()
    True
    """
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = limit.read_text(encoding="ascii").split()
        allowed = min(allowed, math.ceil(int(quota) / int(period)))
    except (OSError, ValueError):  # no container, no limit ("max"), or another system
        pass
    return max(1, allowed)
