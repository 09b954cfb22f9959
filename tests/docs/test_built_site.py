"""The built site in a browser: its search answers questions as people type them, and pages are whole."""

import os
import re
import subprocess
import sys
from urllib.parse import quote

import pytest

from tests.docs.pages import ROOT
from tests.paper.report.browser import ask_in_browser, read_in_browser

pytest.importorskip("mkdocs")

QUESTIONS = {  # as people ask, and the section that should be among the first three that they see
    "How do I give rows weights?": "questions.html#can-rows-have-weights",
    "I have five million rows": "questions.html#large-data-i-have-five-million-rows",
    "does it use my GPU?": "questions.html#does-it-use-my-gpu",
    "how do I monitor a model in production": "questions.html#how-do-i-monitor-a-model-in-use",
    "How can I serve it without JAX?": "questions.html#how-do-i-serve-it-without-jax",
    "is the API stable?": "questions.html#how-stable-is-the-interface",
    "my intervals are too wide": "questions.html#my-intervals-are-too-wide-what-can-i-do",
    "my prediction intervals are too narrow": "questions.html#my-intervals-are-too-narrow-what-can-i-do",
    "can I fork, and is it thread safe": "questions.html#forks-threads-and-processes",
    "is the result deterministic?": "questions.html#will-i-get-the-same-result-twice",
    "how much memory does it need": "questions.html#how-much-memory-does-it-need",
    "can I read a .una file from another language": "questions.html#can-i-read-a-una-file-from-another-language",
    "reproducibility": "questions.html#will-i-get-the-same-result-twice",
}
HIT = re.compile(r'<a href="([^"]*)" class="md-search-result__link"')


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    run = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False, env=quiet)
    assert run.returncode == 0, run.stderr
    return folder


def sections_found(site, typed, scratch):
    text = read_in_browser(f"{(site / 'index.html').as_uri()}?q={quote(typed)}", scratch)
    hits = (hit.partition("?")[0] + "#" + hit.partition("#")[2] for hit in HIT.findall(text))
    return [hit.rpartition("/")[2] for hit in hits if not hit.endswith("#")]


@pytest.mark.parametrize(("typed", "section"), QUESTIONS.items())
def test_the_search_answers_questions_as_people_type_them(site, typed, section, tmp_path):
    assert section in sections_found(site, typed, tmp_path)[:3]


def test_small_words_and_question_marks_are_not_searched_for(site, tmp_path):
    """The search takes words for beginnings: "in" would find "interface" first."""
    found = sections_found(site, "How do I monitor a model in production?", tmp_path)
    assert found[0] == "questions.html#how-do-i-monitor-a-model-in-use"
    assert found == sections_found(site, "monitor model production", tmp_path)
    assert sections_found(site, "in", tmp_path)  # if there is no other


def test_nothing_overflows_a_phone(site):
    overflow = "const all = document.documentElement; return all.scrollWidth - all.clientWidth;"
    for page in ("index", "gallery/index", "comparison", "404"):
        file = site / f"{page}.html"
        assert ask_in_browser(file, overflow, file.parent, width=390) <= 0, page  # beside its styles


def test_the_reference_shows_no_kind_that_says_nothing(site):
    text = (site / "reference" / "regressors.html").read_text(encoding="utf-8")
    assert "Rows of shape (n, d)" in text
    assert ">Any</" not in text
