"""Results are kept apart by the code that made them, and by no other code."""

import pytest

from unabases.paper import code_version as module
from unabases.paper.code_version import code_version, essence, imports_of, reached

NLM, LUNA, GP, ENSEMBLE = (
    f"unabases.regressors.{name}" for name in ("neural_linear", "luna", "gaussian_process", "vanilla_ensemble")
)
CACHES = (module._version, module._essence, module._imports, module._home)


@pytest.fixture
def edited(monkeypatch):
    """Pretend that a module's source is another."""

    def edit(name, change):
        original = module._source
        monkeypatch.setattr(module, "_source", lambda one: change(original(one)) if one == name else original(one))
        for cached in CACHES:
            cached.cache_clear()

    yield edit
    for cached in CACHES:
        cached.cache_clear()


def test_words_and_layout_do_not_count_and_code_does():
    source = '"""Adds."""\ndef add(a, b):\n    """Add."""\n    return a + b  # the sum\n'
    assert essence(source) == essence("def add(a,   b):\n\n    return (a + b)\n")
    assert essence(source) != essence(source.replace("a + b", "a - b"))
    assert essence('def f():\n    """Nothing."""\n') == essence("def f():\n    pass\n")
    assert essence('x = "text that is used"') != essence('x = "other text"')


def test_a_name_leads_to_the_module_that_defines_it():
    assert imports_of("from unabases.regressors import LUNA") == ["unabases.regressors.luna"]
    assert imports_of("from unabases import LUNA") == ["unabases.regressors.luna"]
    assert imports_of("from unabases.datasets import gaps") == ["unabases.datasets.gaps"]
    assert imports_of("import numpy\nfrom scipy import stats") == []


def test_a_regressor_reaches_what_it_computes_with_and_not_its_neighbours():
    assert {"unabases.linear.posterior", "unabases.training.loop", "unabases.objectives.una"} <= set(reached([NLM]))
    assert LUNA not in reached([NLM])
    assert not {NLM, "unabases.training.loop", "unabases.linear.posterior"} & set(reached([GP]))
    assert "unabases.selection.search" in reached(["unabases.paper.parameter_search"])
    assert "unabases.selection.search" not in reached(["unabases.paper.uci_scores"])


def test_a_changed_solver_makes_other_numbers_only_where_it_is_used(edited):
    before = {name: code_version([name]) for name in (NLM, LUNA, GP, ENSEMBLE)}
    edited("unabases.linear.posterior", lambda source: source + "\nEXTRA = 1\n")
    after = {name: code_version([name]) for name in before}
    assert {name for name in before if before[name] != after[name]} == {NLM, LUNA}


def test_a_changed_sentence_makes_none(edited):
    before = code_version([NLM])
    edited("unabases.linear.posterior", lambda source: source + '\n# A remark.\n"""And a text."""\n')
    assert code_version([NLM]) == before
