"""Your own CSV table: columns by name, text as categories, and one file that holds the model."""

from pathlib import Path

import numpy as np
import pandas as pd

from unabases import LUNA, TableModel, load, save

STEPS = 2000

# A table to begin with; with a file of your own, start at `pd.read_csv`.
rng = np.random.default_rng(0)
homes = pd.DataFrame({"area": rng.uniform(40, 160, 300).round(), "heating": rng.choice(["gas", "oil", "wood"], 300)})
homes["price"] = 2.5 * homes["area"] + 30 * (homes["heating"] == "gas") + rng.normal(0, 10, 300)
homes.to_csv("homes.csv", index=False)

table = pd.read_csv("homes.csv")
model = TableModel.fit(table, "price", regressor=LUNA(max_steps=STEPS, random_state=0), random_state=0)
print(pd.Series(model.held_out.scores).round(2).to_string(), "\n")  # on rows that were held out from training

save(model, "homes.una")
new = pd.DataFrame({"area": [100, 100, 400], "heating": ["gas", "coal", "gas"]})  # a new heating, a very large home
print(pd.concat([new, load("homes.una").predict(new)], axis="columns").round(1).to_string())
print(f"\nthe model is in {Path('homes.una').resolve()}")
