"""The problems of the paper's table 4, by name: two functions, and two classifiers of handwritten digits to tune.

The classifiers are those of HPOlib 1.5 and the paper. Their values are the percentage of misclassified images among the
last 10,000 of the 60,000 training images; their least value counts as 0.
"""

import functools
import os
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float, Shaped
from sklearn.svm import SVC

from unabases.bayesopt.problems import Task, branin_task, hartmann6_task
from unabases.datasets import load_mnist
from unabases.selection.space import Space

__all__ = ["Digits", "logistic_error", "logistic_task", "softmax_regression", "svm_error", "svm_task", "tasks"]

_TRAINING = 50_000  # images before the validation part
_FEW = 5_000  # images that train a support vector machine
_EPOCHS = 100
_BLOCK = 1_000  # validation images classified at once
_LEVELS = 2**16  # of the random numbers that drop pixels


class Digits(NamedTuple):
    """Images of bytes and their labels: some to train on, some held out."""

    images: Shaped[np.ndarray, "n pixels"]
    labels: Shaped[np.ndarray, " n"]
    held_out_images: Shaped[np.ndarray, "m pixels"]
    held_out_labels: Shaped[np.ndarray, " m"]


def tasks(directory: str | os.PathLike[str] | None = None) -> dict[str, Callable[[], Task]]:
    """The four problems by name, each as a function that makes its `Task`.

    Parameters
    ----------
    directory : path, optional
        Where the files of MNIST are, for `"svm"` and `"logistic"`; by default where `load_mnist` looks.

    Returns
    -------
    dict
        `"branin"`, `"hartmann6"`, `"svm"` and `"logistic"`.

    Examples
    --------
    >>> task = tasks()["branin"]()
    >>> round(task.regret(task.function({"x1": 3.14159, "x2": 2.275})), 4)
    0.0
    """
    return {
        "branin": branin_task,
        "hartmann6": hartmann6_task,
        "svm": functools.partial(svm_task, directory),
        "logistic": functools.partial(logistic_task, directory),
    }


def svm_task(directory: str | os.PathLike[str] | None = None) -> Task:
    """Tune log penalty and log kernel width of a support vector machine; 30 evaluations, 3 before the surrogate."""
    mnist = load_mnist(directory)
    few = mnist.train_images[:_FEW].reshape(_FEW, -1), mnist.train_labels[:_FEW]
    held_out = mnist.train_images[_TRAINING:].reshape(-1, 784), mnist.train_labels[_TRAINING:]
    blocks = range(0, len(held_out[0]), _BLOCK)
    across = [_squared_distances(held_out[0][i : i + _BLOCK], few[0]).astype(np.float32) for i in blocks]
    distances = _squared_distances(few[0], few[0]), np.concatenate(across)

    def function(point: dict[str, Any]) -> float:
        return svm_error(*distances, few[1], held_out[1], C=np.exp(point["ln_C"]), gamma=np.exp(point["ln_gamma"]))

    return Task(
        "svm", Space(ln_C=(-10.0, 10.0), ln_gamma=(-10.0, 10.0)), function, 0.0, steps=30, n_initial=3, unit="%"
    )


def logistic_task(directory: str | os.PathLike[str] | None = None) -> Task:
    """Tune step size, penalty, batch size and dropout of softmax regression; 30 evaluations, 3 before the surrogate."""
    mnist = load_mnist(directory)
    images = mnist.train_images.reshape(-1, 784)
    digits = Digits(
        images[:_TRAINING], mnist.train_labels[:_TRAINING], images[_TRAINING:], mnist.train_labels[_TRAINING:]
    )

    def function(point: dict[str, Any]) -> float:
        others = {name: value for name, value in point.items() if name != "log10_rate"}
        return logistic_error(digits, learning_rate=10 ** point["log10_rate"], **others)

    space = Space(log10_rate=(-6.0, 0.0), l2=(0.0, 1.0), batch_size=(20, 2000), dropout=(0.0, 0.75))
    return Task("logistic", space, function, 0.0, steps=30, n_initial=3, unit="%")


def svm_error(
    within: Float[np.ndarray, "n n"],
    across: Float[np.ndarray, "m n"],
    labels: Shaped[np.ndarray, " n"],
    held_out: Shaped[np.ndarray, " m"],
    *,
    C: float,
    gamma: float,
) -> float:
    """Percentage of held-out images that scikit-learn's support vector machine with an RBF kernel gets wrong.

    Parameters
    ----------
    within, across : arrays
        Squared distances between training images, and from held-out images to training images. They are the same for
        many machines on the same images; only the kernel differs.
    labels, held_out : arrays
        Labels of the training images and of the held-out ones.
    C, gamma : float
        Penalty and kernel width.
    """
    machine = SVC(C=C, kernel="precomputed").fit(np.exp(-gamma * within), labels)
    wrong = 0
    for i in range(0, len(across), _BLOCK):
        kernel = np.exp(-gamma * across[i : i + _BLOCK].astype(np.float64))
        wrong += int(np.sum(machine.predict(kernel) != held_out[i : i + _BLOCK]))
    return 100 * wrong / len(across)


def logistic_error(digits: Digits, *, epochs: int = _EPOCHS, seed: int = 0, **settings: Any) -> float:
    """Percentage of held-out images that softmax regression gets wrong after training.

    Parameters
    ----------
    digits : Digits
        Images to train on, and held-out ones.
    epochs : int
        Passes over the training images.
    seed : int
        The same seed and settings give the same value.
    **settings
        `learning_rate`, `l2`, `batch_size` and `dropout` of `softmax_regression`.
    """
    W, b = softmax_regression(digits.images, digits.labels, epochs=epochs, seed=seed, **settings)
    scores = digits.held_out_images.astype(np.float32) / np.float32(256) @ W + b
    if not np.isfinite(scores).all():
        return 100 * (1 - 1 / W.shape[1])  # diverged: no better than chance
    return float(100 * np.mean(np.argmax(scores, axis=1) != digits.held_out_labels))


def softmax_regression(
    images: Shaped[np.ndarray, "n pixels"],
    labels: Shaped[np.ndarray, " n"],
    *,
    learning_rate: float,
    l2: float,
    batch_size: int,
    dropout: float,
    epochs: int,
    seed: int,
) -> tuple[Float[np.ndarray, "pixels classes"], Float[np.ndarray, " classes"]]:
    """Train softmax regression on bytes over 256 by stochastic gradient descent; return its weights and offsets.

    Parameters
    ----------
    images, labels : arrays
        Rows of bytes, and their classes.
    learning_rate : float
        Step size.
    l2 : float
        The loss is the mean cross-entropy of a batch plus `l2` times the sum of squared weights, without offsets.
    batch_size : int
        Images per step.
    dropout : float
        Probability with which a pixel is dropped; those that stay are scaled up.
    epochs : int
        Passes over the images. Weights start at 0.
    seed : int
        Seed of the order and of dropped pixels.
    """
    bits = np.random.SFC64(seed)
    rng = np.random.Generator(bits)
    lit = np.asarray(images.any(axis=0))  # a pixel that is never lit keeps its weight of 0
    images = np.ascontiguousarray(images[:, lit])
    n, classes = len(images), int(labels.max()) + 1
    W, b = np.zeros((images.shape[1], classes), np.float32), np.zeros(classes, np.float32)
    kept = round((1 - dropout) * _LEVELS)
    scale = np.float32(_LEVELS / kept / 256)
    rate, shrink = np.float32(learning_rate), np.float32(1 - 2 * learning_rate * l2)
    target = np.eye(classes, dtype=np.float32)[labels]
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(epochs):
            order = rng.permutation(n)
            for start in range(0, n, batch_size):
                rows = order[start : start + batch_size]
                X = images[rows]
                if kept < _LEVELS:
                    draws = bits.random_raw(-(-X.size // 4)).view(np.uint16)[: X.size].reshape(X.shape)
                    X *= draws < kept
                X = X.astype(np.float32) * scale
                slope = (_softmax(X @ W + b) - target[rows]) / np.float32(len(rows))
                W *= shrink
                W -= rate * (X.T @ slope)
                b -= rate * slope.sum(axis=0)
    whole = np.zeros((len(lit), classes), np.float32)
    whole[lit] = W
    return whole, b


def _softmax(scores: Float[np.ndarray, "n classes"]) -> Float[np.ndarray, "n classes"]:
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def _squared_distances(
    rows: Shaped[np.ndarray, "m pixels"], columns: Shaped[np.ndarray, "n pixels"]
) -> Float[np.ndarray, "m n"]:
    """Squared distances between images of bytes over 256; sums of whole numbers, so exact in float64."""
    a, b = rows.astype(np.float64), columns.astype(np.float64)
    products = a @ b.T
    products *= -2
    products += np.sum(a**2, axis=1)[:, None]
    products += np.sum(b**2, axis=1)
    products /= 256**2
    return products
