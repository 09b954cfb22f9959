import copy
import json
import os
import pickle
import sys
import time
import warnings

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
import safetensors.numpy
from sklearn.exceptions import NotFittedError

from tests.saving.conftest import SMALL, assert_same_predictions, changed
from unabases import LUNA, NeuralLinear
from unabases.features import MLP, AbstractFeatureMap
from unabases.objectives import map_objective
from unabases.regressors import AbstractRegressor
from unabases.saving import ModelFileError, container, load, models, save
from unabases.saving.container import DTYPES, KEY, pack, unpack


def make_features(d, *, key):
    return MLP(d, (8, 4), key=key)


def my_activation(x):
    return jax.nn.relu(x)


def my_places(X, key):
    return X


def forged(path, **content):
    """Rewrite a file with other content and a good checksum."""
    old, arrays = unpack(path.read_bytes(), "file")
    path.write_bytes(pack({**old, **content}, arrays))


@pytest.mark.parametrize("name", ["luna", "named", "updated"])
def test_predictions_and_attributes_are_the_same(request, tmp_path, name):
    fitted = request.getfixturevalue(name)
    save(fitted.model, tmp_path / "model")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = load(tmp_path / "model")
    assert type(again) is type(fitted.model)
    assert again.get_params() == fitted.model.get_params()
    assert_same_predictions(again, fitted.model, fitted.query)
    assert again.history_.equals(fitted.model.history_)
    assert again.log_evidence_ == fitted.model.log_evidence_
    np.testing.assert_array_equal(again.sigma2_, fitted.model.sigma2_)
    assert sorted(vars(again)) == sorted(vars(fitted.model))


def test_a_second_save_writes_the_same_bytes(path, tmp_path):
    save(load(path), tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == path.read_bytes()


def test_names_of_columns_come_back(named, tmp_path):
    save(named.model, tmp_path / "model")
    again = load(tmp_path / "model")
    assert again.feature_names_in_.tolist() == ["größe", "age"]
    with pytest.raises(ValueError, match="feature names"):
        again.predict(named.X[["age", "größe"]])


def test_a_loaded_model_goes_on_like_the_saved_one(luna, path):
    again, original = load(path), copy.deepcopy(luna.model)
    rows, targets = luna.query, luna.query[:, 1]
    for step in ("update", "forget", "refit"):
        getattr(again, step)(rows, targets)
        getattr(original, step)(rows, targets)
        assert_same_predictions(again, original, luna.query)
    for sample in ("sample_prior", "sample_posterior"):
        draws = [getattr(model, sample)(rows, n=3, random_state=1) for model in (again, original)]
        np.testing.assert_array_equal(*draws)
    np.testing.assert_array_equal(again.predict_heads(rows), original.predict_heads(rows))


def test_a_loaded_model_can_be_fitted_again(luna, path):
    again = load(path).fit(luna.X, luna.y)
    assert_same_predictions(again, luna.model, luna.query)


def test_parameters_come_back_with_their_types(luna, tmp_path):
    given = {
        "hidden_layer_sizes": [8, 4],
        "lam": np.float64(0.1),
        "sigma2": np.array([0.01]),
        "prior_variance": np.float32(0.1),
        "gamma": float("inf"),
        "epsilon": float("nan"),
        "n_points": None,
        "verbose": True,
        "random_state": 2**40,
        "where": "between",
    }
    save(changed(luna.model, **given), tmp_path / "model")
    again = load(tmp_path / "model").get_params()
    for name, value in given.items():
        assert type(again[name]) is type(value), name
        np.testing.assert_equal(again[name], value, err_msg=name)


def test_the_description_is_strict_json_and_holds_no_code(luna, tmp_path):
    save(changed(luna.model, where=my_places, gamma=float("nan")), tmp_path / "model")
    data = (tmp_path / "model").read_bytes()
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])

    def refuse(constant):
        raise AssertionError(constant)

    assert list(header["__metadata__"]) == [KEY]
    content = json.loads(header["__metadata__"][KEY], parse_constant=refuse)
    assert content["class"] == "LUNA"
    assert content["parameters"]["where"] == {"object": f"{__name__}.my_places"}


def test_nothing_is_pickled(luna, tmp_path, monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("pickle was used")

    for name in ("dumps", "dump", "loads", "load", "Pickler", "Unpickler"):
        monkeypatch.setattr(pickle, name, refuse)
    save(luna.model, tmp_path / "model")
    load(tmp_path / "model")


# ------------------------------------------------------------------------------ parameters that are not saved


@pytest.mark.parametrize(("name", "function"), [("features", make_features), ("activation", my_activation)])
def test_what_the_feature_map_is_made_with_must_be_given_again(luna, tmp_path, name, function):
    path = tmp_path / "model.una"
    save(changed(luna.model, **{name: function}), path)
    with pytest.raises(
        ModelFileError, match=rf"`{name}` \(.*{function.__name__}\).*load\('model.una', {name}=\.\.\.\)"
    ):
        load(path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = load(path, **{name: function})
    assert getattr(again, name) is function
    assert_same_predictions(again, luna.model, luna.query)


class Waves(AbstractFeatureMap):
    """A feature map that is not the package's own."""

    W: jax.Array

    def __init__(self, d, *, key):
        self.W = jax.random.normal(key, (5, d))

    def __call__(self, x):
        return jnp.sin(self.W @ x)


def test_a_feature_map_of_ones_own(luna, tmp_path):
    model = NeuralLinear(features=Waves, **SMALL).fit(luna.X, luna.y)
    save(model, tmp_path / "model")
    with pytest.raises(ModelFileError, match=r"`features` \(tests\.saving\.test_models\.Waves\)"):
        load(tmp_path / "model")
    assert_same_predictions(load(tmp_path / "model", features=Waves), model, luna.query)


def test_features_of_another_shape_are_refused(luna, tmp_path):
    save(changed(luna.model, features=make_features), tmp_path / "model")
    with pytest.raises(ModelFileError, match=r"does not fit LUNA here: .*pass the `features`"):
        load(tmp_path / "model", features=lambda d, *, key: MLP(d, (9, 4), key=key))


def test_what_only_training_used_comes_back_as_its_default_with_one_warning(luna, tmp_path):
    path = tmp_path / "model"
    generator = np.random.default_rng(0)
    save(changed(luna.model, where=my_places, optimizer=optax.lion, random_state=generator), path)
    with pytest.warns(UserWarning, match="not saved") as caught:
        again = load(path)
    assert len(caught) == 1
    message = str(caught[0].message)
    for part in (
        "`where` (tests.saving.test_models.my_places) is now 'between'",
        "lion) is now 'auto'",
        "`random_state` (numpy.random._generator.Generator) is now None",
    ):
        assert part in message
    assert (again.where, again.optimizer, again.random_state) == ("between", "auto", None)
    assert_same_predictions(again, luna.model, luna.query)


def test_what_only_training_used_may_be_given_again(luna, tmp_path):
    path = tmp_path / "model"
    random = np.random.RandomState(0)
    save(changed(luna.model, where=my_places, random_state=random), path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = load(path, where=my_places, random_state=3)
    assert (again.where, again.random_state) == (my_places, 3)
    with pytest.warns(UserWarning, match="`random_state`") as caught:
        load(path, where=my_places)
    assert "`where`" not in str(caught[0].message)


def test_an_objective_of_ones_own_comes_back_as_the_default(named, tmp_path):
    objective = map_objective(np.ones(2), np.float64(0.0))
    save(changed(named.model, objective=objective), tmp_path / "model")
    with pytest.warns(UserWarning, match=r"`objective` \(.*Una\) is now 'map'"):
        again = load(tmp_path / "model")
    assert_same_predictions(again, named.model, named.query)


@pytest.mark.parametrize("extra", [{"hidden_layer_sizes": (3,)}, {"random_state": 1}, {"nonsense": 1}], ids=str)
def test_parameters_that_are_in_the_file_cannot_be_given(path, extra):
    with pytest.raises(TypeError, match=rf"given {next(iter(extra))}.*none has to be given.*set_params"):
        load(path, **extra)


# -------------------------------------------------------------------------------------------- what is refused


def test_a_model_that_is_not_fitted(tmp_path):
    with pytest.raises(NotFittedError, match="not fitted"):
        save(LUNA(), tmp_path / "model")
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize("thing", [LUNA, type("LUNA", (LUNA,), {})(), object()], ids=["class", "subclass", "object"])
def test_what_is_not_one_of_the_regressors(tmp_path, thing):
    with pytest.raises(TypeError, match=r"cannot save .*LUNA.*NeuralLinear"):
        save(thing, tmp_path / "model")


def test_parameters_changed_after_fit_so_that_the_file_could_not_be_loaded(luna, tmp_path):
    with pytest.raises(ValueError, match=r"cannot be saved.*changed after `fit`"):
        save(changed(luna.model, hidden_layer_sizes=(9, 4)), tmp_path / "model")
    assert not os.listdir(tmp_path)


def test_a_value_of_the_state_that_json_cannot_hold(luna, tmp_path, monkeypatch):
    state = luna.model.get_state()
    monkeypatch.setattr(LUNA, "get_state", lambda self: (state[0], {**state[1], "call": print}))
    with pytest.raises(TypeError, match=r"`LUNA.get_state` gave.*builtins.print"):
        save(luna.model, tmp_path / "model")


@pytest.mark.parametrize("kind", [str, lambda path: path], ids=["str", "Path"])
@pytest.mark.parametrize("name", ["model", "model.safetensors", "m.v1.bin", "größe 1", "x" * 255])
def test_any_name(luna, tmp_path, name, kind):
    if name == "größe 1" and sys.getfilesystemencoding() != "utf-8":
        pytest.skip("file names here are not UTF-8")
    save(luna.model, kind(tmp_path / name))
    assert os.listdir(tmp_path) == [name]
    load(kind(tmp_path / name))


def test_a_name_in_the_working_directory(luna, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save(luna.model, "model")
    load("model")


def test_a_directory_that_does_not_exist(luna, tmp_path):
    with pytest.raises(ModelFileError, match=r"no directory .*absent; make it first"):
        save(luna.model, tmp_path / "absent" / "model")


def test_a_directory_in_place_of_a_file(luna, tmp_path):
    with pytest.raises(ModelFileError, match="is a directory"):
        save(luna.model, tmp_path)
    with pytest.raises(ModelFileError, match="not a file"):
        load(tmp_path)


def test_a_missing_file(tmp_path):
    with pytest.raises(ModelFileError, match=r"no file .*absent\.una; expected a model"):
        load(tmp_path / "absent.una")


def test_files_of_other_kinds(tmp_path):
    path = tmp_path / "file"
    for data, what in (
        (b"", "empty"),
        (b"a text, and long enough", "text file"),
        (pickle.dumps({"a": 1}), "pickle"),
        (safetensors.numpy.save({"w": np.ones(2)}), "not a model of unabases"),
    ):
        path.write_bytes(data)
        with pytest.raises(ModelFileError, match=what):
            load(path)


def test_truncated_and_edited_files(path):
    data = path.read_bytes()
    path.write_bytes(data[:-1])
    with pytest.raises(ModelFileError, match=rf"truncated: expected {len(data)} bytes, got {len(data) - 1}"):
        load(path)
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(ModelFileError, match="changed"):
        load(path)
    path.write_bytes(data.replace(b"relu", b"tanh"))
    with pytest.raises(ModelFileError, match="changed"):
        load(path)


@pytest.mark.parametrize("name", ["SuperLUNA", "AbstractRegressor", "os.system", "sklearn.svm.SVR"])
def test_an_unknown_class_is_refused_with_the_known_ones(path, name):
    forged(path, **{"class": name})
    with pytest.raises(ModelFileError, match=rf"holds a '{name}'.*known ones are .*LUNA.*written by unabases"):
        load(path)


def test_a_parameter_from_another_version(path):
    content, _ = unpack(path.read_bytes(), "file")
    forged(path, parameters={**content["parameters"], "warmth": 1})
    with pytest.raises(ModelFileError, match=r"the parameters warmth, which LUNA does not have here: it was written"):
        load(path)


def test_a_parameter_that_is_newer_than_the_file_takes_its_default(path):
    content, _ = unpack(path.read_bytes(), "file")
    forged(path, parameters={key: value for key, value in content["parameters"].items() if key != "patience"})
    assert load(path).patience == 10


@pytest.mark.parametrize("content", [{"values": {}}, {"values": 3}, {"parameters": {"lam": {"code": "x"}}}], ids=str)
def test_a_description_that_makes_no_sense(path, content):
    forged(path, **content)
    with pytest.raises(ModelFileError, match=r"does not fit|not understood"):
        load(path)


def test_a_failure_while_writing_leaves_the_old_model(luna, updated, path, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda descriptor: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        save(updated.model, path)
    monkeypatch.undo()
    assert os.listdir(path.parent) == [path.name]
    assert_same_predictions(load(path), luna.model, luna.query)


def test_a_parameter_without_default_must_be_given_again(path, monkeypatch):
    class Needy(AbstractRegressor):
        def __init__(self, kernel):
            self.kernel = kernel

        fit = _predict_rows = _rows_at_once = get_state = lambda self, *args: None  # type: ignore[assignment]

        def set_state(self, arrays, values):
            self.values_ = values

    monkeypatch.setattr(models, "known_models", lambda: {"Needy": Needy})
    forged(path, **{"class": "Needy", "parameters": {"kernel": {"object": "m.k"}}})
    with pytest.raises(ModelFileError, match=r"`kernel` \(m\.k\)"):
        load(path)
    assert load(path, kernel=print).kernel is print


# ------------------------------------------------------------- files that describe no model, with a good checksum


def with_array(path, name, change):
    content, arrays = unpack(path.read_bytes(), "file")
    path.write_bytes(pack(content, {**arrays, name: change(arrays[name])}))


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("state.y.spread", lambda a: -a, "'y.spread' has to be finite and positive"),
        ("state.posterior.0.sigma2", lambda a: -a, "'sigma2' has to be finite and positive"),
        ("state.posterior.0.m", lambda a: a * np.nan, "'m' has to be finite"),
        ("state.statistics.n", lambda a: a * 0 - 5, "'n' has to be finite and not negative"),
        ("state.statistics.n", lambda a: a + 0.5, "not those of any rows"),
        (
            "state.posterior.0.L",
            lambda a: a[:-1, :-1],
            r"'L' has shape \(4, 4\), but \(k, k\) is expected, where k is 5",
        ),
        ("state.posterior.0.L", lambda a: a * 0, "lower triangle with a positive diagonal"),
        ("state.phi.0", lambda a: a[:, :1], "the saved network has arrays of shapes"),
        ("state.phi.0", lambda a: a * np.inf, "weights of the saved network have to be finite"),
        ("state.phi.0", lambda a: a.astype(np.float16), "the saved network has arrays"),
        ("state.heads", lambda a: a[:, :, :2], "'heads' has shape"),
        ("state.x.center", lambda a: a[:1], "'x.spread' has shape"),
        ("state.y.spread", lambda a: np.full_like(a, 1e300), "scale of the targets is beyond"),
        ("state.y.center", lambda a: np.full_like(a, -1e200), "scale of the targets is beyond"),
    ],
)
def test_arrays_that_no_model_has(path, name, change, says):
    with_array(path, name, change)
    with np.errstate(all="ignore"), pytest.raises(ModelFileError, match=f"does not fit LUNA here: .*{says}"):
        load(path)


@pytest.mark.parametrize(
    ("part", "key", "value", "says"),
    [
        ("parameters", "n_heads", "many", "`n_heads` must be a whole number; got 'many'"),
        ("parameters", "hidden_layer_sizes", {"tuple": [20000, 20000]}, "the saved network has arrays of shapes"),
        ("parameters", "hidden_layer_sizes", {"tuple": [1] * 100_000}, "at most 200 hidden layers; got 100000"),
        ("parameters", "schedule", [], "`schedule` must be a name"),
        ("parameters", "activation", {"tuple": []}, "`activation` must be a name or a function"),
        ("values", "n_features_in", 10**9, "the inputs do not agree: 2 numbers a row, 1000000000 columns"),
        ("values", "n_features_in", "2", "'n_features_in' has to be of type int"),
        ("values", "vector_output", {"dict": [[1.5, 2]]}, "keys of a dictionary have to be strings"),
        ("values", "vector_output", {"dict": 3}, "the content of a 'dict' is not understood"),
        ("values", "log_evidence", {"float": "nan"}, "'log_evidence' has to be finite"),
        ("values", "log_evidence", {"array": "absent"}, "not understood"),
        ("values", "feature_names_in", ["a"], "2 names or none"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_values_that_no_model_has_are_refused_at_once(path, part, key, value, says):
    content, _ = unpack(path.read_bytes(), "file")
    forged(path, **{part: {**content[part], key: value}})
    begun = time.process_time()
    with pytest.raises(ModelFileError, match=says):
        load(path)
    assert time.process_time() - begun < 2


def test_a_value_that_is_nested_too_deep(path):
    content, _ = unpack(path.read_bytes(), "file")
    deep = []
    for _ in range(900):
        deep = [deep]
    forged(path, values={**content["values"], "diversity": deep})
    with pytest.raises(ModelFileError, match="nested more than 100 deep"):
        load(path)


def test_the_list_of_arrays_has_to_name_those_that_are_there(path):
    content, arrays = unpack(path.read_bytes(), "file")
    metadata = json.dumps({**content, "tensors": [["state.x.center", "C"]]}, sort_keys=True, separators=(",", ":"))
    sealed = resealed(metadata, arrays)
    with pytest.raises(ModelFileError, match="does not name those that are there"):
        unpack(sealed, "file")


def resealed(text, arrays):
    """A file with any description at all, and a good checksum."""
    content, arrays = json.loads(text), {name: np.ascontiguousarray(a) for name, a in arrays.items()}
    codes = {name: code for code, name in ((code, dtype.name) for code, dtype in DTYPES.items())}
    tensors = {name: (codes[a.dtype.name], a.shape, a.tobytes()) for name, a in arrays.items()}
    seal = container._checksum(content, tensors)
    return safetensors.numpy.save(arrays, metadata={KEY: container._dump({**content, "checksum": seal})})
