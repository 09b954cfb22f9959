from unabases import UNA, Conformal, GaussianProcess
from unabases.bayesopt.turning import turned
from unabases.terms import Bounds, Monotone


def test_terms_are_turned_around_in_a_copy():
    surrogate = UNA(terms=[Monotone(0), Bounds(lower=0.0)])
    assert turned(surrogate).terms == [Monotone(0, increasing=False), Bounds(upper=-0.0)]
    assert surrogate.terms == [Monotone(0), Bounds(lower=0.0)]


def test_terms_inside_of_another_estimator_are_found():
    assert turned(Conformal(UNA(terms=[Monotone(0)]))).estimator.terms == [Monotone(0, increasing=False)]


def test_what_has_no_terms_stays():
    for surrogate in (GaussianProcess(), UNA(), None):
        assert turned(surrogate) is surrogate
