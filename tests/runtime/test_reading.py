import copy

import numpy as np
import pytest

from tests.runtime.cases import CLASSES, KEPT, NEED_JAX, READ, kept_case
from unabases import Conformal, GapCalibrated, TableRegressor, all_regressors
from unabases.runtime.description import predict_moments
from unabases.runtime.reading import _WRAPPERS, SUPPORTED, UnsupportedModelError, _columns, describe
from unabases.saving.container import ModelFileError, read_bytes, unpack


def parts(name):
    return copy.deepcopy(unpack(read_bytes(KEPT[name].path), name))


@pytest.mark.parametrize("name", NEED_JAX)
def test_a_regressor_that_needs_jax_is_refused_with_those_that_do_not(name):
    with pytest.raises(UnsupportedModelError, match=r"cannot predict without JAX; LUNA, NeuralLinear.*`unabases.load`"):
        describe(*parts(name))


def test_what_is_read_are_regressors_and_every_one_of_them_has_a_kept_file():
    assert set(SUPPORTED) <= {*all_regressors(), "Conformal", "GapCalibrated", "TableRegressor"}
    assert set(SUPPORTED) == {CLASSES[name] for name in READ}
    assert {"GaussianProcess", "LinearisedLaplace", "SNGP"} <= set(NEED_JAX)


@pytest.mark.parametrize(
    ("parameter", "value", "said"),
    [
        ("features", {"object": "mine.Convolution"}, "`features` of its own"),
        ("activation", {"object": "mine.swish"}, "an activation of its own.*relu, tanh"),
    ],
)
def test_what_a_file_does_not_hold_is_refused(parameter, value, said):
    content, arrays = parts("LUNA")
    content["parameters"][parameter] = value
    with pytest.raises(UnsupportedModelError, match=said):
        describe(content, arrays)


def test_an_array_that_the_reader_does_not_know_is_refused_and_not_ignored():
    content, arrays = parts("UNA")
    with pytest.raises(UnsupportedModelError, match=r"the file holds skew of a UNA, which this reader does not know"):
        describe(content, {**arrays, "state.skew.alpha": np.ones(1)})


def test_functions_that_obey_are_counted_around_their_centre():
    content, arrays = parts("UNA-told")
    before = predict_moments(describe(content, arrays), kept_case("UNA-told").X)[0]
    members = [key.removeprefix("state.draws.") for key in arrays if key.startswith("state.draws.")]
    centres = {f"state.centre.{i}": arrays[f"state.draws.{i}"].mean(axis=1) for i in members}
    same = predict_moments(describe(content, {**arrays, **centres}), kept_case("UNA-told").X)[0]
    np.testing.assert_allclose(same.mean, before.mean)
    first = {f"state.centre.{i}": arrays[f"state.draws.{i}"][:, 0] for i in members}
    other = predict_moments(describe(content, {**arrays, **first}), kept_case("UNA-told").X)[0]
    away = other.mean - before.mean
    assert np.abs(away).max() > 1e-3
    np.testing.assert_allclose(other.epistemic_std**2, before.epistemic_std**2 + away**2)


def test_a_model_of_numbers_with_gaps_takes_its_own_columns():
    rooms = {"name": "rooms", "kind": "number", "levels": [], "fill": 4.0, "indicator": True}
    inputs, columns = _columns({"inputs": [rooms], "missing": "impute"})
    assert inputs == ("rooms",)
    read, absent = columns.read(np.array([[2.0], [np.nan]]))
    assert read.tolist() == [[2.0, 0.0], [4.0, 1.0]]
    assert absent.tolist() == [[0.0], [1.0]]


def test_a_wrapped_regressor_that_needs_jax_is_refused():
    content, arrays = parts("GapCalibrated")
    content["parameters"]["estimator"] = {"regressor": ["SNGP", []]}
    with pytest.raises(UnsupportedModelError, match="a SNGP cannot predict"):
        describe(content, arrays)
    assert issubclass(UnsupportedModelError, ValueError)
    assert not issubclass(UnsupportedModelError, ModelFileError)


def test_a_regressor_in_a_table_regressor_is_read():
    content, arrays = parts("TableModel")
    wrapped = {key.replace("state.", "state.regressor.", 1): array for key, array in arrays.items()}
    inside = [content["class"], list(content["parameters"].items())]
    outside = {
        "class": "TableRegressor",
        "parameters": {"regressor": {"regressor": inside}},
        "values": {"regressor": {"dict": list(content["values"].items())}},
    }
    found, known = describe(outside, wrapped), describe(content, arrays)
    assert (found.regressor, found.inputs) == ("NeuralLinear", known.inputs)
    (a,), (b,) = (predict_moments(description, kept_case("TableModel").X) for description in (found, known))
    np.testing.assert_array_equal(a, b)


def test_what_is_wrapped_if_nothing_is_given_is_known_here_too():
    """The reader cannot ask the classes, which import JAX."""
    for wrapper in (Conformal(), GapCalibrated(), TableRegressor()):
        what, name = _WRAPPERS[type(wrapper).__name__]
        usual = wrapper._wrapped()
        assert getattr(wrapper, what) is None
        assert (type(usual).__name__, usual.activation, usual.features) == (name, "relu", None)


def test_gaps_are_calibrated_inside_a_conformal_and_not_around_it():
    content, arrays = parts("Conformal")
    wrapped = {key.replace("state.", "state.estimator.", 1): array for key, array in arrays.items()}
    outside = {
        "class": "GapCalibrated",
        "parameters": {"estimator": {"regressor": ["Conformal", list(content["parameters"].items())]}},
        "values": {"estimator": {"dict": list(content["values"].items())}},
    }
    scale = {f"state.scale.{name}": np.ones(1) for name in ("epistemic", "noise", "level")}
    with pytest.raises(UnsupportedModelError, match=r"Conformal\(GapCalibrated\(\.\.\.\)\)"):
        describe(outside, {**wrapped, **scale})
