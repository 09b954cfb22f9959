"""Wishes on heads and the prior over functions."""

import pytest
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern, WhiteKernel

from unabases.terms import Diversity, FunctionPrior


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        ({"length_scale": 0}, "length_scale"),
        ({"length_scale": {"dose": -1.0}}, "length_scale"),
        ({"length_scale": {2.5: 1.0}}, "column"),
        ({"amplitude": "large"}, "amplitude"),
        ({"strength": -1}, "strength"),
    ],
)
def test_numbers_of_a_prior_are_positive(wrong, name):
    with pytest.raises(ValueError, match=f"`{name}`"):
        FunctionPrior(**wrong)


def test_a_prior_names_the_columns_of_its_length_scales():
    assert FunctionPrior(length_scale={"dose": 1.0, 2: 3.0}).about() == ("dose", 2)
    assert FunctionPrior(length_scale=1.0).about() == ()


def test_a_prior_takes_the_numbers_of_a_kernel():
    assert FunctionPrior.of_kernel(RBF(2.0)) == FunctionPrior(length_scale=2.0, amplitude=1.0)
    both = WhiteKernel(0.1) + ConstantKernel(2.0) * (ConstantKernel(8.0) * RBF([1.0, 3.0]))
    assert FunctionPrior.of_kernel(both) == FunctionPrior(length_scale={0: 1.0, 1: 3.0}, amplitude=4.0)


@pytest.mark.parametrize("kernel", [Matern(), RBF() + RBF(), RBF() * RBF(), ConstantKernel(2.0), "rbf"], ids=repr)
def test_another_kernel_is_refused(kernel):
    with pytest.raises(ValueError, match="must be an RBF"):
        FunctionPrior.of_kernel(kernel)


def test_diversity_has_a_strength():
    with pytest.raises(ValueError, match="`strength`"):
        Diversity(strength=0)
