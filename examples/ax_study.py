"""An Ax experiment: this package suggests its trials; needs `pip install ax-platform`.

Ax keeps the experiment: its parameters, trials, results and files. `Suggest` is all the glue that is needed. It hands
over what Ax knows and returns the next trial, so that any surrogate and acquisition of `BayesOpt` can be used.
"""

import logging

import matplotlib.pyplot as plt
import numpy as np
from ax.api.client import Client
from ax.api.configs import RangeParameterConfig
from ax.generation_strategy.external_generation_node import ExternalGenerationNode
from ax.generation_strategy.generation_strategy import GenerationStrategy

from unabases import LUNA
from unabases.bayesopt import BayesOpt
from unabases.bayesopt.problems import branin_task
from unabases.plotting import plain_axes, plain_log

EVALUATIONS = 30
STEPS = 500

task = branin_task()
luna = LUNA(hidden_layer_sizes=(20, 20), activation="tanh", n_heads=5, sigma2=1e-3, max_steps=STEPS, random_state=0)


class Suggest(ExternalGenerationNode):
    """A step of an Ax strategy that asks `BayesOpt`."""

    def update_generator_state(self, experiment, data):
        """Remember the trials that have a result."""
        values = data.df.set_index("arm_name")["mean"]
        self.known = [(arm.parameters, values[name]) for name, arm in experiment.arms_by_name.items() if name in values]

    def get_next_candidate(self, pending_parameters):
        """Ask for one trial more than those that still run."""
        opt = BayesOpt(task.space, surrogate=luna, n_initial=4, random_state=0)
        for parameters, value in self.known:
            opt.tell(parameters, value)
        return opt.ask(len(pending_parameters) + 1)[-1]


logging.disable(logging.INFO)  # Ax reports every trial
client = Client()
client.configure_experiment(
    parameters=[
        RangeParameterConfig(name=name, bounds=(float(low), float(high)), parameter_type="float")
        for name, (low, high) in (("x1", (-5, 10)), ("x2", (0, 15)))
    ]
)
client.configure_optimization(objective="-branin")  # Ax maximises what it is told; a minus sign minimises
client.set_generation_strategy(GenerationStrategy(name="unabases", nodes=[Suggest(name="BayesOpt")]))

for _ in range(EVALUATIONS // 2):
    for number, parameters in client.get_next_trials(max_trials=2).items():
        client.complete_trial(trial_index=number, raw_data={"branin": task.function(parameters)})

values = client.summarize()["branin"]
print(f"{len(values)} trials in Ax: regret {task.regret(values.min()):.4f}")

regrets = np.array([task.regret(value) for value in values])
figure, ax = plt.subplots(figsize=(8, 3.6), layout="constrained")
plain_axes(ax).plot(range(1, len(regrets) + 1), regrets, ".", color="#222222", label="a trial")
best = np.minimum.accumulate(regrets)
ax.step(range(1, len(best) + 1), best, where="post", color="#2166ac", label="best so far")
plain_log(ax.yaxis)
ax.set_xlabel("trial")
ax.set_ylabel("distance from the minimum of Branin")
ax.legend(frameon=False)
figure.savefig("ax_study.png", dpi=100)
