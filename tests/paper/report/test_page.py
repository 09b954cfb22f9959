"""The page is whole, well-formed, self-contained and safe, with much, little or no data."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from tests.paper.report.browser import ask_in_browser, open_in_browser
from tests.paper.report.synthetic import gap_rows, row
from unabases.paper.catalogue import EXPERIMENTS
from unabases.paper.report.contents import make_report
from unabases.paper.report.detail_tables import DETAIL_TABLES
from unabases.paper.report.figures import FIGURES, OTHER_FIGURES
from unabases.paper.report.figures.glance import GLANCES
from unabases.paper.report.method_tables import METHOD_TABLES
from unabases.paper.report.page import report_page
from unabases.paper.report.rows import gather

FITS = """
const width = 390;
document.body.style.width = width + "px";
const wide = [...document.querySelectorAll("body *")].filter(one => !one.closest(".scroll"))
  .filter(one => one.getBoundingClientRect().right > width).map(one => one.tagName + " " + one.textContent.slice(0, 9));
const runs = [...document.querySelectorAll("#runs thead th")].find(one => one.textContent === "time of all trials");
runs.querySelector("button").click();
const times = [...document.querySelectorAll("#runs tbody tr")].map(one => one.cells[runs.cellIndex].textContent);
const label = getComputedStyle(document.querySelector("table.claims td"), "::before").content;
return {wide, scripts: document.scripts.length, times, label};
"""
VOID = {"meta", "link", "img", "br"}


class Reader(HTMLParser):
    """Checks that tags close in order, and keeps what a browser would load or jump to."""

    def __init__(self):
        super().__init__()
        self.open, self.resources, self.ids, self.links, self.images, self.tags = [], [], [], [], [], []
        self.text = ""

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        self.ids += [given["id"]] if "id" in given else []
        self.resources += [given[name] for name in ("src", "srcset", "data", "poster") if name in given]
        if tag == "link":
            self.resources.append(given["href"])
        if tag == "a":
            self.links.append(given["href"])
        if tag == "img":
            self.images.append(given)

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def read(page):
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


def page_of(rows, figures=False):
    return report_page(make_report(gather(rows), figures))


@pytest.fixture(scope="module")
def page(written):
    return read(written.page.read_text(encoding="utf-8"))


def test_every_table_and_figure_is_there(page):
    wanted = [spec.name for spec in (*METHOD_TABLES, *DETAIL_TABLES)]
    figures = (*FIGURES, *OTHER_FIGURES)
    wanted += [f"figure-{spec.name}" for spec in figures]
    assert set(wanted) <= set(page.ids)
    assert page.tags.count("img") == len(figures) + len(GLANCES)
    assert len(page.ids) == len(set(page.ids))


def test_the_page_loads_nothing_from_elsewhere(page, written):
    assert page.resources
    assert all(resource.startswith("data:") for resource in page.resources)
    text = written.page.read_text(encoding="utf-8")
    assert text.count("<script") == 1  # our own, which sorts tables
    assert "@import" not in text
    assert not re.search(r"url\(", text)
    assert not re.search(r"https?://", text)


def test_links_lead_to_places_of_the_page(page):
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)


def test_pictures_have_a_description(page):
    assert all(len(image["alt"]) > 30 for image in page.images)


def test_numbers_settings_versions_and_counts_are_said(page):
    for words in ("paper +416 ± 198 %", "profile quick", "jax 0.8.1", "lam = 1.0", "x86_64", "20 of 20", "3 splits"):
        assert words.lower() in page.text.lower(), words


def test_the_same_rows_give_the_same_page():
    rows = gap_rows(methods=("LUNA", "GP"), datasets=("boston-rm",), n=1)
    assert page_of(rows, figures=True) == page_of(rows, figures=True)


def test_an_empty_store_says_what_to_run():
    page = read(page_of([], figures=True))
    assert "img" not in page.tags
    assert page.text.count("Not drawn: ") == len(FIGURES)
    for name in EXPERIMENTS:
        assert f"unabases reproduce {name}" in page.text


def test_a_store_that_is_filled_in_part_names_what_is_missing():
    rows = [r for r in gap_rows(n=1) if r.dataset != "boston-rm" and r.method != "GP"]
    page = read(page_of(rows))
    assert "Not run: Bootstrap ensemble on boston-rm" in page.text
    assert "; GP;" in page.text


def test_text_from_rows_is_escaped_and_the_page_fits_a_phone_and_sorts(tmp_path):
    nasty = '<script>alert("1")</script> & "more" | bars'
    rows = [
        row(method=nasty, scores={"eurc": 0.5, "fit_seconds": 1.0}, settings={nasty: nasty}),
        row(dataset=nasty, scores={"eurc": 0.5}, seconds=7300.0),
        row(experiment="consistency", scores={"eurc": 0.5}, seconds=300.0),
        row(experiment="faces", scores={"auroc": 0.5}, seconds=30.0),
        row(method="GP", failed=nasty, provenance={"machine": nasty, "warnings": [nasty]}),
    ]
    text = page_of(rows)
    assert text.count("<script") == 1  # our own
    assert nasty in read(text).text
    (tmp_path / "report.html").write_text(text, encoding="utf-8")
    seen = ask_in_browser(tmp_path / "report.html", FITS, tmp_path, width=390)
    assert seen["label"] == '"printed"'  # on a phone claims stand below each other
    assert (seen["wide"], seen["scripts"]) == ([], 2)  # our own, and the one that asks
    assert seen["times"] == ["30.00 s", "5 min", "2.0 h"]


def test_the_profile_tiny_is_marked():
    assert "its numbers mean nothing" in page_of([row(scores={"eurc": 0.5}, profile="tiny")])


@pytest.mark.parametrize(("width", "dark"), [(1400, False), (400, True)])
def test_the_page_opens_in_a_browser_on_wide_and_narrow_screens(written, tmp_path, width, dark):
    complaints, picture = open_in_browser(written.page, tmp_path, width, dark)
    assert complaints == []
    assert picture.shape[:2] == (1000, max(width, 400))
    ground = picture[-40:, :10, :3].mean()  # the left edge, where nothing is written
    assert (ground < 0.3) == dark
    ink = np.mean(picture[..., :3].mean(axis=-1) < 0.5)
    assert 0.005 < (1 - ink if dark else ink) < 0.9


def test_the_first_screen_has_a_figure_and_sentence_for_each_finding(page, written):
    text = written.page.read_text(encoding="utf-8")
    before_claims = text[: text.index('id="claims"')]
    assert before_claims.count("<img ") == before_claims.count('<li class="card">') == len(GLANCES) == 5
    for words in ("EURC", "profile", "Vanilla ensemble"):
        assert f"<dt>{words}</dt>" in before_claims


def test_claims_say_what_is_printed_here_and_ours(page):
    for heading in ("printed", "here", "ours"):
        assert heading in page.text
    assert "LUNA, defaults" in page.text


def test_rows_read_back_from_a_store_give_the_same_page(tmp_path):
    from unabases.paper.store import ResultStore

    store, rows = ResultStore(tmp_path / "results.sqlite"), gap_rows(methods=("LUNA", "GP"), n=1)
    store.set_plan("uci-gap", "quick", [str(place) for place in range(len(rows))])
    for place, one in enumerate(rows):
        store.put(str(place), one)
    assert page_of(store.rows()) == page_of(json_like(rows))


def json_like(rows):
    return [
        r._replace(**{name: json.loads(json.dumps(getattr(r, name))) for name in ("scores", "curves")}) for r in rows
    ]
