"""Networks as lists of arrays and back, and the optimisers and feature maps that users name."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from numpy.testing import assert_array_equal

from unabases import LUNA, MCDropout, NeuralLinear, VanillaEnsemble
from unabases.features import MLP
from unabases.regressors.networks.network import (
    checked_features,
    find_optimizer,
    in_float64,
    leaves_of,
    memory_named,
    refill,
)


def network(seed, widths=(4, 3)):
    return MLP(2, widths, "tanh", key=jax.random.key(seed))


def test_arrays_of_one_network_fill_another_of_its_shape():
    one, other = network(0), network(1)
    filled = refill(other, [np.asarray(leaf) for leaf in leaves_of(one)])
    x = jnp.array([0.3, -0.2])
    assert_array_equal(filled(x), one(x))


def test_arrays_of_another_shape_are_refused_with_both_shapes():
    with pytest.raises(ValueError, match=r"saved network has arrays of shapes .*\(5, 2\).*pass the `features`"):
        refill(network(0), [np.asarray(leaf) for leaf in leaves_of(network(0, (5, 3)))])


def test_float64_networks_keep_their_values():
    for single, double in zip(leaves_of(network(0)), leaves_of(in_float64(network(0))), strict=True):
        assert double.dtype == np.float64
        assert_array_equal(single, double)


def test_optimisers_by_name_or_function():
    assert find_optimizer("sgd") is optax.sgd
    assert find_optimizer(optax.adam) is optax.adam
    with pytest.raises(ValueError, match="unknown optimizer 'sgdd'; known ones are adam, sgd"):
        find_optimizer("sgdd")


def test_features_must_be_a_function():
    with pytest.raises(ValueError, match="`features` must be a function"):
        checked_features("mlp")


X, Y = np.linspace(-1, 1, 20)[:, None], np.linspace(-1, 1, 20) ** 2


@pytest.mark.parametrize(
    "given",
    [{"patience": 0}, {"patience": 2.5}, {"patience": None}, {"validation_fraction": 7}, {"validation_fraction": "a"},
     {"validation_fraction": 0.0}, {"standardize": 7}, {"decay": []}, {"optimizer": []}, {"activation": []},
     {"schedule": []}, {"hidden_layer_sizes": (1,) * 300}],
    ids=str,
)  # fmt: skip
def test_odd_parameters_are_refused_whether_they_are_used_or_not(given):
    ((name, _),) = given.items()
    with pytest.raises(
        ValueError, match="at most 200 hidden layers" if name.startswith("hidden") else f"`{name}` must"
    ):
        LUNA(**given).fit(X, Y)


@pytest.mark.parametrize(
    ("model", "named"),
    [
        (NeuralLinear(hidden_layer_sizes=(10**6, 10**6)), r"hidden_layer_sizes=\(1000000, 1000000\)"),
        (LUNA(n_heads=10**11), "n_heads=100000000000"),
        (VanillaEnsemble(n_members=10**10), "n_members=10000000000"),
    ],
    ids=["layers", "heads", "members"],
)
def test_settings_that_no_machine_can_hold_are_named(model, named):
    model.set_params(sigma2=0.01)
    with pytest.raises(MemoryError, match=rf"takes more memory than there is.*Large here: .*{named}"):
        model.fit(X, Y)


def test_memory_that_runs_out_later_is_put_down_to_large_settings():
    with pytest.raises(MemoryError, match=r"7 PiB.*n_passes=10000000"), memory_named(MCDropout(n_passes=10**7)):
        raise MemoryError("unable to allocate 7 PiB")


def test_other_errors_of_jax_are_left_alone():
    with pytest.raises(jax.errors.JaxRuntimeError, match="INTERNAL"), memory_named(LUNA()):
        raise jax.errors.JaxRuntimeError("INTERNAL: something else")


def test_training_is_longer_with_many_rows_but_not_without_end():
    assert [NeuralLinear().steps_for(n) for n in (2, 8192, 16_384, 10**5, 10**8)] == [2000, 2000, 4000, 10_000, 10_000]
    assert [LUNA(max_steps=150).steps_for(n) for n in (2, 10**6)] == [150, 150]
    assert LUNA.as_in_paper().steps_for(10**6) == 2000


def test_a_callback_hears_every_hundred_steps_and_may_stop_them():
    heard = []
    X = np.linspace(-1, 1, 40)[:, None]
    given = {"max_steps": 250, "hidden_layer_sizes": (16, 8), "sigma2": 0.01, "random_state": 0}
    model = NeuralLinear(**given, callback=lambda step, losses: heard.append((step, losses["loss"])))
    history = model.fit(X, X[:, 0] ** 2).history_
    assert [step for step, _ in heard] == [100, 200, 250]
    assert_array_equal([loss for _, loss in heard], history["loss"][[100, 200, 250]])
    assert model._plan(100).unheard.callback is None  # short fits before the main one are not heard

    def stop(step, losses):
        raise TimeoutError(f"after {step} steps")

    with pytest.raises(TimeoutError, match="after 100 steps"):
        NeuralLinear(**given, callback=stop).fit(X, X[:, 0] ** 2)
