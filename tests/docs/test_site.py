"""The site: links that work on GitHub work there too, and no page and no public name is left out."""

import re
from types import SimpleNamespace

import pytest

import unabases
from tests.docs.pages import ROOT

pytest.importorskip("mkdocs")
pytest.importorskip("latex2mathml")

from website.docstrings import Docstrings, shown, with_entries, with_list, with_mathml, with_words
from website.hooks import (
    gallery_home,
    gallery_page,
    linked_sources,
    on_page_content,
    on_page_markdown,
    on_post_page,
    on_post_template,
    packages,
    path_of,
    public_names,
    reference_home,
    scripts,
    site_links,
)


@pytest.mark.parametrize(
    ("page", "link", "there"),
    [
        ("index.md", "docs/choosing.md#cost", "choosing.md#cost"),
        ("index.md", "CHANGELOG.md", "changes.md"),
        ("index.md", "examples/README.md", "gallery/index.md"),
        ("index.md", "docs/images/fan.png", "images/fan.png"),
        ("index.md", "LICENSE", "LICENSE"),
        ("choosing.md", "../README.md", "index.md"),
        ("choosing.md", "metrics.md#crps", "metrics.md#crps"),
        ("questions.md", "../examples/many_rows.py", "gallery/many_rows.md"),
        ("honesty.md", "../src/unabases/paper/halves.py", "source/unabases/paper/halves.md"),
        ("extending/una-term.md", "../knowledge.md", "../knowledge.md"),
        ("extending/una-term.md", "../../CONTRIBUTING.md", "../contributing.md"),
        ("gallery/index.md", "first_fit.py", "first_fit.md"),
        ("changes.md", "docs/names.md", "names.md"),
        ("index.md", "https://example.org/docs/a.md", "https://example.org/docs/a.md"),
    ],
)
def test_a_link_leads_to_the_page_that_its_file_became(page, link, there):
    assert site_links(f"see [it]({link}).", page) == f"see [it]({there})."


def test_links_in_code_stay_as_they_are():
    code = "```md\n[a](docs/names.md)\n```"
    assert site_links(code, "index.md") == code


def test_the_navigation_names_pages_that_exist():
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    named = set(re.findall(r": ([\w\-/]+\.md)$", text, re.MULTILINE)) - {"index.md", "changes.md", "contributing.md"}
    assert len(named) > 20
    assert {name for name in named if not (ROOT / "docs" / name).is_file()} == set()


def test_every_public_name_is_in_the_reference():
    there = {name for package in packages() for name in public_names(package)}
    assert set(unabases.__all__) - {"__version__"} <= there
    assert packages()[0] == "regressors"
    assert public_names("regressors")[:2] == ["UNA", "LUNA"]
    assert "**[UNA][unabases.regressors.UNA]**" in reference_home()
    assert path_of("audit", "explain") == "unabases.audit.explain.explain"  # not the module of that name


def test_every_script_has_a_page_with_its_words_its_picture_and_its_code():
    page = gallery_page(ROOT / "examples" / "check_uncertainty.py")
    assert page.startswith("# Is the uncertainty any good on my data?\n\nHold rows out, and")
    assert page.count("Hold rows out") == 1  # not in the code once more
    assert "](images/check_uncertainty.png)" in page
    assert "model = UNA(" in page
    titles = {path.stem: gallery_page(path).splitlines()[0] for path in scripts()}
    assert titles["active_learning"] == "# Active learning"
    assert max(map(len, titles.values())) < 60
    assert scripts()[0].stem == "first_fit"  # as listed, not by name
    pictures = {path.stem for path in (ROOT / "examples" / "images").glob("*.png")}
    assert pictures <= {path.stem for path in scripts()}


def test_the_gallery_has_a_card_for_every_script_and_its_picture_if_it_has_one():
    page = gallery_home()
    assert set(re.findall(r'<a href="(\w+)\.html">', page)) == {path.stem for path in scripts()}
    assert set(re.findall(r'src="images/(\w+)\.png"', page)) == {path.stem for path in scripts()} - {"gpu"}
    assert "<b>Row weights</b><span>rows that count more or less, such as those of two instruments</span>" in page
    assert not re.search(r"^[|!*](?!\*)", page, re.MULTILINE)  # no table and no picture beside the cards
    assert "**Make it yours**" in page
    assert "`unabases[onnx]`" not in page


def test_the_page_for_wrong_addresses_finds_its_styles_in_a_folder_and_on_a_server():
    page = '<head><link href="/style.css"></head><a href="//other.org"><img src="/a.png"><script>{"base": "/"}</script>'
    found = on_post_template(page, "404.html")
    assert '<link href="style.css">' in found
    assert '<img src="a.png">' in found
    assert '<a href="//other.org">' in found
    assert '{"base": "/"}' in found
    assert found.index('<base href="/">') < found.index("style.css")
    assert on_post_template(page, "sitemap.xml") == page


def test_modules_that_pages_link_to_are_found():
    assert "src/unabases/paper/halves.py" in linked_sources()


def test_formulas_become_mathml_and_text_around_them_stays():
    text = "Before.\n\n    .. math:: a + b,\n        \\quad c\n\n    After :math:`x`.\n"
    shown = with_mathml(text)
    assert shown.startswith("Before.\n")
    assert shown.count("<math") == 2
    assert shown.endswith(".\n")
    assert "math::" not in shown
    assert "    After <span><math" in shown  # a line that began with <math> would be a paragraph of its own


def test_a_formula_has_no_backslash_left():
    assert "max_error" in with_mathml(r":math:`\text{max\_error}`")


def test_kinds_that_are_no_python_are_shown_in_words():
    """Read as Python, `path-like` is a difference, and the first of some choices in braces is called their default."""
    griffe = pytest.importorskip("griffe")
    kinds = {
        "path : path-like, optional": ("path\u2011like", None),
        'kind : {"rms", "mean"}': ('"rms"\xa0or "mean"', None),
        "gamma : float or \"left-out\", default='left-out'": ('float\xa0or "left-out"', "'left-out'"),
        "n : int, default=3": ("int", "3"),
        "random_state : int, RandomState or None, default=None": ("int,\xa0RandomState or None", "None"),
    }
    for line, (kind, default) in kinds.items():
        docstring = griffe.Docstring(shown(f"Say.\n\nParameters\n----------\n{line}\n    What it is.\n"))
        ((parameter,),) = [part.value for part in docstring.parse("numpy", warnings=False)[1:]]
        assert (str(parameter.annotation), parameter.default) == (kind, default)
    assert with_words("See x : a b.") == "See x : a b."
    assert (
        with_words("df : array of the shape of `mean`\n    Degrees.") == "df : array of the shape of mean\n    Degrees."
    )


def test_a_class_that_inherits_how_it_is_made_says_so():
    griffe = pytest.importorskip("griffe")
    loaded = griffe.load(
        "unabases.predictive", search_paths=[ROOT / "src"], extensions=griffe.load_extensions(Docstrings)
    )
    assert [one.name for one in loaded["normal.Normal"].parameters][1:] == ["epistemic_std", "noise_std", "root"]


def test_a_value_that_is_returned_without_words_has_no_dash():
    assert on_page_content('<code>a</code> –\n <div class="doc-md-description">\n </div>') == "<code>a</code>"


def test_a_parameter_of_any_kind_has_none_beside_it():
    any_kind = '<b>X</b> (<code><span title="typing.Any">Any</span></code>'
    assert on_post_page(f"{any_kind}) – Rows.", None) == "<b>X</b>  – Rows."
    assert on_post_page(f"{any_kind}, default: <code>None</code>)", None) == "<b>X</b> (default: <code>None</code>)"


def test_an_attribute_is_named_once():
    label = '<small class="doc doc-label doc-label-instance-attribute"><code>instance-attribute</code></small>'
    signature = '<div class="doc-signature highlight"><pre><span></span><code>{}\n</code></pre></div>'
    name, value = '<span class="n">level</span>', '<span class="n">level</span> <span class="o">=</span> 0.9'
    assert on_page_content(f"<h3>level {label}</h3>{signature.format(name)}") == "<h3>level </h3>"
    assert on_page_content(signature.format(value)) == signature.format(value)


def test_names_that_share_a_description_keep_their_own_kinds():
    griffe = pytest.importorskip("griffe")
    code = 'def f(a: int, b: str):\n    """Say.\n\n    Parameters\n    ----------\n    a, b\n        Two.\n    """\n'
    with griffe.temporary_visited_module(code) as module:
        docstring = module["f"].docstring
        docstring.value = shown(docstring.value)
        (parameters,) = [part.value for part in docstring.parse("numpy", warnings=False)[1:]]
    found = [(parameter.name, str(parameter.annotation), parameter.description) for parameter in parameters]
    assert found == [("a", "int", "Two."), ("b", "str", "Two.")]
    assert with_entries("One, two\nthree.\n") == "One, two\nthree.\n"


def test_what_else_to_see_becomes_a_list():
    text = (
        "See Also\n--------\naudit : Find groups,\n    by name.\nexplain : One row.\n\nExamples\n--------\n>>> a : b\n"
    )
    shown = "- `audit`: Find groups,\n    by name.\n- `explain`: One row.\n"
    assert with_list(text) == f"See Also\n--------\n{shown}\nExamples\n--------\n>>> a : b\n"


def test_cells_of_numbers_or_a_word_stay_on_their_lines_and_wide_pictures_keep_their_size():
    cells = {"3.09 ± 0.21": "whole", "<strong>1.2</strong>": "whole", "misses it": "whole"}
    cells |= {"a few words more": "", "": ""}
    cells["+56.7 ± 38.5 %<br />paper +59.2 ± 36.9 %<br />= agrees"] = "whole"
    cells["12 to 30 rows of each kind, and more where there are more"] = "prose"
    for text, kind in cells.items():
        cell = f'<td style="text-align: right;">{text}</td>'
        assert on_page_content(cell) == (cell.replace("<td", f'<td class="{kind}"') if kind else cell)
    path = "<td><code>tests/saving/test_models.py</code></td>"
    assert on_page_content(path) == "<td><code>tests/<wbr>saving/<wbr>test_<wbr>models.py</code></td>"
    assert on_page_content("<td><code>paper/__init__.py</code></td>") == "<td><code>paper/<wbr>__init__.py</code></td>"
    assert on_page_content("<td><code>a/&lt;name&gt;.py</code></td>") == "<td><code>a/<wbr>&lt;name&gt;.py</code></td>"
    assert on_page_content("<td><code>MeanFieldVI</code></td>") == "<td><code>MeanField<wbr>VI</code></td>"
    call = "<td><code>predict_dist(table, level=0.9).to_frame()</code></td>"
    assert "predict_dist(<wbr>table, level=<wbr>0.<wbr>9).<wbr>to_frame()" in on_page_content(call)
    assert on_page_content("<td>As <code>fit(X, y=y)</code> does</td>") == "<td>As <code>fit(X, y=y)</code> does</td>"
    option = '<span class="option">--max-levels</span>'
    assert on_page_content("<p><code>fit --max-levels 9</code></p>") == f"<p><code>fit {option} 9</code></p>"
    picture = '<img alt="a" src="images/fan.png" />'
    assert on_page_content(picture) == picture.replace("<img", '<img class="wide"')
    small = '<img alt="a" src="images/streaming_updates.png" />'
    assert on_page_content(small) == small


WORDS = {  # what people type into the search box, and the section that answers
    "row weights": "can-rows-have-weights",
    "sample_weight": "can-rows-have-weights",
    "five million rows": "large-data-i-have-five-million-rows",
    "cluster dask": "can-i-use-a-cluster",
    "memory": "how-much-memory-does-it-need",
    "gpu": "does-it-use-my-gpu",
    "monitoring": "how-do-i-monitor-a-model-in-use",
    "drift": "how-do-i-monitor-a-model-in-use",
    "production": "how-do-i-serve-it-without-jax",
    "large data": "large-data-i-have-five-million-rows",
    "reproducible": "will-i-get-the-same-result-twice",
    "serve without jax": "how-do-i-serve-it-without-jax",
    "una file another language": "can-i-read-a-una-file-from-another-language",
    "stability": "how-stable-is-the-interface",
    "versions": "how-stable-is-the-interface",
    "intervals too wide": "my-intervals-are-too-wide-what-can-i-do",
    "intervals too narrow": "my-intervals-are-too-narrow-what-can-i-do",
    "fork": "forks-threads-and-processes",
    "threads": "forks-threads-and-processes",
    "determinism": "will-i-get-the-same-result-twice",
    "reproducibility": "will-i-get-the-same-result-twice",
    "seed": "will-i-get-the-same-result-twice",
    "deterministic": "will-i-get-the-same-result-twice",
    "missing values": "may-values-be-missing",
    "nan": "may-values-be-missing",
    "feature importance": "feature-importance-which-features-matter",
    "time series": "is-it-for-time-series",
    "multiple outputs": "multiple-outputs-can-it-predict-several-targets",
    "hyperparameters": "which-hyperparameters-should-i-tune",
    "license": "what-is-the-licence-and-how-do-i-cite-it",
    "cite": "what-is-the-licence-and-how-do-i-cite-it",
    "forecast": "is-it-for-time-series",
    "classification": "does-it-classify",
    "duplicate rows": "my-table-has-duplicate-rows",
    "few rows": "i-have-few-rows-only-thirty",
    "categorical columns": "can-columns-be-text-categorical-or-dates",
    "extrapolation": "my-intervals-are-too-narrow-what-can-i-do",
}


@pytest.mark.parametrize(("typed", "section"), WORDS.items())
def test_the_answer_to_a_question_has_the_words_that_people_search_for(typed, section):
    """The search box finds words and their beginnings, not meanings."""
    sections = re.split(r"^## ", (ROOT / "docs" / "questions.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    slug = pytest.importorskip("pymdownx.slugs").slugify(case="lower")
    (answer,) = [text.lower() for text in sections if slug(text.partition("\n")[0].replace("`", ""), "-") == section]
    for word in typed.split():
        assert re.search(rf"\b{word}", answer), word


def test_the_search_finds_words_beside_brackets_and_keeps_names_and_numbers_whole():
    (separator,) = re.findall(r"separator: '(.*)'", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    words = [
        word for word in re.split(separator, "a licence (license, in “US”): fit(X, sample_weight=w), 0.1 ms.") if word
    ]
    assert words == ["a", "licence", "license", "in", "US", "fit", "X", "sample_weight", "w", "0.1", "ms"]


def test_the_search_finds_short_answers_first_and_no_code_of_modules():
    for page, wanted in (
        ("questions.md", {"search": {"boost": 3}}),
        ("source/unabases/a.md", {"search": {"exclude": True}}),
        ("data.md", {}),
    ):
        seen = SimpleNamespace(file=SimpleNamespace(src_uri=page), meta={})
        on_page_markdown("text", seen)
        assert seen.meta == wanted
