"""What MkDocs does besides: pages from outside docs/, the gallery, the reference, and a check that nothing is remote.

README.md is the home page. The gallery has a page for each script in examples/, the reference one for each package with
a heading for each public name. Links in the sources are those that work on GitHub; here they are turned into links
between pages of the site.
"""

import ast
import importlib.util
import pkgutil
import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
GALLERY, REFERENCE = "gallery/", "reference/"
ORDER = (
    "regressors",
    "predictive",
    "metrics",
    "terms",
    "datasets",
    "tables",
    "saving",
    "selection",
    "audit",
    "bayesopt",
    "plotting",
)  # packages in the order in which most people need them; others follow
FIRST = ("UNA", "LUNA")
OWN_OPTIONS = {
    "UNA": "    options:\n      inherited_members: true\n",
    "AbstractRegressor": '    options:\n      filters: ["!^_"]\n',
}  # UNA stands for all regressors, so it shows what they inherit; those who write one need `get_state`
SEARCH: dict[str, dict[str, Any]] = {
    "questions.md": {"search": {"boost": 3}},
    "source": {"search": {"exclude": True}},
}  # what the search does with some pages or folders
MOVED = {"README.md": "index.md", "CHANGELOG.md": "changes.md", "CONTRIBUTING.md": "contributing.md"}
AS_THEY_ARE = ("LICENSE", "CITATION.cff")
_LINK = re.compile(r"(?P<before>!?\[[^\]]*\]\()(?P<target>[^)\s#]+)(?P<after>(?:#[^)]*)?\))")
_FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_CELL = re.compile(r"<td(?P<rest>[^>]*>(?P<inner>.*?)</td>)", re.DOTALL)
_PATH = re.compile(r"(?<=<code>)(?:[\w/.]|&[lg]t;)+(?=</code>)")
_BREAKS = re.compile(r"(?<=/)(?=\w|&lt;)|(?<=[^\W_]_)(?=[^\W_])|(?<=[a-z]{4})(?=[A-Z])")
_CODE = re.compile(r"(?<=<code>)[^<]+(?=</code>)")
_CALL_BREAKS = re.compile(r"(?<=[(=.,])(?=[^\s.,)=])")
_OPTION = re.compile(r"(?<![\w-])--?\w[\w-]*")
_NUMBER = re.compile(r"[-+−×≤≥<>~±]?\s?\d")
_PICTURE = re.compile(r'<img(?P<rest>[^>]*\bsrc="[^"]*?images/(?P<name>[\w\-]+\.png)")')
_SAYS_NOTHING = re.compile(r'\s*–\s*<div class="doc-md-description">\s*</div>')
_ANY_KIND = re.compile(r'\(<code><span title="typing\.Any">Any</span></code>(?:\)|,\s*(?P<rest>default))')
_REPEATED_NAME = re.compile(
    r'<div class="doc-signature highlight"><pre><span></span><code><span class="n">\w+</span>\s*</code></pre></div>'
    r'|<small class="doc doc-label doc-label-(?:instance|class|module)-attribute">.*?</small>',
    re.DOTALL,
)  # below the name of an attribute: its name once more, and whose it is
_LISTED = re.compile(r"^\| \[\w+\.py\]\((?P<name>\w+)\.py\) \| (?P<shows>.+) \|$", re.MULTILINE)
_LIST = re.compile(r"^\| script \| shows \|\n\|---\|---\|\n(?P<lines>(?:\|.*\n)+)", re.MULTILINE)
_SHOWN = re.compile(r"^!\[\w+\.py: .*\n\n\*\w+\.py\*: .*\n\n?", re.MULTILINE)
_DOCTEST = re.compile(r" *# doctest: .*$", re.MULTILINE)
LONGEST_CODE = 24  # letters of code in a cell that is kept on its line
LONGEST_NUMBER = 30  # letters in a cell that is kept on its lines, such as "+56.7 ± 38.5 %"
LONGEST_WORD = 10  # letters of a cell that is kept on its line whatever it says, such as "misses it"
MUCH_TEXT = 30  # letters in a cell that is never narrow
WIDE_PICTURE = 850  # pixels of a picture with several panels, which a phone shows larger than itself
_REMOTE = re.compile(
    r"""<(?:script|img|iframe)\b[^>]*\bsrc=["']?(?:https?:)?//|<link\b[^>]*\brel=["']?stylesheet["']?[^>]*\bhref=["']?(?:https?:)?//"""
)


def on_config(config: Any) -> Any:
    """Fill the navigation: the gallery, the reference, and pages that it does not name."""
    named = set(re.findall(r"[\w\-/]+\.md", str(config["nav"])))
    more = [page for page in _pages_of(Path(config["docs_dir"])) if page not in named]
    config["nav"] = [_filled(entry) for entry in config["nav"]] + ([{"More": more}] if more else [])
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the pages whose sources are not in docs/."""
    pages = {moved: _text(ROOT / source) for source, moved in MOVED.items()}
    pages[GALLERY + "index.md"] = gallery_home()
    pages |= {f"{GALLERY}{path.stem}.md": gallery_page(path) for path in scripts()}
    pages[REFERENCE + "index.md"] = reference_home()
    pages |= {f"{REFERENCE}{name}.md": reference_page(name) for name in packages()}
    pages |= {name: _text(ROOT / name) for name in AS_THEY_ARE}
    pages |= {name: _text(ROOT / "website" / name) for name in ("style.css", "iframe-worker.js", "small-words.js")}
    pages |= {_page_of(source): source_page(source) for source in linked_sources()}
    for uri, content in pages.items():
        files.append(File.generated(config, uri, content=content))
    for picture in sorted((ROOT / "examples" / "images").glob("*.png")):
        files.append(File.generated(config, f"{GALLERY}images/{picture.name}", abs_src_path=str(picture)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Turn links between files of the repository into links between pages of the site; drop words for doctest.

    The search finds short answers first, and no code of modules.
    """
    page.meta |= SEARCH.get(page.file.src_uri.partition("/")[0], {})
    return _DOCTEST.sub("", site_links(markdown, page.file.src_uri))


def on_page_content(html: str, **_: Any) -> str:
    """Mark what small screens must not squeeze: cells of numbers, of a word or of much text, options, wide pictures.

    Paths, long names and long calls in tables may be broken. Values and signatures that say nothing are left out.
    """
    html = _SAYS_NOTHING.sub("", _REPEATED_NAME.sub("", html))
    whole = _CODE.sub(lambda code: _OPTION.sub(r'<span class="option">\g<0></span>', code[0]), html)
    return _PICTURE.sub(_marked_picture, _CELL.sub(_marked_cell, whole))


def _breakable(match: re.Match[str]) -> str:
    """A path or a long name in a table, which may go on in the next line after a slash, an underscore or a word."""
    return _BREAKS.sub("<wbr>", match[0])


def _breakable_call(match: re.Match[str]) -> str:
    """Long code in a table, which may go on in the next line after a bracket, a dot, a comma or an equals sign."""
    return _CALL_BREAKS.sub("<wbr>", match[0]) if len(match[0]) > LONGEST_CODE else match[0]


def _marked_cell(match: re.Match[str]) -> str:
    lines = [re.sub(r"<[^>]*>", "", line).strip() for line in re.split(r"<br\s*/?>", match["inner"])]
    longest = LONGEST_NUMBER if _NUMBER.match(lines[0]) else LONGEST_WORD
    if lines[0] and max(map(len, lines)) <= longest:
        return f'<td class="whole"{match["rest"]}'
    kind = ' class="prose"' if sum(map(len, lines)) >= MUCH_TEXT else ""
    return f"<td{kind}{_CODE.sub(_breakable_call, _PATH.sub(_breakable, match['rest']))}"


def _marked_picture(match: re.Match[str]) -> str:
    files = [ROOT / folder / "images" / match["name"] for folder in ("docs", "examples")]
    width = next((int.from_bytes(file.read_bytes()[16:20], "big") for file in files if file.is_file()), 0)
    return f'<img class="wide"{match["rest"]}' if width >= WIDE_PICTURE else match[0]


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Refuse a page that would fetch something when it is opened; leave out that a parameter may be of any kind."""
    output = _ANY_KIND.sub(lambda match: f"({match['rest']}" if match["rest"] else "", output)
    if found := _REMOTE.search(output):
        raise PluginError(f"{page.file.src_uri} would fetch {found[0]!r} when it is opened; keep a copy in docs/.")
    return output


def on_post_template(output_content: str, template_name: str, **_: Any) -> str:
    """Let the page for addresses that do not exist find its styles from a folder as well as from a server."""
    if template_name != "404.html":
        return output_content
    base = """<script>if (location.protocol !== "file:") document.write('<base href="/">')</script>"""
    relative = re.sub(r'( (?:href|src)=")/(?!/)', r"\1", output_content)
    return relative.replace("<head>", f"<head>\n    {base}", 1)


def site_links(markdown: str, page: str) -> str:
    """The text of a page with its links as the site has them; code stays as it is.

    Parameters
    ----------
    markdown
        Text whose links are relative to the source file, as on GitHub.
    page
        The page's place in the site, such as `"gallery/index.md"`.
    """
    parts = _FENCED.split(markdown)
    parts[::2] = [_LINK.sub(lambda match: _moved_link(match, page), part) for part in parts[::2]]
    return "".join(parts)


def _moved_link(match: re.Match[str], page: str) -> str:
    target = match["target"]
    if "://" in target or target.startswith("mailto:"):
        return match[0]
    source = posixpath.normpath(posixpath.join(posixpath.dirname(_source_of(page)), target))
    goal = _page_of(source)
    return f"{match['before']}{posixpath.relpath(goal, posixpath.dirname(page) or '.')}{match['after']}"


def _source_of(page: str) -> str:
    """The file of the repository that a page was made from."""
    back = {moved: source for source, moved in MOVED.items()}
    if page in back:
        return back[page]
    return page.replace(GALLERY, "examples/", 1) if page.startswith(GALLERY) else f"docs/{page}"


def _page_of(source: str) -> str:
    """The page that is made from a file of the repository."""
    if source in MOVED or source in AS_THEY_ARE:
        return MOVED.get(source, source)
    if source == "examples/README.md":
        return GALLERY + "index.md"
    if source.startswith("examples/"):
        return GALLERY + re.sub(r"\.py$", ".md", source.removeprefix("examples/"))
    if source.startswith("src/"):
        return "source/" + re.sub(r"\.py$", ".md", source.removeprefix("src/"))
    return source.removeprefix("docs/")


def linked_sources() -> list[str]:
    """Modules that pages link to."""
    texts = [_text(path) for path in (ROOT / "docs").rglob("*.md")]
    return sorted({found for text in texts for found in re.findall(r"\]\((?:\.\./)+(src/[\w/]+\.py)\)", text)})


def source_page(source: str) -> str:
    """A page with the code of a module."""
    return f"# {source}\n\n```python\n{_text(ROOT / source)}```\n"


def scripts() -> list[Path]:
    """The scripts of the gallery, as its first page lists them."""
    listed = _text(ROOT / "examples" / "README.md")
    return sorted((ROOT / "examples").glob("*.py"), key=lambda path: listed.find(f"({path.name})"))


def gallery_home() -> str:
    """The gallery's first page: examples/README.md, with a card for each script in place of tables and pictures."""
    text = _SHOWN.sub("", _text(ROOT / "examples" / "README.md"))
    text = text.replace("On the site each has a page with its picture.", "Each has a page.")
    return _LIST.sub(lambda found: f'<div class="cards">{_LISTED.sub(_card, found["lines"])}</div>\n', text)


def _card(match: re.Match[str]) -> str:
    path = ROOT / "examples" / f"{match['name']}.py"
    picture = f'<img alt="" src="images/{path.stem}.png">' if _picture_of(path).is_file() else ""
    shows = re.sub(r"`([^`]*)`", r"<code>\1</code>", match["shows"])
    return f'<a href="{path.stem}.html">{picture}<b>{_title_of(path)}</b><span>{shows}</span></a>'


def _title_of(path: Path) -> str:
    """A script's first words, up to a colon or a question mark."""
    return re.split(r"(?<=\?)|:", ast.get_docstring(ast.parse(_text(path))) or path.stem, maxsplit=1)[0]


def gallery_page(path: Path) -> str:
    """A page about a script: what it shows, its picture if it has one, and its code.

    The script's first words are the title, up to a colon or a question mark; the code begins after them.
    """
    module = ast.parse(code := _text(path))
    words = ast.get_docstring(module) or path.stem
    title = _title_of(path)
    said = words.removeprefix(title).lstrip(": ")
    picture = f"![What the script draws](images/{path.stem}.png)\n\n" if _picture_of(path).is_file() else ""
    shown = "".join(code.splitlines(keepends=True)[module.body[0].end_lineno :]).lstrip()
    return f'# {title}\n\n{said[:1].upper()}{said[1:]}\n\n{picture}```python title="examples/{path.name}"\n{shown}```\n'


def _picture_of(path: Path) -> Path:
    return path.parent / "images" / f"{path.stem}.png"


def public_names(package: str) -> list[str]:
    """The public names of a package of unabases; first what most people need, last what others derive from."""
    names = importlib.import_module(f"unabases.{package}").__all__
    return sorted(
        names, key=lambda name: (*(name != first for first in FIRST), name.startswith("Abstract"), name.lower())
    )


def packages() -> list[str]:
    """The packages with public names, the most useful first."""
    import unabases

    found = [info.name for info in pkgutil.iter_modules(unabases.__path__) if info.ispkg]
    public = [name for name in found if getattr(importlib.import_module(f"unabases.{name}"), "__all__", ())]
    return sorted(public, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))


def reference_page(package: str) -> str:
    """The reference of one package: each public name, from the module that defines it."""
    module = importlib.import_module(f"unabases.{package}")
    parts = [f"# unabases.{package}\n\n{module.__doc__}\n"]
    parts += [f"::: {path_of(package, name)}\n{OWN_OPTIONS.get(name, '')}" for name in public_names(package)]
    return "\n".join(parts)


def path_of(package: str, name: str) -> str:
    """Where the reference finds a public name: in its package, unless a module there has the same name."""
    path = f"unabases.{package}.{name}"
    return f"{path}.{name}" if importlib.util.find_spec(path) else path


def reference_home() -> str:
    """The list of packages, with the public names of each."""
    parts = ["# Reference\n\nEvery public name, by package. `from unabases import UNA` works for those in bold.\n"]
    top = importlib.import_module("unabases").__all__
    for package in packages():
        said = (importlib.import_module(f"unabases.{package}").__doc__ or "").splitlines()[0]
        links = {name: f"[{name}][{path_of(package, name)}]" for name in public_names(package)}
        shown = [f"**{link}**" if name in top else link for name, link in links.items()]
        parts.append(f"## {package}\n\n{said} [All of it]({package}.md).\n\n{' · '.join(shown)}\n")
    return "\n".join(parts)


def _filled(entry: dict[str, Any]) -> dict[str, Any]:
    ((title, content),) = entry.items()
    if content == GALLERY:
        return {title: [GALLERY + "index.md", *(f"{GALLERY}{path.stem}.md" for path in scripts())]}
    if content == REFERENCE:
        return {title: [REFERENCE + "index.md", *({name: f"{REFERENCE}{name}.md"} for name in packages())]}
    return entry


def _pages_of(docs: Path) -> list[str]:
    return sorted(path.relative_to(docs).as_posix() for path in docs.rglob("*.md"))


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
