import os
import subprocess
import sys

from unabases.selection.documentation import documented


def test_shared_texts_are_put_in_and_other_braces_stay():
    @documented(seed="\nrandom_state : int\n    Seed.\n")
    class Search:
        """Search.

        {seed}
        space : {"a", "b"}
        """

    assert Search.__doc__ == 'Search.\n\nrandom_state : int\n    Seed.\nspace : {"a", "b"}'


def test_nothing_breaks_without_docstrings():
    code = "import unabases.bayesopt; from unabases.selection import LUNASearch; print(LUNASearch(n_trials=3))"
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    done = subprocess.run([sys.executable, "-OO", "-c", code], capture_output=True, text=True, env=environment)
    assert done.stdout.strip() == "LUNASearch(n_trials=3)", done.stderr
