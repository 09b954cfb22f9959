"""Every public term is on the list that saving reads."""

import inspect

from unabases import terms


def test_the_list_has_every_term():
    public = {name: getattr(terms, name) for name in terms.__all__}
    classes = {
        n: c for n, c in public.items() if inspect.isclass(c) and not inspect.isabstract(c) and n[:8] != "Abstract"
    }
    assert terms.all_terms() == classes
