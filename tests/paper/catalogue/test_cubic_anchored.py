from tests.paper.catalogue import trials
from unabases.paper.catalogue.cubic_anchored import VARIANTS
from unabases.paper.methods import ANCHORED


def test_each_variant_changes_the_printed_settings_as_it_says():
    printed = next(t for t in trials("cubic-gap", "quick") if t.method == ANCHORED)
    found = {trial.method: trial for trial in trials("cubic-anchored", "quick") if trial.split == 0}
    assert len(found) == len(VARIANTS)
    for name, other in VARIANTS.items():
        assert found[f"{ANCHORED}, {name}"].settings == {**printed.settings, **other}
