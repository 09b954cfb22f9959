"""Rows and models that the tests of searches share."""

import numpy as np

from unabases import LUNA

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, (60, 2))
Y = np.sin(X[:, 0]) + 0.1 * RNG.standard_normal(60)
FAST = {"hidden_layer_sizes": (16, 8), "sigma2": 0.01, "max_steps": 150}
LUNA_FAST = LUNA(**FAST, n_heads=3, n_points=8)
SMALL = {"n_random": 3, "n_trials": 3, "batch": 3, "restarts": 1, "validation": 0.2, "random_state": 0}
