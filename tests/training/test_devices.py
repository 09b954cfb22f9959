"""Nothing assumes one device, or a CPU: two devices are forced upon the host, and the way of accelerators is taken."""

import os
import subprocess
import sys

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
jax.clear_caches()
asked = []
jax.default_backend = lambda: asked.append(1) or "gpu"  # models train side by side
np.testing.assert_allclose(fitted(), here, atol=1e-3)
assert asked
"""


def test_two_devices_and_the_way_of_accelerators_give_the_same():
    flags = {"XLA_FLAGS": "--xla_force_host_platform_device_count=2", "JAX_PLATFORMS": "cpu"}
    done = subprocess.run([sys.executable, "-c", CODE], env={**os.environ, **flags}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
