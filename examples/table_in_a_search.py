"""A table in a search: categories and missing values in a scikit-learn pipeline, whose settings are chosen."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from unabases import LUNA, TableRegressor
from unabases.plotting import plain_axes

STEPS = 1000


def with_age(homes: pd.DataFrame) -> pd.DataFrame:
    """Replace the year of construction by the age."""
    return homes.assign(age=2026 - homes["built"]).drop(columns="built")


rng = np.random.default_rng(0)
homes = pd.DataFrame(
    {
        "area": rng.uniform(40, 160, 300).round(),
        "built": rng.integers(1900, 2026, 300),
        "heating": rng.choice(["gas", "oil", "wood"], 300),
        "region": rng.integers(1, 4, 300),
    }
)
price = 2.5 * homes["area"] - 0.5 * (2026 - homes["built"]) + 30 * (homes["heating"] == "gas") + rng.normal(0, 10, 300)
homes["area"] = homes["area"].where(rng.random(300) > 0.1)  # a tenth is not known
train, test, y_train, y_test = train_test_split(homes, price, random_state=0)

# Every regressor takes the table as it is: text becomes categories, missing values are learned from. `TableRegressor`
# adds rules of your own; here, that the codes of regions are no numbers.
luna = LUNA(max_steps=STEPS, sigma2=100.0, random_state=0)
pipeline = make_pipeline(FunctionTransformer(with_age), TableRegressor(luna, categories=["region"]))
search = GridSearchCV(pipeline, {"tableregressor__regressor__prior_variance": [0.1, 1.0]}, cv=2).fit(train, y_train)
print(f"chosen: {search.best_params_}; R² on new homes {search.score(test, y_test):.2f}")

new = pd.DataFrame({"area": [100.0, None], "built": 1980, "heating": "gas", "region": 2})
mean, std = search.best_estimator_.predict(new, return_std=True)
print(f"area known: {mean[0]:.0f} ± {std[0]:.0f}; area missing: {mean[1]:.0f} ± {std[1]:.0f}")

mean, std = search.best_estimator_.predict(test, return_std=True)
known = test["area"].notna().to_numpy()
figure, ax = plt.subplots(figsize=(5.5, 4), layout="constrained")
plain_axes(ax)
for rows, label, colour in ((known, "area known", "#2166ac"), (~known, "area missing", "#d6604d")):
    bars = {"fmt": "o", "markersize": 3, "elinewidth": 1, "color": colour}
    ax.errorbar(y_test[rows], mean[rows], 2 * std[rows], **bars, label=f"{label}, ± 2 std")
ax.axline((200, 200), slope=1, color="#777777", linewidth=1)
ax.set_xlabel("price of new homes")
ax.set_ylabel("predicted")
ax.legend(frameon=False)
figure.savefig("table_in_a_search.png", dpi=100)
