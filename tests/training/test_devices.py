"""Nothing assumes one device, or a CPU: two devices are forced upon the host, and the way of accelerators is taken."""

import os
import subprocess
import sys

import jax
import pytest

from unabases import NeuralLinear
from unabases.training.devices import is_on_cpu, on_this_device

CODE = """
import jax
import numpy as np
from unabases import LUNA

X = np.linspace(-1, 1, 40)[:, None]
def fitted():
    settings = {"hidden_layer_sizes": (10, 10), "n_heads": 2, "sigma2": 0.01, "max_steps": 100, "restarts": 2}
    return LUNA(**settings, random_state=0).fit(X, np.sin(3 * X[:, 0])).predict(X)

assert jax.device_count() == 2
here = fitted()
assert np.abs(here - np.sin(3 * X[:, 0])).max() < 0.3

# `jax.default_device` chooses the device, for all threads that train, and for predictions.
from unabases.training import loop
used, run_chunk = [], loop._run_chunk
def recorded(*args):
    used.append(run_chunk(*args))
    return used[-1]
loop._run_chunk, loop.usable_cores = recorded, lambda: 2
with jax.default_device(jax.devices()[1]):
    there = fitted()
assert len(used) == 2  # a chunk in each of two threads
devices = {device for state in used for leaf in jax.tree.leaves(state) for device in leaf.devices()}
assert devices == {jax.devices()[1]}, devices
np.testing.assert_allclose(there, here, atol=1e-5)

jax.clear_caches()
asked = []
jax.default_backend = lambda: asked.append(1) or "gpu"  # models train side by side
np.testing.assert_allclose(fitted(), here, atol=1e-3)
assert asked
assert len(used) == 3  # all models in one thread
"""


def test_two_devices_and_the_way_of_accelerators_give_the_same():
    flags = {"XLA_FLAGS": "--xla_force_host_platform_device_count=2", "JAX_PLATFORMS": "cpu"}
    done = subprocess.run([sys.executable, "-c", CODE], env={**os.environ, **flags}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("device", ["cpu", None, *jax.devices("cpu")[:1]], ids=["by name", "none chosen", "by itself"])
def test_a_cpu_is_known_however_it_was_chosen(device):
    with jax.default_device(device):
        assert is_on_cpu() == (device is not None or jax.default_backend() == "cpu")


def test_the_device_that_was_chosen_counts_and_not_what_jax_found(monkeypatch):
    monkeypatch.setattr(jax, "default_backend", lambda: "gpu")
    assert not is_on_cpu()
    with jax.default_device("cpu"):
        assert is_on_cpu()
        elsewhere = on_this_device(is_on_cpu)
    assert elsewhere()


@pytest.mark.parametrize("error", [AssertionError(), RuntimeError("Unable to initialize backend 'gpu'")])
def test_a_device_that_is_not_there_is_told_with_what_to_do(monkeypatch, error):
    def devices():
        raise error

    monkeypatch.setattr(jax, "devices", devices)
    monkeypatch.setenv("JAX_PLATFORMS", "gpu")
    with pytest.raises(RuntimeError, match=r"JAX_PLATFORMS=gpu.*set it to cpu.*install"):
        NeuralLinear().fit([[0.0], [1.0]], [0.0, 1.0])
