"""An audit: find the groups of people that the training data lacks, and the rows that a person should decide.

The deferral policy keeps a promise: of rows like the training data it defers at most one in ten. Rows that are unlike
them are deferred more often, because the model is less sure of them.
"""

import numpy as np
import pandas as pd

from unabases import LUNA, DeferralPolicy, TableModel, audit

STEPS = 2000


def people(n, share_of_women, seed):
    """Age, from height and weight; gender and region are not inputs of the model."""
    rng = np.random.default_rng(seed)
    woman = rng.random(n) < share_of_women
    table = pd.DataFrame({"height": rng.normal(178, 7, n) - 25 * woman, "weight": rng.normal(75, 10, n)})
    table["age"] = 40 + 0.2 * (table["weight"] - 75) + rng.normal(0, 2, n)
    return table.assign(gender=np.where(woman, "female", "male"), region=rng.choice(["north", "south"], n))


model = TableModel.fit(
    people(500, share_of_women=0.0, seed=0),  # men only
    "age",
    regressor=LUNA(max_steps=STEPS, random_state=0),
    keep=["gender", "region"],  # remembered for audits, but not used as inputs
    random_state=0,
)
new = people(400, share_of_women=0.5, seed=1)
found = audit(model, new, by=["gender", "region"])
print(found.columns.to_string(), "\n")
print(found.named.to_string())
found.to_html("audit.html")  # one page with the tables and the pictures
found.plot().savefig("audit.png", dpi=100)

policy = DeferralPolicy.of(model, share=0.1)
print(f"\n{policy.statement}; of these rows:")
print(new.assign(deferred=policy.defer(new)).groupby("gender")["deferred"].mean().map("{:.0%}".format).to_string())
