"""Bad rows, settings and questions, each given to all regressors, which all answer in the same way."""

import re
import warnings

import numpy as np
import pytest
from sklearn.base import clone

from tests.bad_input.cases import FINE, QUESTIONS, ROWS, WORDS, Setting, X, Y, settings
from tests.saving.kept import kept_files, small
from unabases import all_regressors, load

MODELS = {name: small(name) for name in all_regressors()}
SETTINGS = list(settings())


def answer(ask):
    """The message of the error that something ends in, or `FINE`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ask()
        except (ValueError, TypeError) as error:
            return str(error) or repr(error)
    return FINE


def as_expected(expected, said):
    return said == FINE if expected == FINE else re.search(expected, said) is not None


def show(case):
    """The name of a case; without addresses, which every process has of its own."""
    return f"{case.name}={case.value!r}".partition(" at 0x")[0] if isinstance(case, Setting) else str(case)


@pytest.mark.parametrize("name", ROWS)
def test_rows(name):
    rows, y, expected = ROWS[name]
    # What is fine is fitted, which takes time: by a few, of which each has its own way to read rows.
    for model in MODELS.values() if expected else (MODELS["GaussianProcess"], MODELS["NeuralLinear"]):
        said = answer(lambda model=model: clone(model).fit(rows, y))
        assert as_expected(expected, said), f"{type(model).__name__} said {said!r}"


@pytest.mark.parametrize("case", SETTINGS, ids=show)
def test_settings(case):
    takers = [model for model in MODELS.values() if case.name in model.get_params()]
    assert takers, "nothing takes it any more: remove it from the table"
    for model in takers:
        model = clone(model).set_params(**{case.name: case.value})
        said = answer(lambda model=model: model.fit(X, Y))
        assert as_expected(WORDS.get(case.name, case.name), said), f"{type(model).__name__} said {said!r}"
        assert not hasattr(model, "sigma2_"), "it is half fitted"


@pytest.fixture(scope="module")
def fitted():
    """A model of every regressor, from files of the last version."""
    newest = {each.name: each.path for each in kept_files()}
    return [load(newest[name]) for name in MODELS]


@pytest.mark.parametrize("name", QUESTIONS)
def test_questions(fitted, name):
    rows, expected = QUESTIONS[name]
    for model in fitted:
        said = answer(lambda model=model: model.predict(rows))
        assert as_expected(expected, said), f"{type(model).__name__} said {said!r}"


def test_rows_farther_away_than_numbers_go(fitted):
    for model in fitted:
        said = answer(lambda model=model: model.predict_dist(1e300 * X))
        if said == FINE:  # what is bounded, such as a kernel or tanh, has an answer there
            d = model.predict_dist(1e300 * X)
            assert np.isfinite(d.mean).all(), model
            assert np.isfinite(d.std).all(), model
        else:
            assert "too far from the rows of the fit" in said, f"{type(model).__name__} said {said!r}"


def test_the_table_is_as_long_as_promised():
    assert len(ROWS) + len(SETTINGS) + len(QUESTIONS) >= 150
