"""Estimators get their `__init__` and their words from the fields that they declare."""

import inspect
from dataclasses import fields
from typing import Any

import pytest
from sklearn.base import BaseEstimator, clone

from unabases import LUNA, NeuralLinear, all_regressors
from unabases.regressors.parameters import GROUPS, estimator, parameter


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
