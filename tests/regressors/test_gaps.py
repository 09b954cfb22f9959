"""What the defaults must show: LUNA knows the gap, the ordinary neural linear model does not."""

import numpy as np
import pytest

from unabases import LUNA, GaussianProcess, NeuralLinear
from unabases.datasets import GAP_SETS, cubic_gap, load_drawn, load_gap
from unabases.metrics import epistemic, eurc, rmse

pytestmark = pytest.mark.slow


def score(model, X, y, X_test, y_test, X_gap):
    model.fit(X, y)
    on_data, in_gap = model.predict_dist(X_test), model.predict_dist(X_gap)
    return eurc(in_gap, on_data), epistemic(in_gap), rmse(on_data, y_test)


def test_cubic_gap_with_defaults_over_20_seeds():
    scores = {"luna": [], "map": [], "gp": []}
    for seed in range(20):
        data = cubic_gap(random_state=seed)
        rows = (data.X_train, data.y_train, data.X_test, data.y_test, data.gap_grid)
        for name, model in (
            ("luna", LUNA(sigma2=9.0, random_state=seed)),
            ("map", NeuralLinear(sigma2=9.0, random_state=seed)),
            ("gp", GaussianProcess(sigma2=9.0, random_state=seed)),
        ):
            scores[name].append(score(model, *rows))
    change, gap, error = (np.array(column) for column in zip(*scores["luna"], strict=True))
    map_change, map_gap, _ = (np.array(column) for column in zip(*scores["map"], strict=True))
    gp_gaps = np.array([s[1] for s in scores["gp"]])
    gp_gap, beside = np.median(gp_gaps), gap / gp_gaps
    print(
        f"\nLUNA EURC least {100 * change.min():.0f} %, median {100 * np.median(change):.0f} %; gap std median "
        f"{np.median(gap):.1f} (GP {gp_gap:.1f}, {beside.min():.2f} to {beside.max():.2f} times each); "
        f"RMSE {error.mean():.2f}; NLM-MAP EURC least "
        f"{100 * map_change.min():.0f} %, median {100 * np.median(map_change):.0f} %, gap std {np.median(map_gap):.1f}"
    )
    assert change.min() > 2.0
    assert error.mean() <= 3.4
    assert 0.5 * gp_gap <= np.median(gap) <= 4 * gp_gap
    assert beside.min() > 0.7
    assert beside.max() < 2.5
    assert np.median(change) > 3 * np.median(map_change)


@pytest.mark.parametrize("name", ["rbf-1-short-quiet", "rbf-1-medium-quiet", "periodic-1"])
def test_no_gap_of_a_wiggly_function_is_unseen(name):
    drawn = load_drawn(name, 0)
    told = GaussianProcess(sigma2=drawn.sigma2).fit(drawn.X_train, drawn.y_train).predict_dist
    exact = drawn.exact(drawn.X_gap).std if drawn.exact is not None else told(drawn.X_gap).epistemic_std
    found = LUNA(random_state=0).fit(drawn.X_train, drawn.y_train).predict_dist(drawn.X_gap).epistemic_std
    assert found.mean() > 0.3 * exact.mean()


def test_uci_gap_sets_with_defaults_over_5_splits(data_directory):
    above_map, above_zero, ratios = 0, 0, []
    for name in GAP_SETS:
        scores = {"luna": [], "map": []}
        for split in range(5):
            g = load_gap(name, split, directory=data_directory)
            rows = (g.X_train, g.y_train, g.X_test, g.y_test, g.X_gap)
            scores["luna"].append(score(LUNA(random_state=split), *rows))
            scores["map"].append(score(NeuralLinear(random_state=split), *rows))
        luna, ordinary = np.array(scores["luna"]), np.array(scores["map"])
        change = luna[:, 0]
        ratios.append(luna[:, 2].mean() / ordinary[:, 2].mean())
        above_map += change.mean() > ordinary[:, 0].mean()
        above_zero += change.mean() > change.std()
        print(
            f"\n{name}: LUNA EURC {100 * change.mean():.0f} ± {100 * change.std():.0f} %, NLM-MAP "
            f"{100 * ordinary[:, 0].mean():.0f} ± {100 * ordinary[:, 0].std():.0f} %, RMSE ratio {ratios[-1]:.2f}"
        )
    assert above_map >= 5
    assert above_zero >= 4
    assert max(ratios) <= 1.10
