import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from unabases.paper.tasks import (
    Digits,
    _squared_distances,
    logistic_error,
    logistic_task,
    softmax_regression,
    svm_error,
    svm_task,
    tasks,
)


@pytest.fixture(scope="module")
def digits():
    """Images of bytes in three blurred classes, and their labels."""
    rng = np.random.default_rng(0)
    labels = rng.integers(3, size=600)
    centres = rng.integers(0, 200, size=(3, 30))
    images = np.clip(centres[labels] + rng.normal(0, 60, size=(600, 30)), 0, 255).astype(np.uint8)
    images[:, 7] = 0  # never lit
    return images, labels


def test_distances_are_exact(digits):
    images = digits[0][:5]
    a = images.astype(np.float64) / 256
    expected = [[sum((x - y) ** 2) for y in a] for x in a]
    np.testing.assert_allclose(_squared_distances(images, images), expected, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize(("C", "gamma"), [(1.0, 0.5), (0.01, 5.0), (100.0, 0.01)])
def test_the_support_vector_machine_is_scikit_learns(digits, C, gamma):
    images, labels = digits
    machine = SVC(C=C, gamma=gamma).fit(images[:400] / 256, labels[:400])
    expected = 100 * np.mean(machine.predict(images[400:] / 256) != labels[400:])
    within, across = (_squared_distances(rows, images[:400]) for rows in (images[:400], images[400:]))
    found = svm_error(within, across.astype(np.float32), labels[:400], labels[400:], C=C, gamma=gamma)
    assert found == pytest.approx(expected, abs=1e-9)


def test_softmax_regression_reaches_the_penalised_optimum(digits):
    """Full batches, no dropout: the optimum of mean cross-entropy + l2 ‖W‖² is scikit-learn's with C = 1 / (2 n l2)."""
    images, labels = digits
    W, b = softmax_regression(
        images, labels, learning_rate=0.5, l2=0.05, batch_size=600, dropout=0.0, epochs=1500, seed=0
    )
    other = LogisticRegression(C=1 / (2 * 600 * 0.05), tol=1e-10, max_iter=5000).fit(images / 256, labels)
    np.testing.assert_allclose(W.T, other.coef_, atol=2e-4)
    np.testing.assert_allclose(b - b.mean(), other.intercept_ - other.intercept_.mean(), atol=2e-3)
    assert not W[7].any()


def test_dropout_trains_on_scaled_up_pixels(digits):
    """One step from 0 has slope X'ᵀ(1/3 − t)/n: its mean over seeds is that without dropout."""
    images, labels = digits
    settings = {"learning_rate": 1.0, "l2": 0.0, "batch_size": 600, "epochs": 1}
    whole = softmax_regression(images, labels, dropout=0.0, seed=0, **settings)[0]
    some = np.array([softmax_regression(images, labels, dropout=0.6, seed=s, **settings)[0] for s in range(300)])
    error = some.std(axis=0) / np.sqrt(300) + 1e-7
    assert np.mean(np.abs(some.mean(axis=0) - whole) < 3 * error) > 0.97
    assert some.std(axis=0).max() > 1e-3


def test_the_error_is_a_reproducible_percentage_and_divergence_is_chance(digits):
    images, labels = digits
    parts = Digits(images[:400], labels[:400], images[400:], labels[400:])
    settings = {"learning_rate": 0.1, "l2": 1e-3, "batch_size": 33, "dropout": 0.2, "epochs": 20}
    first, again = (logistic_error(parts, **settings) for _ in range(2))
    assert first == again
    assert 0 <= first < 30
    diverged = logistic_error(parts, **{**settings, "learning_rate": 1e30, "epochs": 3})
    assert diverged == pytest.approx(100 * 2 / 3)


@pytest.mark.slow
def test_tuning_on_mnist_has_the_papers_facts(data_directory):
    svm, logistic = svm_task(data_directory), logistic_task(data_directory)
    assert (svm.steps, svm.n_initial, logistic.steps, logistic.n_initial) == (30, 3, 30, 3)
    assert svm.minimum == logistic.minimum == 0
    assert svm.function({"ln_C": 2.0, "ln_gamma": -3.5}) < 5.0
    assert 80 < svm.function({"ln_C": -10, "ln_gamma": 10}) <= 91


def test_the_four_problems_are_known_by_name():
    assert list(tasks()) == ["branin", "hartmann6", "svm", "logistic"]
    assert tasks()["hartmann6"]().name == "hartmann6"
