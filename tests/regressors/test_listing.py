"""The list that comparisons, files and the contract run over."""

import inspect

import unabases.regressors
from unabases import LUNA, GaussianProcess, all_regressors
from unabases.regressors import AbstractRegressor


def test_it_lists_every_concrete_regressor_and_nothing_else():
    listed = all_regressors()
    assert listed["LUNA"] is LUNA
    assert listed["GaussianProcess"] is GaussianProcess
    for name, thing in vars(unabases.regressors).items():
        concrete = inspect.isclass(thing) and issubclass(thing, AbstractRegressor) and not inspect.isabstract(thing)
        assert (name in listed) == concrete


def test_each_is_at_the_top_of_the_package():
    for name, cls in all_regressors().items():
        assert getattr(unabases, name) is cls
