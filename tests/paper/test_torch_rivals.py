"""Last layers of PyTorch packages: they fit, and tell the noise from their own uncertainty."""

import numpy as np
import pytest

from unabases.paper.torch_rivals import LaplaceNetwork, VariationalNetwork

NOISE = 0.1


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(150, 1))
    return Z, np.sin(Z[:, 0]) + NOISE * rng.standard_normal(150)


@pytest.mark.parametrize(
    ("kind", "package", "steps"), [(LaplaceNetwork, "laplace", 500), (VariationalNetwork, "vbll", 2000)]
)
def test_function_and_noise_are_found(rows, kind, package, steps):
    pytest.importorskip("torch")
    pytest.importorskip(package)
    Z, t = rows
    model = kind(0, steps).fit(Z, t)
    mean, std = model.predict(Z)
    assert np.sqrt(np.mean((mean - np.sin(Z[:, 0])) ** 2)) < 0.6 * NOISE
    assert 0.7 * NOISE < model.noise_std < 1.5 * NOISE
    assert np.all(std > 0)
    assert np.median(std) < NOISE
    again = kind(0, steps).fit(Z, t).predict(Z)[0]
    np.testing.assert_array_equal(again, mean)


def test_laplace_is_the_exact_last_layer_of_its_network(rows):
    torch = pytest.importorskip("torch")
    pytest.importorskip("laplace")
    Z, t = rows
    model = LaplaceNetwork(0, 100, noise_std=NOISE).fit(Z, t)
    assert model.noise_std == pytest.approx(NOISE)
    with torch.no_grad():
        learned = model.fitted.model.model[:-1](torch.tensor(Z, dtype=torch.float32)).double().numpy()
    Phi = np.column_stack([learned, np.ones(len(Z))])
    precision = Phi.T @ Phi / NOISE**2 + float(model.fitted.prior_precision) * np.eye(Phi.shape[1])
    variance = np.einsum("ij,jk,ik->i", Phi, np.linalg.inv(precision), Phi)
    np.testing.assert_allclose(model.predict(Z)[1], np.sqrt(variance), rtol=0.02)


def test_the_seed_of_others_stays(rows):
    torch = pytest.importorskip("torch")
    pytest.importorskip("vbll")
    torch.manual_seed(3)
    expected = torch.rand(1)
    torch.manual_seed(3)
    VariationalNetwork(0, 1).fit(*rows)
    assert torch.rand(1) == expected
