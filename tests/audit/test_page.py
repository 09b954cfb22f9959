import re
from collections import Counter

from tests.audit.conftest import people
from unabases import audit
from unabases.audit import AuditSettings


def test_the_page_is_whole_escaped_and_needs_nothing_else(found, tmp_path):
    odd = {"region": Counter({"<script>": 3}), "\x1bé": Counter({"\x00\u202ea": 3, "\udcff": 1})}
    found = type(found)(**{**vars(found), "unknown_levels": odd})
    text = found.to_html(tmp_path / "audit.html").read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert text.rstrip().endswith("</html>")
    assert "&lt;east&gt; &amp; $x$" in text
    assert "<east>" not in text
    assert "<script" not in text
    assert r"<b>\x1bé</b>" in text  # unseen characters are written as their codes
    assert r"\x00\u202ea (3), \udcff (1)" in text
    assert text.count('src="data:image/svg+xml;base64,') == text.count("<img ") == 3
    assert not re.search(r'(src|href)="(?!data:)', text)
    assert "Under-represented in the training data: <b>gender = f</b>" in text
    assert "for an error of 0.1" in text


def test_a_page_without_findings_says_so(men_only, tmp_path):
    quiet = audit(men_only, people(60, seed=9, women=0.0), ["region"], settings=AuditSettings(n_permutations=50))
    assert "No value is named" in quiet.to_html(tmp_path / "quiet.html").read_text()
    assert quiet.largest == 0
