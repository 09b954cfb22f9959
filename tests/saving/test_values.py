import functools
import json
import math

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unabases import NeuralLinear
from unabases.saving.values import CannotHoldError, decode, encode, encode_or_name, not_saved


def round_trip(value):
    arrays = {}
    text = json.dumps(encode(value, "here", arrays), allow_nan=False)
    return decode(json.loads(text), arrays)


def plain_values():
    leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
    several = lambda inner: (  # noqa: E731
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(st.text(), inner)
        | st.dictionaries(st.integers(), inner)
    )
    return st.recursive(leaves, several, max_leaves=10)


@given(plain_values())
@settings(deadline=None)
def test_plain_values_come_back_with_their_types(value):
    assert repr(round_trip(value)) == repr(value)  # repr: tells 1 from 1.0 and True, and nan is nan


@pytest.mark.parametrize(
    "value",
    [
        np.float64(0.1),
        np.float32(0.1),
        np.float16(-0.0),
        np.float64("nan"),
        np.float32("-inf"),
        np.int64(-(2**63)),
        np.uint64(2**64 - 1),
        np.int8(3),
        np.bool_(True),
        np.str_("größe"),
    ],
    ids=repr,
)
def test_numpy_scalars_come_back_with_their_types(value):
    again = round_trip(value)
    assert type(again) is type(value)
    assert again.tobytes() == value.tobytes()


@pytest.mark.parametrize(
    "value",
    [
        np.arange(6.0).reshape(2, 3),
        np.array(2.5),
        np.array([True, False]),
        np.zeros((0, 3)),
        np.array(["a", "bc"]),
    ],
    ids=["matrix", "no axes", "booleans", "no rows", "strings"],
)
def test_arrays_come_back(value):
    again = round_trip(value)
    assert again.dtype == value.dtype
    assert again.shape == value.shape
    assert (again == value).all()


def test_arrays_inside_containers_have_names_of_their_own():
    value = {"a": (np.array([1.0]), [np.array([2.0])])}
    arrays = {}
    encode(value, "here", arrays)
    assert sorted(arrays) == ["here.a.0", "here.a.1.0"]
    again = round_trip(value)
    assert again["a"][0] == 1.0
    assert again["a"][1][0] == 2.0


def test_a_jax_array_comes_back_as_a_numpy_array():
    again = round_trip(jnp.array([1.0, 2.0]))
    assert type(again) is np.ndarray
    assert again.tolist() == [1.0, 2.0]


def an_optimizer(rate):
    return rate


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (an_optimizer, "test_values.an_optimizer"),
        (functools.partial(an_optimizer), "functools.partial"),
        ([1, an_optimizer], "test_values.an_optimizer"),
        ({1.5: 2}, "builtins.dict"),
        (1j, "builtins.complex"),
        (np.array([object()]), "numpy.ndarray"),
        (np.complex128(1), "numpy.complex128"),
        (type("Level", (int,), {})(3), "Level"),
        (math, "builtins.module"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_json_cannot_hold_is_named(value, name):
    with pytest.raises(CannotHoldError, match=name):
        encode(value, "here", {})
    kind, kept = not_saved(encode_or_name(value, "here", {})) or ("", "")
    assert kind == "object"
    assert kept.endswith(name)


def test_a_value_that_is_only_named_leaves_no_arrays_behind():
    arrays = {}
    encode_or_name([np.ones(2), an_optimizer], "here", arrays)
    assert arrays == {}


@pytest.mark.parametrize("value", [np.random.RandomState(0), np.random.default_rng(0)], ids=["state", "generator"])
def test_sources_of_random_numbers_are_told_from_other_objects(value):
    kind, _ = not_saved(encode_or_name(value, "here", {})) or ("", "")
    assert kind == "generator"


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="'code' is not a known kind of value"):
        decode({"code": "print()"}, {})


def test_a_regressor_comes_back_with_its_parameters_and_not_fitted():
    arrays = {}
    encoded = encode(NeuralLinear("mle", sigma2=np.array([1.0, 2.0]), gamma=0.7), "estimator", arrays)
    assert encoded["regressor"][0] == "NeuralLinear"
    assert list(arrays) == ["estimator.sigma2"]
    made = decode(json.loads(json.dumps(encoded)), arrays)
    assert type(made) is NeuralLinear
    assert (made.objective, made.gamma, made.hidden_layer_sizes) == ("mle", 0.7, (50, 20))
    assert made.sigma2.tolist() == [1.0, 2.0]
    assert not hasattr(made, "sigma2_")


def test_a_regressor_with_a_function_cannot_be_held():
    with pytest.raises(CannotHoldError):
        encode(NeuralLinear(activation=np.tanh), "estimator", {})
