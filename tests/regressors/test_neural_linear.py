"""Objectives, feature maps and refused parameters of the ordinary neural linear model."""

import numpy as np
import pytest

from unabases import NeuralLinear

RNG = np.random.default_rng(1)
X = RNG.uniform(-2, 2, (60, 2))
Y = np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.1 * RNG.standard_normal(60)
FAST = {"max_steps": 150, "hidden_layer_sizes": (16, 8), "random_state": 0}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"objective": "luna"}, "unknown objective 'luna'.*map, mle, marginal"),
        ({"activation": "reluu"}, "unknown activation.*relu, tanh"),
        ({"optimizer": "adan"}, "unknown optimizer.*adam"),
        ({"hidden_layer_sizes": ()}, "hidden widths"),
        ({"prior_variance": -1.0}, "`prior_variance`"),
        ({"prior_variance": "residual"}, "`prior_variance`.*evidence"),
        ({"gamma": -0.1}, "`gamma`"),
        ({"max_steps": 0}, "`max_steps`"),
        ({"learning_rate": 0.0}, "`learning_rate`"),
        ({"restarts": 0}, "`restarts`"),
        ({"batch_size": 0}, "`batch_size`"),
        ({"decay": "exp"}, "unknown decay.*cosine"),
        ({"features": 3}, "`features`"),
        ({"objective": "marginal", "batch_size": 8}, "all rows"),
    ],
)
def test_unknown_names_and_impossible_values_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        NeuralLinear(**{**FAST, "sigma2": 0.01, **parameters}).fit(X, Y)


def test_a_users_own_feature_map_works():
    import equinox as eqx
    import jax.numpy as jnp

    class Waves(eqx.Module):
        frequency: jnp.ndarray

        def __call__(self, x):
            return jnp.sin(self.frequency @ x)

    def waves(d, *, key):
        return Waves(jnp.arange(1.0, 1 + 6 * d).reshape(6, d) / 6)

    model = NeuralLinear(features=waves, sigma2=0.01, max_steps=200, random_state=0).fit(X, Y)
    assert model.feature_matrix(X).shape == (60, 7)
    assert model.score(X, Y) > 0.8


def test_mini_batches_and_early_stopping_learn():
    small = NeuralLinear(**{**FAST, "max_steps": 400}, sigma2=0.01, batch_size=16).fit(X, Y)
    assert small.score(X, Y) > 0.8
    stopped = NeuralLinear(
        **{**FAST, "max_steps": 5000}, sigma2=1e-4, gamma=0.0, early_stopping=True, validation_fraction=0.3, patience=2
    ).fit(X, Y)
    assert stopped.n_iter_ == len(stopped.history_) < 5000
    looks = stopped.history_["validation"].dropna()
    assert looks.index.tolist() == list(range(100, stopped.n_iter_ + 1, 100))
    assert looks.idxmin() == stopped.n_iter_ - 200  # two looks without improvement end the training
    assert "validation" not in small.history_
    assert small.n_iter_ == 400
    assert stopped.score(X, Y) > 0.8
