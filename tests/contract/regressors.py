"""The table of regressors that every contract suite runs over, each with settings that train fast."""

from unabases import LUNA, GaussianProcess, NeuralLinear

FAST = {"steps": 150, "hidden": (16, 8), "sigma2": 0.01}

REGRESSORS = {
    "neural-linear-map": NeuralLinear(**FAST, random_state=0),
    "neural-linear-mle": NeuralLinear("mle", **FAST, random_state=0),
    "neural-linear-marginal": NeuralLinear("marginal", **FAST, random_state=0),
    "luna": LUNA(**FAST, n_heads=4, n_points=8, random_state=0),
    "gaussian-process": GaussianProcess(restarts=0, random_state=0),
}
