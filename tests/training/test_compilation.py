import ctypes
import subprocess
import sys

import jax
import numpy as np
import optax
import pytest
from jax import monitoring

from unabases.objectives import Heads
from unabases.training import Recipe, make_batch, train
from unabases.training.compilation import find_devices

from .conftest import D, Identity, fit_ridge, generators, linear_data, ridge_objective, starts

BACKEND_COMPILE = "/jax/core/compile/backend_compile_duration"


class Traced(Identity):
    """The inputs, with a note of each time that JAX looks at the code: at least once for every program."""

    calls = []  # noqa: RUF012

    def __call__(self, x):
        self.calls.append(1)
        return x


@pytest.fixture
def programs():
    """A list that grows with every program that JAX builds."""
    built = []
    listener = lambda event, duration, **_: built.append(event) if event == BACKEND_COMPILE else None  # noqa: E731
    monitoring.register_event_duration_secs_listener(listener)
    yield built
    monitoring.unregister_event_duration_listener(listener)


def fit_traced(n, steps, seed=0, validation=None, **options):
    """Train on `n` rows; how often the feature map was traced."""
    Traced.calls.clear()
    W = starts(1).W
    train(
        [ridge_objective()],
        jax.tree.map(lambda leaf: W, Heads(Traced(), jax.numpy.zeros((1, 1, D + 1)))),
        make_batch(*linear_data(n), "float64"),
        rngs=generators(1, seed),
        recipe=Recipe(steps=steps, learning_rate=0.1, chunk=10, **options),
        optimizer=optax.sgd,
        validation=validation,
    )
    return len(Traced.calls)


def test_similar_sizes_and_other_step_counts_share_one_program(programs):
    assert fit_traced(20, 20) > 0
    programs.clear()
    assert fit_traced(20, 20, seed=1) == 0
    assert fit_traced(25, 20) == 0  # the same bucket of 32 rows
    assert fit_traced(31, 57) == 0
    assert fit_traced(20, 3) == 0
    assert fit_traced(20, 40, decay="cosine") == 0
    assert programs == []
    assert fit_traced(50, 20) > 0  # another bucket
    assert programs


def test_hyper_parameters_share_one_program(programs):
    fit_ridge((0.5,))
    programs.clear()
    fit_ridge((0.7,), learning_rate=0.01)
    assert programs == []


def test_every_chunk_shares_one_program_with_held_out_rows(programs):
    held_out = make_batch(*linear_data(12, seed=1), "float64")
    fit_traced(20, 10, patience=3, validation=held_out)  # one chunk
    programs.clear()
    assert fit_traced(20, 50, patience=3, validation=held_out) == 0
    assert programs == []


SCRIPT = """
import os, pathlib, sys
import jax
from unabases.training import use_compilation_cache

here = pathlib.Path(sys.argv[1])
os.environ["UNABASES_COMPILATION_CACHE"] = "off"
assert use_compilation_cache() is None
assert jax.config.jax_compilation_cache_dir is None

use_compilation_cache.cache_clear()
os.environ["UNABASES_COMPILATION_CACHE"] = str(here / "a file" / "below")
(here / "a file").write_text("")
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    assert use_compilation_cache() is None
assert "UNABASES_COMPILATION_CACHE" in str(caught[0].message)

use_compilation_cache.cache_clear()
os.environ["UNABASES_COMPILATION_CACHE"] = str(here / "chosen")
assert use_compilation_cache() == here / "chosen"
assert jax.config.jax_compilation_cache_dir == str(here / "chosen")
assert (here / "chosen").is_dir()

use_compilation_cache.cache_clear()
os.environ["UNABASES_COMPILATION_CACHE"] = str(here / "too late")
assert use_compilation_cache() == here / "chosen"
assert not (here / "too late").exists()

use_compilation_cache.cache_clear()
jax.config.update("jax_compilation_cache_dir", None)
del os.environ["UNABASES_COMPILATION_CACHE"]
os.environ["XDG_CACHE_HOME"] = str(here / "home")
assert use_compilation_cache().name == "compiled"
"""


def test_the_environment_chooses_the_cache_directory(tmp_path, monkeypatch):
    monkeypatch.delenv("JAX_COMPILATION_CACHE_DIR", raising=False)
    done = subprocess.run([sys.executable, "-c", SCRIPT, tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_importing_changes_no_setting_of_jax():
    assert not jax.config.jax_enable_x64
    assert np.asarray(jax.numpy.ones(1)).dtype == np.float32


def test_programs_are_dropped_before_a_process_has_too_many(monkeypatch, tmp_path):
    from unabases.training import compilation

    first = fit_ridge()
    if not compilation._MAPS.exists():
        pytest.skip("only Linux limits the maps of a process")
    before = compilation._MAPS.read_bytes().count(b"\n")
    assert not compilation.release_programs(share=1.0, now=True)
    limit = tmp_path / "limit"
    limit.write_text(f"{before}\n")
    monkeypatch.setattr(compilation, "_MOST", limit)
    assert compilation.release_programs(now=True)
    assert compilation._MAPS.read_bytes().count(b"\n") < before
    for one, other in zip(jax.tree.leaves(first.params), jax.tree.leaves(fit_ridge().params), strict=True):
        np.testing.assert_array_equal(one, other)


def test_memory_that_dropped_programs_held_goes_back_to_the_system():
    from tests.torture.load import memory
    from unabases.training import compilation

    if not hasattr(ctypes.CDLL(None), "malloc_trim") or not compilation._MAPS.exists():
        pytest.skip("the C library gives memory back by itself, or keeps it")
    parts = [np.ones(10_000) for _ in range(2000)]  # each too small for a map of its own
    del parts[:-1]  # and the last one keeps the heap from shrinking
    before = memory()
    assert compilation.release_programs(share=0.0, now=True)
    assert before - memory() > 80 * 2**20


def test_devices_are_those_of_jax_and_work():
    found = find_devices()
    assert found.names == [str(device) for device in jax.devices()]
    assert found.backend == jax.default_backend()
    assert found.works
