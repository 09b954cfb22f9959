"""The table of regressors that every contract suite runs over, each with settings that train fast.

Whatever `unabases.all_regressors` lists is here, with those of the fast settings that it has.
"""

from unabases import Conformal, GapCalibrated, TableRegressor, all_regressors

FAST = {
    "max_steps": 150,
    "hidden_layer_sizes": (16, 8),
    "sigma2": 0.01,
    "n_heads": 4,
    "n_points": 8,
    "n_members": 4,
    "restarts": 1,
    "random_state": 0,
}
OWN = {
    "HamiltonianBNN": {"n_chains": 2, "n_warmup": 100, "n_samples": 100, "max_depth": 4},
    "GaussianProcess": {"restarts": 0, "sigma2": "evidence"},
    "UNA": {"n_folds": 3, "n_slabs": 2},
    "SNGP": {"hidden_layer_sizes": (16, 16), "n_fourier": 64},
    "RandomFourierSNGP": {"hidden_layer_sizes": (16, 16), "n_fourier": 64},
}


def fast(name, **more):
    cls = all_regressors()[name]
    known = cls().get_params()
    return cls(**{key: value for key, value in {**FAST, **OWN.get(name, {}), **more}.items() if key in known})


REGRESSORS = {name: fast(name) for name in all_regressors()}
REGRESSORS["NeuralLinear, mle"] = fast("NeuralLinear", objective="mle")
REGRESSORS["NeuralLinear, marginal"] = fast("NeuralLinear", objective="marginal")

# What wraps a regressor: scikit-learn's checks are the same, ours need parameters that it does not have.
WRAPPERS = {
    f"GapCalibrated, {name}": GapCalibrated(fast(name), n_slabs=2) for name in ("GaussianProcess", "NeuralLinear")
}
WRAPPERS["TableRegressor, GaussianProcess"] = TableRegressor(fast("GaussianProcess"))
WRAPPERS["Conformal, GaussianProcess"] = Conformal(fast("GaussianProcess"))
