"""The picture of a search shows what the table says."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from unabases.plotting import draw_search, search_panel

RESULTS = pd.DataFrame(
    {
        "log_likelihood": [-3.0, -2.5, -2.4, np.nan, -900.0],
        "diversity": [0.1, 0.5, 0.9, np.nan, 0.0],
        "state": ["complete", "complete", "complete", "fail", "complete"],
    }
)


def test_the_panel_holds_the_complete_trials_the_kept_and_the_taken():
    panel = search_panel(RESULTS, best_index=1, keep=0.5)
    assert panel.log_likelihood.tolist() == [-3.0, -2.5, -2.4, -900.0]
    assert panel.kept.tolist() == [False, True, True, False]
    assert panel.taken.tolist() == [False, True, False, False]


def test_drawing_marks_each_kind_and_keeps_outliers_from_squeezing_the_rest():
    ax = draw_search(Figure().subplots(), search_panel(RESULTS, 1, 0.5))
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["far below", "trial", "kept", "taken"]
    assert ax.get_ylim()[0] > -10
    assert "log-likelihood" in ax.get_ylabel()


def test_a_search_without_diversity_is_refused():
    with pytest.raises(ValueError, match="LUNASearch"):
        search_panel(RESULTS.drop(columns="diversity"), 1)
