import re
from collections import Counter

import numpy as np
import pytest

from tests.audit.conftest import fitted, people
from tests.paper.report.browser import ask_in_browser, open_in_browser
from unabases import audit
from unabases.audit import AuditSettings

HOSTILE = """</script><script>document.title = "run"</script><img src=x onerror="document.title='run'">"""


def changed(found, **fields):
    return type(found)(**{**vars(found), **fields})


@pytest.fixture(scope="module")
def hostile(found, tmp_path_factory):
    """A page with hostile text wherever the text of a table goes."""
    columns, values = (table.replace({"column": {"region": HOSTILE}}) for table in (found.columns, found.values))
    stds = {(HOSTILE if column == "region" else column, value): v for (column, value), v in found.group_stds.items()}
    odd = {HOSTILE: Counter({HOSTILE: 3})}
    rows = found.least_familiar.rename(columns={"region": HOSTILE}).assign(gender=HOSTILE)
    given = {"target": HOSTILE, "columns": columns, "values": values, "group_stds": stds, "unknown_levels": odd}
    return changed(found, **given, least_familiar=rows).to_html(tmp_path_factory.mktemp("page") / "audit.html")


@pytest.fixture(scope="module")
def text(found, tmp_path_factory):
    odd = {"region": Counter({"<script>": 3}), "\x1bé": Counter({"\x00\u202ea": 3, "\udcff": 1})}
    page = changed(found, unknown_levels=odd).to_html(tmp_path_factory.mktemp("page") / "audit.html")
    return page.read_text(encoding="utf-8")


def test_the_page_is_whole_escaped_and_needs_nothing_else(text):
    assert text.startswith("<!DOCTYPE html>")
    assert text.rstrip().endswith("</html>")
    assert "&lt;east&gt; &amp; $x$" in text
    assert "<east>" not in text
    assert text.count("<script") == 1  # its own
    assert r"<b>\x1bé</b>" in text  # unseen characters are written as their codes
    assert r"\x00\u202ea (3), \udcff (1)" in text
    assert text.count('src="data:image/svg+xml;base64,') == text.count("<img ") == 2
    assert not re.search(r'(src|href)="(?!data:)', text)
    assert not re.search(r"https?:|url\(|@import", text)
    assert "for an error of 0.1" in text


WALKED = """
const lane = document.querySelector(".panel:not([hidden]) .strip svg"), said = [];
const press = key => {
  lane.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
  said.push(document.querySelector(".panel:not([hidden]) output").textContent);
};
lane.focus();
const focused = document.activeElement === lane, marked = () => lane.querySelectorAll("circle.here").length;
press("ArrowRight"); press("ArrowRight"); press("ArrowLeft"); press("End"); press("ArrowRight"); press("Tab");
const during = marked();
lane.blur();
return {focused, said, during, after: marked(), label: lane.getAttribute("aria-label"),
  rows: lane.querySelectorAll("circle").length};
"""


def test_the_arrow_keys_go_from_row_to_row_and_say_what_each_is(hostile, tmp_path):
    seen = ask_in_browser(hostile, WALKED, tmp_path)
    assert seen["focused"]
    assert seen["label"] == f"your rows: {seen['rows']} rows shown; the arrow keys go from row to row"
    first, second, back, last, beyond, other = seen["said"]
    assert first == back != second
    assert last == beyond == other  # the Tab key is left to the browser
    times = [float(re.search(r"([\d.e+]+)× training", text)[1]) for text in (first, second, last)]
    assert times == sorted(times)
    assert times[0] < times[-1]
    assert (seen["during"], seen["after"]) == (1, 0)


PRINTED = """
const wide = [...document.querySelectorAll(".wide")];
document.body.style.width = "180mm";  // A4 between its margins
const cut = wide.filter(box => box.scrollWidth > box.clientWidth + 1).length;
return {cut, hidden: [...document.querySelectorAll(".panel")].map(panel => getComputedStyle(panel).display),
  choice: getComputedStyle(document.querySelector("#column")).display,
  label: getComputedStyle(document.querySelector("label")).visibility + document.querySelector("label").offsetHeight};
"""


def test_on_paper_all_columns_are_shown_and_no_table_is_cut(found, tmp_path):
    page = found.to_html(tmp_path / "audit.html")
    page.write_text(page.read_text(encoding="utf-8").replace("@media print", "@media all"), encoding="utf-8")
    seen = ask_in_browser(page, PRINTED, tmp_path)
    assert seen["cut"] == 0
    assert set(seen["hidden"]) == {"block"}
    assert seen["label"] == "visible0"  # no choice to make, so no label either


def test_the_card_comes_first_and_says_it_in_words(found, text):
    line = found.values[found.values["named"]].iloc[0]
    said = text.partition("<section")[2].partition("</section>")[0]
    assert f"<b>gender = f</b>: {100 * line['share']:.0f} % of your rows, none of the training rows;" in said
    assert f"{line['deferred']} of {line['rows']} deferred" in said
    assert text.index(found.card()[-1]) < text.index("<table")


def test_a_page_without_findings_says_so(men_only, tmp_path):
    quiet = audit(men_only, people(60, seed=9, women=0.0), ["region"], settings=AuditSettings(n_permutations=50))
    assert quiet.card()[0] == "No value is named as under-represented"
    assert "No value is named" in quiet.to_html(tmp_path / "quiet.html").read_text()
    assert quiet.largest == 0


def test_a_model_of_a_constant_has_a_page_of_numbers(tmp_path):
    with pytest.warns(UserWarning, match="nothing to learn"):
        model = fitted(people(500, seed=0).assign(age=40.0))
    constant = audit(
        model, people(60, seed=9).assign(age=40.0), ["region"], settings=AuditSettings(n_permutations=50, max_error=0.1)
    )
    text = constant.to_html(tmp_path / "constant.html").read_text(encoding="utf-8")
    assert "the model is as sure;" in text
    assert not re.search(r"\b(nan|inf)\b", re.sub(r"<script>.*</script>|base64,[^\"]*", "", text, flags=re.S))


def test_hostile_text_does_nothing_in_a_browser(hostile, tmp_path):
    complaints, picture = open_in_browser(hostile, tmp_path, width=390)
    assert complaints == []  # a script that is not allowed to run would be one
    assert picture.shape[1] == 390
    assert 0.005 < np.mean(picture[..., :3].mean(axis=-1) < 0.5) < 0.5


USED = """
const table = document.querySelectorAll("table.sortable")[1], wide = document.documentElement;
const firsts = () => [...table.tBodies[0].rows].map(row => Number(row.cells[1].dataset.v));
const button = table.tHead.rows[0].cells[1].querySelector("button");
button.click();
const falling = firsts(), how = table.tHead.rows[0].cells[1].getAttribute("aria-sort");
button.click();
const choice = document.querySelector("#column");
choice.value = "1";
choice.dispatchEvent(new Event("change"));
const shown = [...document.querySelectorAll(".panel")].map(panel => !panel.hidden);
document.querySelector(".panel:not([hidden]) circle").dispatchEvent(new MouseEvent("click", {bubbles: true}));
const overflow = [wide.scrollWidth - wide.clientWidth];
document.body.style.width = "390px";
overflow.push(document.body.scrollWidth - 390);
return {falling, how, rising: firsts(), shown, overflow, title: document.title,
  hover: document.querySelector(".panel:not([hidden]) output").textContent, images: document.images.length};
"""


def test_tables_sort_columns_switch_and_nothing_overflows_at_two_widths(hostile, tmp_path):
    seen = ask_in_browser(hostile, USED, tmp_path, width=1280)
    assert seen["falling"] == sorted(seen["falling"], reverse=True) != sorted(seen["falling"])
    assert seen["rising"] == sorted(seen["falling"])
    assert seen["how"] == "descending"
    assert seen["shown"] == [False, True, False]
    assert "× training, epistemic std" in seen["hover"]
    assert max(seen["overflow"]) <= 0
    assert seen["title"] == f"Audit of {HOSTILE}"
    assert seen["images"] == 2
