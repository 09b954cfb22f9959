"""Estimators get their `__init__` and their words from the fields that they declare."""

import inspect
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone

from unabases import LUNA, NeuralLinear, all_regressors
from unabases.regressors.shared.parameters import GROUPS, check_kinds, estimator, parameter


@estimator
class Parent(BaseEstimator):
    """A parent.

    Attributes
    ----------
    {size_}
    """

    size: Any = parameter(3, "Model", "int", "How large it is.")
    fitted_attributes = {"size_": ("int", "How large it became.")}  # noqa: RUF012


@estimator
class Child(Parent):
    """A child of it."""

    size: Any = 4
    colour: Any = parameter("red", "Other", "str", "Its colour.")


def test_a_child_inherits_parameters_with_their_words_and_may_change_a_default():
    assert (Parent().size, Child().size, Child(size=5).colour) == (3, 4, "red")
    assert clone(Child(colour="blue")).get_params() == {"size": 4, "colour": "blue"}
    assert "size : int, default=4\n    How large it is." in Child.__doc__
    assert "size : int, default=3" in Parent.__doc__
    assert "size_ : int\n    How large it became." in Parent.__doc__
    with pytest.raises(TypeError, match="positional"):
        Parent(3)


def test_a_parameter_needs_a_description_and_a_known_group():
    with pytest.raises(TypeError, match="nameless has no description"):
        estimator(type("Bad", (Parent,), {"__doc__": "Bad.", "__annotations__": {"nameless": Any}, "nameless": 1}))
    with pytest.raises(ValueError, match="unknown group 'Colour'; known ones are Model"):
        parameter(1, "Colour", "int", "Nothing.")


def test_classes_work_without_docstrings_as_under_python_OO():
    bare = estimator(type("Bare", (Parent,), {"__doc__": None}))
    assert bare().size == 3
    assert bare.__doc__ is None


@pytest.mark.parametrize("cls", all_regressors().values())
def test_every_parameter_of_every_regressor_is_described_once(cls):
    words = inspect.getdoc(cls)
    places = [words.index(f"**{group}**") for group in GROUPS if f"**{group}**" in words]
    assert places == sorted(places)
    for field in fields(cls):
        assert words.count(f"\n{field.name} : ") == 1, field.name
    for section in ("Attributes", "References", "Examples"):
        assert f"\n{section}\n----" in words, section
    assert "As in" not in words
    assert "_}" not in words  # every shared attribute was put in


def test_the_signature_has_the_objective_first_and_no_annotations():
    shown = str(inspect.signature(NeuralLinear))
    assert shown.startswith("(objective='map', *, hidden_layer_sizes=(50, 20), activation='relu'")
    assert NeuralLinear("mle").objective == "mle"
    with pytest.raises(TypeError, match="positional"):
        LUNA(20)


@pytest.mark.parametrize("name", all_regressors())
def test_every_default_is_of_the_kind_that_its_description_names(name):
    model = all_regressors()[name]()
    assert check_kinds(model) is model


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"n_heads": "many"}, "a whole number; got 'many'"),
        ({"max_steps": True}, 'a whole number or "auto"; got True'),
        ({"max_steps": 1.5}, 'a whole number or "auto"; got 1.5'),
        ({"lam": "big"}, "a number; got 'big'"),
        ({"schedule": []}, "a name; got"),
        ({"activation": None}, "a name or a function; got None"),
        ({"early_stopping": "no"}, "True or False; got 'no'"),
        ({"standardize": 7}, 'True, False or "common"; got 7'),
        ({"hidden_layer_sizes": "50"}, "a tuple of whole numbers; got '50'"),
        ({"sigma2": {}}, 'a number, an array of them, "residual", "left-out" or "evidence"; got'),
        ({"batch_size": []}, 'a whole number, "auto" or None; got'),
        ({"random_state": "one"}, "a whole number, RandomState or None; got 'one'"),
        ({"where": [1]}, "a name, a function or tuple of them; got"),
    ],
    ids=str,
)
def test_a_value_of_another_kind_is_refused_in_plain_words(given, says):
    ((name, _),) = given.items()
    with pytest.raises(ValueError, match=f"`{name}` must be {says}"):
        check_kinds(LUNA(**given))


def test_what_fits_a_kind_is_accepted():
    given: dict[str, Any] = {"max_steps": np.int64(3), "lam": 2, "verbose": 1, "sigma2": [0.1], "where": ("data", abs)}
    check_kinds(LUNA(**given, hidden_layer_sizes=[8, 4], batch_size=None, random_state=np.random.RandomState(0)))
    check_kinds(LUNA(hidden_layer_sizes=8, sigma2="evidence", activation=abs, standardize=False))
