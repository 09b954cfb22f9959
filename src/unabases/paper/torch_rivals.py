"""Last layers of two PyTorch packages, laplace-torch and vbll, on networks and with training like LUNA's.

Rows and targets are standardised. Both packages leave the network and its training to the user. Here it has the widths
of LUNA's and ELU units; with ReLU, vbll's last layer, which has no bias, often loses all of its features on one side of
the data. AdamW trains it, at a rate that decays to zero. A tenth of the rows is kept aside, and the weights under which
it is likeliest are taken, since these networks overfit small tables badly. What belongs to the packages is left at
their defaults, or chosen as their documentation advises.
"""

import abc
import itertools
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from jaxtyping import Float

__all__ = ["AbstractTorchNetwork", "LaplaceNetwork", "VariationalNetwork"]

_WIDTHS = (50, 20)
_STEPS, _RATE, _DECAY = 2000, 1e-2, 1e-4
_LOOK, _PATIENCE = 25, 20  # steps between two looks at the rows kept aside; looks without a gain before training stops
_SEARCH_STEPS, _SEARCH_RATE = 100, 0.1  # of the evidence in the noise and the prior precision


class AbstractTorchNetwork(abc.ABC):
    """A network with a Bayesian last layer that knows the uncertainty of the function from the noise.

    Parameters
    ----------
    seed
        Of the first weights; None for any.
    steps
        Steps of training.
    """

    noise_std: float
    """Standard deviation of the noise, which `fit` learns."""

    def __init__(self, seed: Any = None, steps: int = _STEPS) -> None:
        self.seed, self.steps = seed, steps

    def fit(self, Z: Float[np.ndarray, "n d"], t: Float[np.ndarray, " n"]) -> "AbstractTorchNetwork":
        """Train on standardised rows and targets."""
        import torch  # pyright: ignore[reportMissingImports]

        with torch.random.fork_rng(devices=[]), _one_thread(torch):
            torch.manual_seed(np.random.default_rng(self.seed).integers(2**31).item())
            rows, targets = (torch.tensor(np.asarray(part), dtype=torch.float32) for part in (Z, t[:, None]))
            widths = (Z.shape[1], *_WIDTHS)
            layers = [(torch.nn.Linear(*pair), torch.nn.ELU()) for pair in itertools.pairwise(widths)]
            self._learn(torch.nn.Sequential(*(layer for pair in layers for layer in pair)), rows, targets)
        return self

    def predict(self, Z: Float[np.ndarray, "n d"]) -> tuple[Float[np.ndarray, " n"], Float[np.ndarray, " n"]]:
        """Mean of the function, and its standard deviation without the noise."""
        import torch  # pyright: ignore[reportMissingImports]

        with torch.no_grad(), _one_thread(torch):
            mean, variance = self._function(torch.tensor(np.asarray(Z), dtype=torch.float32))
        return mean.double().numpy().ravel(), np.sqrt(variance.double().numpy().ravel())

    @abc.abstractmethod
    def _learn(self, body: Any, rows: Any, targets: Any) -> None:
        """Train the network with a last layer of its own kind."""

    @abc.abstractmethod
    def _function(self, rows: Any) -> tuple[Any, Any]:
        """Mean and variance of the function."""

    def _train(self, body: Any, head: Any, rows: Any, targets: Any, loss: Callable[[Any, Any], Any]) -> None:
        """Only the network's weights decay: the last layer has its prior."""
        import torch  # pyright: ignore[reportMissingImports]

        parts = ({"params": list(body.parameters())}, {"params": list(head.parameters()), "weight_decay": 0.0})
        everything = [weight for part in parts for weight in part["params"]]
        adam = torch.optim.AdamW(parts, lr=_RATE, weight_decay=_DECAY)
        decay = torch.optim.lr_scheduler.LambdaLR(adam, lambda i: 0.5 * (1 + math.cos(math.pi * i / self.steps)))
        order = torch.randperm(len(rows))
        aside, rest = order[: len(rows) // 10], order[len(rows) // 10 :]
        best, least, looks = everything, math.inf, 0
        for step in range(self.steps):
            adam.zero_grad(set_to_none=True)
            loss(rows[rest], targets[rest]).backward()
            torch.nn.utils.clip_grad_norm_(everything, 1.0)
            adam.step()
            decay.step()
            if (step + 1) % _LOOK and step + 1 < self.steps:
                continue
            with torch.no_grad():
                now = float(loss(rows[aside], targets[aside])) if len(aside) else -step
            looks += 1
            if now < least:
                best, least, looks = [weight.detach().clone() for weight in everything], now, 0
            if looks > _PATIENCE:
                break
        with torch.no_grad():
            for weight, kept in zip(everything, best, strict=True):
                weight.copy_(kept)


class LaplaceNetwork(AbstractTorchNetwork):
    """The last-layer Laplace approximation of laplace-torch; noise and prior precision maximise its evidence.

    Parameters
    ----------
    noise_std
        Standard deviation of the noise, where it is known.
    """

    def __init__(self, seed: Any = None, steps: int = _STEPS, noise_std: float | None = None) -> None:
        super().__init__(seed, steps)
        self.known_noise = noise_std

    def _learn(self, body: Any, rows: Any, targets: Any) -> None:
        import torch  # pyright: ignore[reportMissingImports]
        from laplace import Laplace  # pyright: ignore[reportMissingImports]

        head = torch.nn.Linear(_WIDTHS[-1], 1)
        network = torch.nn.Sequential(*body, head)
        self._train(body, head, rows, targets, lambda X, y: torch.nn.functional.mse_loss(network(X), y))
        loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(rows, targets), batch_size=len(rows))
        known = 1.0 if self.known_noise is None else self.known_noise
        self.fitted: Any = Laplace(network, "regression", "last_layer", "full", sigma_noise=known)
        self.fitted.fit(loader)
        precision, noise = torch.zeros(1, requires_grad=True), torch.full((1,), math.log(known), requires_grad=True)
        chosen = [precision] if self.known_noise is not None else [precision, noise]
        adam = torch.optim.Adam(chosen, lr=_SEARCH_RATE)
        for _ in range(_SEARCH_STEPS):
            adam.zero_grad()
            (-self.fitted.log_marginal_likelihood(precision.exp(), noise.exp())).backward()
            adam.step()
        self.fitted.prior_precision, self.fitted.sigma_noise = precision.detach().exp(), noise.detach().exp()
        self.noise_std = float(noise.detach().exp())

    def _function(self, rows: Any) -> tuple[Any, Any]:
        return self.fitted(rows)


class VariationalNetwork(AbstractTorchNetwork):
    """The variational last layer of vbll, trained together with the network; it learns the noise as well."""

    def _learn(self, body: Any, rows: Any, targets: Any) -> None:
        import vbll  # pyright: ignore[reportMissingImports]

        self.body, self.head = body, vbll.Regression(_WIDTHS[-1], 1, regularization_weight=1 / len(rows))
        self._train(body, self.head, rows, targets, lambda X, y: self.head(body(X)).train_loss_fn(y))
        self.noise_std = float(self.head.noise().variance.detach().sqrt())

    def _function(self, rows: Any) -> tuple[Any, Any]:
        found = self.head.W() @ self.body(rows)[..., None]  # the function, without the noise
        return found.mean, found.variance


@contextmanager
def _one_thread(torch: Any) -> Iterator[None]:
    """PyTorch on one thread, which is faster on networks as small as these."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
