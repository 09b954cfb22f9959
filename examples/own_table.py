"""Your own CSV table: columns by name, text as categories, and one file that holds the model."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from unabases import UNA, TableModel, load, save
from unabases.plotting import plain_axes

STEPS = 1500

# A table to begin with; with a file of your own, start at `pd.read_csv`.
rng = np.random.default_rng(0)
homes = pd.DataFrame({"area": rng.uniform(40, 160, 300).round(), "heating": rng.choice(["gas", "oil", "wood"], 300)})
homes["price"] = 2.5 * homes["area"] + 30 * (homes["heating"] == "gas") + rng.normal(0, 10, 300)
homes.to_csv("homes.csv", index=False)

table = pd.read_csv("homes.csv")
model = TableModel.fit(table, "price", regressor=UNA(max_steps=STEPS, random_state=0), random_state=0)
print(pd.Series(model.held_out.scores).round(2).to_string(), "\n")  # on rows that were held out from training

save(model, "homes.una")
new = pd.DataFrame({"area": [100, 100, 400], "heating": ["gas", "coal", "gas"]})  # a new heating, a very large home
print(pd.concat([new, load("homes.una").predict(new)], axis="columns").round(1).to_string())
print(f"\nthe model is in {Path('homes.una').resolve()}")

figure, ax = plt.subplots(figsize=(8, 4), layout="constrained")
plain_axes(ax)
for heating, colour in (("gas", "#2166ac"), ("wood", "#8c8c8c")):
    homes = pd.DataFrame({"area": np.linspace(40, 400, 100), "heating": heating})
    found = model.predict(homes)
    ax.fill_between(homes["area"], found["lower"], found["upper"], color=colour, alpha=0.3, linewidth=0)
    ax.plot(homes["area"], found["mean"], color=colour, label=f"{heating}: mean and 90 % interval")
    rows = table[table["heating"] == heating]
    ax.plot(rows["area"], rows["price"], ".", color=colour, markersize=4)
ax.set_xlabel("area; the table ends at 160")
ax.set_ylabel("price")
ax.legend(loc="upper left", frameon=False)
figure.savefig("own_table.png", dpi=100)
