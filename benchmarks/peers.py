"""Two alternatives from other packages, last-layer Laplace (laplace-torch) and VBLL, against LUNA on Cubic Gap.

All have the same architecture (50-20 ReLU) and training (2000 steps of Adam on all rows, cosine decay, 1e-2). LUNA and
Laplace know the noise; VBLL learns it. Laplace chooses its prior precision by evidence. Times are of second fits, so
that they do not include our compilation.
"""

import math
from collections.abc import Callable

import numpy as np

from benchmarks import row, seconds
from benchmarks.luna_step import import_torch
from unabases import LUNA
from unabases.datasets import cubic_gap

STEPS, RATE = 2000, 1e-2
Outcome = tuple[float, float, float]  # RMSE, epistemic std on the data and in the gap


def run(quick: bool) -> list[dict]:
    import_torch()
    steps, seeds = (300, 1) if quick else (STEPS, 5)
    found: dict[str, list[tuple[float, Outcome]]] = {}
    for name, method in (("LUNA", fit_luna), ("last-layer Laplace", fit_laplace), ("VBLL", fit_vbll)):
        method(0, steps)
        for seed in range(seeds):
            outcome: list[Outcome] = []
            taken = seconds(lambda: outcome.append(method(seed, steps)))  # noqa: B023
            found.setdefault(name, []).append((taken, outcome[0]))
    rows = []
    reference = np.median([taken for taken, _ in found["LUNA"]])
    for name, results in found.items():
        taken = float(np.median([t for t, _ in results]))
        error, on_data, in_gap = (float(np.mean([o[i] for _, o in results])) for i in range(3))
        least = min(o[2] / o[1] - 1 for _, o in results)
        text = f"RMSE {error:.2f}, std {on_data:.2f} on data, {in_gap:.2f} in gap, least EURC {100 * least:+.0f} %"
        rows.append(row(f"{name}: {text}", taken, None, ratio=None if name == "LUNA" else taken / reference))
    return rows


def fit_luna(seed: int, steps: int) -> Outcome:
    data = cubic_gap(random_state=seed)
    model = LUNA(sigma2=data.sigma2, max_steps=steps, random_state=seed).fit(data.X_train, data.y_train)
    on_data, in_gap = model.predict_dist(data.X_test), model.predict_dist(data.gap_grid)
    return _outcome(on_data.mean, on_data.epistemic_std, in_gap.epistemic_std, data)


def fit_laplace(seed: int, steps: int) -> Outcome:
    from laplace import Laplace

    torch = import_torch()
    data, X, y, scale = _standardised(seed)
    torch.manual_seed(seed)
    network = torch.nn.Sequential(*_body(torch), torch.nn.Linear(20, 1))
    _train(network.parameters(), lambda: torch.nn.functional.mse_loss(network(X), y), steps, weight_decay=1e-4)
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(X, y), batch_size=len(X))
    noise = float(np.sqrt(data.sigma2) / scale)
    fitted = Laplace(network, "regression", "last_layer", "full", sigma_noise=noise)
    fitted.fit(loader)
    fitted.optimize_prior_precision(method="marglik")

    def predict(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        mean, variance = fitted(_rows(torch, data, rows))
        center = data.y_train.mean()
        return mean.detach().numpy()[:, 0] * scale + center, np.sqrt(variance.detach().numpy().ravel()) * scale

    mean, on_data = predict(data.X_test)
    return _outcome(mean, on_data, predict(data.gap_grid)[1], data)


def fit_vbll(seed: int, steps: int) -> Outcome:
    import vbll

    torch = import_torch()
    data, X, y, scale = _standardised(seed)
    torch.manual_seed(seed)
    body = torch.nn.Sequential(*_body(torch))
    head = vbll.Regression(20, 1, regularization_weight=1 / len(X))
    parameters = [*body.parameters(), *head.parameters()]
    _train(parameters, lambda: head(body(X)).train_loss_fn(y), steps, weight_decay=1e-4)

    def predict(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        with torch.no_grad():
            h = body(_rows(torch, data, rows))
            f = head.W() @ h[..., None]  # the function, without the noise
            mean, variance = f.mean.squeeze(-1), f.variance.squeeze(-1)
        return mean.numpy()[:, 0] * scale + data.y_train.mean(), np.sqrt(variance.numpy()[:, 0]) * scale

    mean, on_data = predict(data.X_test)
    return _outcome(mean, on_data, predict(data.gap_grid)[1], data)


def _body(torch) -> list:
    nn = torch.nn
    return [nn.Linear(1, 50), nn.ReLU(), nn.Linear(50, 20), nn.ReLU()]


def _standardised(seed: int) -> tuple:
    torch = import_torch()
    torch.set_num_threads(1)  # the faster on networks as small as these
    data = cubic_gap(random_state=seed)
    scale = float(data.y_train.std())
    y = torch.tensor((data.y_train - data.y_train.mean()) / scale, dtype=torch.float32)[:, None]
    return data, _rows(torch, data, data.X_train), y, scale


def _rows(torch, data, rows: np.ndarray):
    return torch.tensor((rows - data.X_train.mean()) / data.X_train.std(), dtype=torch.float32)


def _train(parameters, loss: Callable, steps: int, weight_decay: float) -> None:
    torch = import_torch()
    adam = torch.optim.Adam(parameters, lr=RATE, weight_decay=weight_decay, foreach=True)
    decay = torch.optim.lr_scheduler.LambdaLR(adam, lambda i: 0.5 * (1 + math.cos(math.pi * i / steps)))
    for _ in range(steps):
        adam.zero_grad(set_to_none=True)
        loss().backward()
        adam.step()
        decay.step()


def _outcome(mean: np.ndarray, on_data: np.ndarray, in_gap: np.ndarray, data) -> Outcome:
    error = float(np.sqrt(np.mean((mean - data.y_test) ** 2)))
    return error, float(np.mean(on_data)), float(np.mean(in_gap))
