import os
import signal
import subprocess
import sys
import warnings

import numpy as np
import pytest

from unabases import GaussianProcess, NeuralLinear
from unabases.training import ForkedError, forks, refuse_fork

X = np.linspace(-1, 1, 20)[:, None]


def in_a_fork(act):
    """What happens in a forked process: "fine", the name of an error, or "hangs"."""
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # JAX's own, that it may hang
        child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            act()
            said = "fine"
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        os.write(writer, said.encode()[:2000])
        os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    with os.fdopen(reader) as pipe:
        return pipe.read() or "hangs"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_fork_after_jax_has_started_says_so_and_does_not_hang():
    model = NeuralLinear(max_steps=5, hidden_layer_sizes=(4,), sigma2=0.01).fit(X, X[:, 0])
    for act in (lambda: model.predict(X), lambda: model.update(X, X[:, 0]), lambda: model.fit(X, X[:, 0])):
        said = in_a_fork(act)
        assert said.startswith("ForkedError: ")
        assert "spawn" in said
        assert "loky" in said
    process = GaussianProcess(restarts=0).fit(X, X[:, 0])
    assert in_a_fork(lambda: process.predict(X)) == "fine"  # it does without JAX
    assert model.predict(X).shape == (20,)  # the first process goes on


def test_without_a_fork_nothing_is_refused():
    refuse_fork()
    assert forks._state.used


def test_a_process_that_was_forked_before_jax_started_may_use_it(monkeypatch):
    monkeypatch.setattr(forks, "_state", forks._State())
    monkeypatch.setattr(forks, "_jax_has_started", lambda: False)
    forks._after_fork()
    refuse_fork()
    monkeypatch.setattr(forks, "_jax_has_started", lambda: True)
    forks._after_fork()
    with pytest.raises(ForkedError):
        refuse_fork()


def test_importing_all_of_the_package_does_not_start_jax():
    everything = "unabases.bayesopt, unabases.cli.main, unabases.paper, unabases.regressors.listing, unabases.selection"
    asked = f"import {everything}; from unabases.training.forks import _jax_has_started as f; print(f())"
    found = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"
