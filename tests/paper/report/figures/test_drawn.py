"""All figures are drawn, with labelled axes."""

import pytest

from tests.paper.report.synthetic import all_rows, gap_rows
from unabases.paper.methods import LUNA_PAPER
from unabases.paper.report.figures import FIGURES, OTHER_FIGURES, all_pictures
from unabases.paper.report.rows import gather


@pytest.fixture(scope="module")
def pictures():
    return all_pictures(gather(all_rows(n_restarts=2)))


def test_all_figures_are_drawn_from_all_rows_and_none_from_none(pictures):
    drawn = {picture.spec.name for picture in pictures if picture.figure is not None}
    assert drawn == {spec.name for spec in (*FIGURES, *OTHER_FIGURES)}
    empty = all_pictures(gather([]))
    assert all(picture.figure is None and "not run yet" in picture.about for picture in empty)


def test_every_axis_that_is_shown_has_words_or_shares_them(pictures):
    for picture in pictures:
        for ax in picture.figure.axes if picture.figure else ():
            if ax.axison and ax.get_subplotspec().is_last_row():
                assert ax.get_xlabel(), picture.spec.name


def test_names_are_unique():
    assert len({spec.name for spec in FIGURES}) == len(FIGURES)


def test_figures_that_the_paper_lacks_wait_until_their_experiment_was_run():
    names = {picture.spec.name for picture in all_pictures(gather([]))}
    assert names == {spec.name for spec in FIGURES}


def test_our_models_stand_in_the_pictures_of_the_papers_tables():
    own = [one._replace(experiment="our-gap-sets", method="UNA") for one in gap_rows(methods=(LUNA_PAPER,))]
    rows = [*gap_rows(), *own]
    picture = next(one for one in all_pictures(gather(rows)) if one.spec.name == "eurc")
    assert "UNA" in [text.get_text() for text in picture.figure.axes[0].get_yticklabels()]
    assert "; our-gap-sets: profile quick, 18 trials" in picture.about
    alone = next(one for one in all_pictures(gather(own)) if one.spec.name == "eurc")
    assert (alone.figure, alone.about) == (None, "not run yet: unabases reproduce uci-gap")
