"""Tables sort by what is in their cells, by mouse and by keyboard, in a real browser."""

import json

from tests.paper.report.browser import ask_in_browser
from unabases.storage import page_parts

KEYS = {"3.17 ± 0.20": 3.17, "+236 % (+153 to +403)": 236, "−0.5": -0.5, "1,000": 1000, "6.5e-05": 6.5e-05}
KEYS |= {"2 min": 120, "1.5 h": 5400, "40 ms": 0.04, "3 minor": 3}
KEYS |= {text: text for text in ("2026-11-16T09:39:20+00:00", "not run", "γ = 10", "")}

TABLE = """<!DOCTYPE html><html><body><table class="sortable"><thead><tr><td></td><th colspan="2">group</th></tr>
<tr><td></td><th>time</th><th class="n">share <sup>1</sup></th></tr></thead><tbody>
<tr><td>a</td><td>2 min</td><td data-v="0.5">half</td></tr><tr><td>b</td><td></td><td>none</td></tr>
<tr><td>c</td><td>30 s</td><td data-v="0.25">a quarter</td></tr><tr><td>d</td><td>never</td><td></td></tr>
<tr><td>e</td><td>30 s</td><td data-v="1">all</td></tr></tbody></table>
<table><thead><tr><th>other</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>
<script>%s</script></body></html>"""

USED = """
const [time, share] = [...document.querySelectorAll("th button")], heads = [time, share].map(one => one.parentNode);
const rows = () => [...document.querySelector("table.sortable").tBodies[0].rows];
const order = () => rows().map(row => row.cells[0].textContent).join("");
const press = button => { button.focus(); document.activeElement.click(); return order(); };
const cell = text => Object.assign(document.createElement("td"), {textContent: text});
const keys = %s.map(text => sortKey(cell(text)));
return {keys, buttons: document.querySelectorAll("button").length, said: heads[1].innerHTML,
  orders: [press(time), press(time), press(share), press(share)], now: heads.map(one => one.getAttribute("aria-sort"))};
"""


def test_a_cell_is_sorted_by_its_number_or_text_and_a_column_by_mouse_and_keyboard(tmp_path):
    page = tmp_path / "page.html"
    page.write_text(TABLE % page_parts("unabases.paper.report", "page").script, encoding="utf-8")
    seen = ask_in_browser(page, USED % json.dumps(list(KEYS)), tmp_path)
    assert seen["keys"] == list(KEYS.values())
    assert seen["buttons"] == 2  # real ones, which the keyboard reaches; none over an empty head or in another table
    assert seen["said"].endswith(">share <sup>1</sup></button>")
    # Numbers, then text, then nothing, whichever way; equal cells keep their order.
    assert seen["orders"] == ["ceadb", "acedb", "eacbd", "caebd"]
    assert seen["now"] == [None, "ascending"]


def test_each_page_has_its_own_style_and_script_after_the_shared_ones():
    audit, report = page_parts("unabases.audit", "templates/audit"), page_parts("unabases.paper.report", "page")
    for parts in zip(audit, report, strict=True):
        same = next(i for i, pair in enumerate(zip(*parts, strict=False)) if len(set(pair)) > 1)
        assert "aria-sort" in parts[0][:same]
        assert "aria-sort" not in parts[0][same:] + parts[1][same:]
