import numpy as np
import pytest

from unabases.regressors.shared.saved_state import SavedState, StateError

GOOD = {"G": np.eye(2), "b": np.ones((2, 1)), "phi.0": np.ones(3), "phi.1": np.ones(2), "none": np.zeros((0, 2))}


def state(**changed):
    return SavedState({**GOOD, **changed}, {"n": 3, "rate": 0.5, "name": "x", "flag": True, "far": float("inf")}, p=1)


def test_sizes_are_learned_from_the_first_array_and_hold_for_all():
    saved = state()
    assert saved.array("G", "k k") is GOOD["G"]
    assert saved.array("b", "k p") is GOOD["b"]
    assert saved.sizes == {"p": 1, "k": 2}


@pytest.mark.parametrize(
    ("take", "says"),
    [
        (lambda s: s.array("absent", "k"), "the array 'absent' is missing"),
        (lambda s: s.array("b", "p p"), r"has shape \(2, 1\), but \(p, p\) is expected, where p is 1, p is 1"),
        (lambda s: s.array("G", "k"), r"has shape \(2, 2\)"),
        (lambda s: s.array("none", "n k"), r"has shape \(0, 2\)"),
        (lambda s: s.array("G", "k k", dtype=np.float32), "type float64, but float32"),
        (lambda s: s.array("G", "k k", "positive"), "finite and positive"),
        (lambda s: s.numbered("phi"), "numbered from 0 to 1"),
        (lambda s: s.value("absent", int), "the value 'absent' is missing"),
        (lambda s: s.value("flag", int), "of type int, but is True"),
        (lambda s: s.value("name", float), "of type float, but is 'x'"),
        (lambda s: s.finite_value("far"), "has to be finite"),
        (lambda s: s.number("G"), r"but \(\) is expected"),
    ],
)
def test_what_does_not_fit_is_named(take, says):
    with pytest.raises(StateError, match=says):
        take(state())


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_numbers_have_to_be_finite(number):
    with pytest.raises(StateError, match="'b' has to be finite"):
        state(b=np.array([[1.0], [number]])).array("b", "k p")


@pytest.mark.parametrize("L", [[[1.0, 1.0], [0.0, 1.0]], [[0.0, 0.0], [1.0, 1.0]], [[-1.0, 0.0], [1.0, 1.0]]])
def test_a_factor_is_a_lower_triangle_with_a_positive_diagonal(L):
    assert state().factor("G", "k k") is GOOD["G"]
    with pytest.raises(StateError, match="lower triangle"):
        state(G=np.array(L)).factor("G", "k k")


def test_values_come_back_and_whole_numbers_will_do_for_floats():
    assert state().value("n", int) == 3
    assert state().finite_value("n", "positive") == 3.0
    assert state().value("absent", dict, None) is None


def test_a_part_knows_the_sizes_of_the_whole():
    saved = SavedState({"a.x": np.ones(2), "b": np.ones(3)}, {}, k=2)
    part = saved.below("a.", m=5)
    assert list(part.arrays) == ["x"]
    assert part.sizes == {"k": 2, "m": 5}
    assert [len(leaf) for leaf in state().numbered("phi.")] == [3, 2]
