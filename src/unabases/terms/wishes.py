"""What the features of a model are trained to express: wishes on auxiliary heads, and the prior over functions."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from unabases.terms.base import AbstractStatement, check_column, check_number


@dataclass(frozen=True)
class FunctionPrior(AbstractStatement):
    """Functions are like those of a Gaussian process: this smooth, and this large.

    Numbers that you give are kept: then the functions drawn by `sample_prior` have this length scale and this
    amplitude. The others are fitted to a sample of the rows, and drawn anew for each member as far as the rows leave
    them open. The network has little to say beside the kernel. Without any terms, left-out rows decide how much the
    kernel and the network count, and how wide to be far from the data.

    Parameters
    ----------
    length_scale : float or dict, optional
        Over which distance the function changes, in the units of the columns: one number for all of them, or a dict of
        columns and numbers. Fitted where it is not given.
    amplitude : float, optional
        How far the function strays from its mean: a standard deviation, in the units of y. Fitted if not given.
    strength : float, optional
        How strongly heads follow functions of this kind, in nats per row; None for that of the model.

    Examples
    --------
    >>> FunctionPrior(length_scale=5.0)
    FunctionPrior(length_scale=5.0, amplitude=None, strength=0.3)
    """

    length_scale: Any = None
    amplitude: Any = None
    strength: Any = 0.3

    def __post_init__(self) -> None:
        given = self.length_scale if isinstance(self.length_scale, dict) else {0: self.length_scale}
        for column, value in given.items():
            check_column(column)
            if value is not None:
                check_number("length_scale", value, positive=True)
        if self.amplitude is not None:
            check_number("amplitude", self.amplitude, positive=True)
        if self.strength is not None and self.strength != 0:
            check_number("strength", self.strength, positive=True)

    @classmethod
    def of_kernel(cls, kernel: Any, strength: float | None = 0.3) -> "FunctionPrior":
        """Take the numbers of a scikit-learn kernel: an RBF, times a constant, plus white noise or not.

        Parameters
        ----------
        kernel
            Such as `4.0 * RBF(2.0)`, in the units of the columns and of y. Its hyperparameters are taken as they are.
            Noise is learned from the data, so that of the kernel is passed over.
        strength
            As of the class.

        Examples
        --------
        >>> from sklearn.gaussian_process.kernels import RBF, WhiteKernel
        >>> FunctionPrior.of_kernel(9.0 * RBF([2.0, 5.0]) + WhiteKernel())
        FunctionPrior(length_scale={0: 2.0, 1: 5.0}, amplitude=3.0, strength=0.3)
        """
        parts = _parts_of(kernel)
        rbf = [part for part in parts if type(part).__name__ == "RBF"]
        constants = [part for part in parts if type(part).__name__ == "ConstantKernel"]
        if len(rbf) != 1 or len(rbf) + len(constants) != len(parts):
            raise ValueError(
                f"`kernel` must be an RBF of scikit-learn, times a constant or not; got {kernel!r}. Give "
                "`length_scale` and `amplitude` instead."
            )
        length = np.atleast_1d(rbf[0].length_scale)
        lengths = dict(enumerate(length.tolist())) if len(length) > 1 else float(length[0])
        variance = np.prod([part.constant_value for part in constants])
        return cls(lengths, float(np.sqrt(variance)), strength)

    @property
    def has_numbers(self) -> bool:
        """Whether any are given; otherwise rows decide all of them."""
        return self.length_scale is not None or self.amplitude is not None

    def about(self) -> tuple[str | int, ...]:
        """The columns whose length scales are given one by one."""
        return tuple(self.length_scale) if isinstance(self.length_scale, dict) else ()


def _parts_of(kernel: Any) -> list[Any]:
    """The factors of a kernel that is a product, without white noise that is added to it."""
    kind = type(kernel).__name__
    if kind == "Sum":
        kept = [part for part in (kernel.k1, kernel.k2) if type(part).__name__ != "WhiteKernel"]
        return _parts_of(kept[0]) if len(kept) == 1 else [kernel]
    return [*_parts_of(kernel.k1), *_parts_of(kernel.k2)] if kind == "Product" else [kernel]


@dataclass(frozen=True)
class Diversity(AbstractStatement):
    """Heads should disagree where there are no data: LUNA's wish, on the heads of each member.

    Parameters
    ----------
    strength : float
        In nats per row.
    n_points : int
        Points between rows at which each training step compares the heads.

    Examples
    --------
    >>> Diversity()
    Diversity(strength=1.0, n_points=64)
    """

    strength: Any = 1.0
    n_points: int = 64

    def __post_init__(self) -> None:
        check_number("strength", self.strength, positive=True)
