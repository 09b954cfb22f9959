"""What the forms of a parameter mean, decided once for all searches."""

import math
import warnings

import numpy as np
import pytest
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

from unabases.selection.axes import ChoiceAxis, NumberAxis, kind_of, make_axis, read_parameter


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ((1, 100), IntDistribution(1, 100)),
        ((np.int64(1), np.int32(100)), IntDistribution(1, 100)),
        ((1, 100.0), FloatDistribution(1, 100)),
        ((0.01, 1.0), FloatDistribution(0.01, 1)),  # never logarithmic unless it says so
        ((1, 100, "real"), FloatDistribution(1, 100)),
        ((0.01, 100.0, "real"), FloatDistribution(0.01, 100)),
        ((1, 100, "log"), FloatDistribution(1, 100, log=True)),
        ((1.0, 100.0, "integer"), IntDistribution(1, 100)),
        ((1, 100, "log-integer"), IntDistribution(1, 100, log=True)),
        (["a", None, 3], CategoricalDistribution(["a", None, 3])),
        (IntDistribution(1, 9, step=2), IntDistribution(1, 9, step=2)),
        (CategoricalDistribution(["a"]), CategoricalDistribution(["a"])),
    ],
)
def test_a_form_has_one_meaning(given, meant):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_parameter("x", given) == meant


@pytest.mark.parametrize("given", [(0.01, 100.0), (1, 1e3), (1e-9, 1.0)])
def test_a_wide_linear_range_suggests_a_logarithm(given):
    with pytest.warns(UserWarning, match=r'`lam` = .* linear scale.*"log"'):
        assert not read_parameter("lam", given).log


def test_choices_of_any_type_make_no_noise():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_parameter("x", [(50, 20), np.sin]).choices == ((50, 20), np.sin)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (3, r"`x` must be a range \(low, high\)"),
        ((1,), "must be a range"),
        ((0, 1, "logarithmic"), "known ones are real, log, integer, log-integer"),
        ((1, 0), "lower one first; got 1 and 0"),
        ((0, math.inf), "two finite ends"),
        (("a", "b"), "two finite ends"),
        ((0, 1, "log"), "positive ends; got 0 and 1"),
        (FloatDistribution(0, math.inf), "two finite ends"),
        ((True, False), "two whole ends"),
        ((0.5, 3, "integer"), "two whole ends"),
        ((1, 2**60), "at most 2⁵³"),
        ((0, 3, "log-integer"), "at least 1"),
        ((-1e308, 1e308), "two finite ends"),
        ([], "a list of choices"),
        (["a", "a"], "'a' is there twice"),
        (True, "must be a range"),
    ],
)
def test_a_wrong_form_is_refused(given, says):
    with pytest.raises(ValueError, match=says):
        read_parameter("x", given)


@pytest.mark.parametrize("kind", ["real", "log", "integer", "log-integer"])
def test_the_kind_of_a_range_is_known(kind):
    assert kind_of(read_parameter("x", (1, 9, kind))) == kind


def test_a_fraction_for_a_range_of_ints_says_how_to_get_real_numbers():
    with pytest.raises(ValueError, match=r'whole number between 0 and 1; got 0\.5.*write \(0, 1, "real"\)'):
        NumberAxis(IntDistribution(0, 1)).check(0.5)


def test_a_real_number_with_one_value_stands_in_the_middle():
    axis = NumberAxis(FloatDistribution(2.0, 2.0))
    assert axis.size == 1
    assert axis.encode([2.0]).tolist() == axis.snap(np.array([[0.9]])).tolist() == [[0.5]]
    assert axis.decode(np.array([[0.1]])) == axis.values() == [2.0]


def test_the_values_of_a_grid_own_equal_shares():
    axis = NumberAxis(IntDistribution(3, 30, step=9))
    assert axis.values() == [3, 12, 21, 30]
    np.testing.assert_allclose(axis.encode(axis.values())[:, 0], [1 / 8, 3 / 8, 5 / 8, 7 / 8], rtol=1e-15)
    assert axis.decode(np.array([[0.24], [0.26], [0.51], [0.99]])) == [3, 12, 21, 30]


def test_choices_that_are_not_numbers_are_found_and_others_refused():
    axis = make_axis(CategoricalDistribution(["a", float("nan")]))
    assert isinstance(axis, ChoiceAxis)
    assert axis.index(np.float32("nan")) == 1
    assert axis.index("b") is None
    with pytest.raises(ValueError, match="must be one of 'a', nan; got 'b'"):
        axis.check("b")


def test_a_choice_may_have_very_many_options():
    axis = make_axis(read_parameter("word", list(range(50_000))))
    U = axis.spread(np.array([0.0, 0.5, 1.0]))  # without a matrix of 50,000 by 50,000
    assert axis.decode(U) == [0, 25_000, 49_999]
    with pytest.raises(ValueError, match="choices must differ; 7 is there twice"):
        read_parameter("word", [*range(50_000), 7])
