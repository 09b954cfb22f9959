"""A GPU, or whatever JAX finds: how long a fit takes on each device.

`pip install 'jax[cuda13]'`, or as JAX's documentation says for your accelerator. Without one this script says so, and
times the processor alone. The second fit is timed: the first one compiles. Small networks on few rows are often
faster on a processor; many members, wide networks and large batches are what an accelerator is for.
"""

import time

import jax
import matplotlib.pyplot as plt
import numpy as np

from unabases import VanillaEnsemble

STEPS = 300
WIDTHS = (32, 128)

devices = {device.platform: device for device in [*jax.devices(), *jax.devices("cpu")]}  # one of each kind
for platform, device in devices.items():
    print(f"{platform}: {device.device_kind}")
if set(devices) == {"cpu"}:
    print("JAX found no accelerator, so only the processor is timed")

rng = np.random.default_rng(0)
X = rng.standard_normal((2000, 8))
y = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * rng.standard_normal(2000)


def seconds(device, width):
    """How long eight networks of two hidden layers train on a device."""
    model = VanillaEnsemble(
        n_members=8, hidden_layer_sizes=(width, width), sigma2=0.01, batch_size=256, max_steps=STEPS, random_state=0
    )
    with jax.default_device(device):
        model.fit(X, y)
        began = time.perf_counter()
        model.fit(X, y)
    return time.perf_counter() - began


figure, ax = plt.subplots(figsize=(5, 3.5), layout="constrained")
for (platform, device), colour in zip(devices.items(), ("#2166ac", "#8c8c8c"), strict=False):
    times = [seconds(device, width) for width in WIDTHS]
    for width, taken in zip(WIDTHS, times, strict=True):
        print(f"{platform}: eight networks of width {width}: {taken:.1f} s")
    ax.loglog(WIDTHS, times, "o-", color=colour)
    ax.annotate(platform, (WIDTHS[-1], times[-1]), (6, 0), textcoords="offset points", va="center", color=colour)
ax.set_xticks(WIDTHS, [str(width) for width in WIDTHS])
ax.minorticks_off()
ax.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
ax.set_xlabel("width of the hidden layers")
ax.set_ylabel(f"seconds for {STEPS} steps of eight networks")
ax.spines[["top", "right"]].set_visible(False)
figure.savefig("gpu.png", dpi=100)
